// SPDX-License-Identifier: BSD-3-Clause
// Branch and bound over the rotations of a sequence (S. A. Piyavskii, USSR Comput. Math. Math. Phys. 12(4), 1972; B. O.
// Shubert, SIAM J. Numer. Anal. 9(3), 1972).  When a letter moves from the begin of a sequence to its end, the score of
// the pair changes little: the alignment may lose what the letter gained, at most its best score with a letter of the
// other sequence, and pays for the letter, and for the one that faced it, in a gap; however many letters move, two gaps
// are opened.  So
//
//     |score(a) - score(b)| <= 2 open + sum over the letters between a and b of (gain of the letter + 2 extend),
//
// and with free ends or in an extension no more; in local alignments the gains alone, as what is cut off needs no gap.
// Scores at some rotations bound those between them; where the bound is highest, the next one is computed.
#include "circular.hpp"

#include "failure.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace cli {

namespace {

constexpr std::uint64_t letters_at_once = std::uint64_t{1} << 22;
constexpr std::uint64_t rotations_at_once = 4; // of a pair

} // namespace

// Of one pair.
class Circular::Search {
public:
    // change[r]: by so much at most the score at r differs from that at 0, but for `opens`, when the letters before r
    // move; one more than there are rotations.  most: no score is higher.
    Search(std::vector<std::int64_t> change, std::int64_t opens, std::int64_t most) :
        change_(std::move(change)), opens_(opens), most_(most)
    {}

    std::uint64_t best() const { return best_; }
    // Whose scores are needed next; none: the best one is known.
    std::vector<std::uint64_t> const & wanted() const { return wanted_; }

    // score: of the first of those of wanted() that has not been told.  Ends with the next wanted() after the last one.
    void learn(std::int64_t score)
    {
        Known const known{wanted_[told_], score};
        if (score > score_ || (score == score_ && known.rotation < best_)) {
            score_ = score;
            best_ = known.rotation;
        }
        Gap const all{0, 0, known, {change_.size() - 1, score}}; // the last rotation is the first one again
        Gap const & gap = asked_.empty() ? all : asked_[told_];
        if (!asked_.empty())
            add(gap.begin, known);
        add(known, gap.end);
        if (++told_ == wanted_.size())
            ask();
    }
    // The pair cannot be aligned.
    void give_up() { wanted_.clear(); }

private:
    struct Known {
        std::uint64_t rotation;
        std::int64_t score;
    };
    // The rotations between two known ones.
    struct Gap {
        std::int64_t bound;  // of their scores
        std::uint64_t where; // the bound is there
        Known begin, end;
        bool operator<(Gap const & other) const { return bound < other.bound; }
    };

    void add(Known const & begin, Known const & end)
    {
        if (end.rotation - begin.rotation < 2)
            return;
        auto const from_begin = [&](std::uint64_t r) { return begin.score + change_[r] - change_[begin.rotation]; };
        auto const from_end = [&](std::uint64_t r) { return end.score + change_[end.rotation] - change_[r]; };
        // The one rises, the other falls: the lower one of both is highest where they meet.
        std::uint64_t low = begin.rotation + 1, high = end.rotation - 1;
        while (low < high) {
            std::uint64_t const middle = low + (high - low) / 2;
            if (from_begin(middle) >= from_end(middle))
                high = middle;
            else
                low = middle + 1;
        }
        std::int64_t highest = std::min(from_begin(low), from_end(low));
        if (low > begin.rotation + 1)
            highest = std::max(highest, from_begin(low - 1));
        gaps_.push({std::min(highest + opens_, most_), low, begin, end});
    }

    void ask()
    {
        wanted_.clear();
        asked_.clear();
        told_ = 0;
        while (!gaps_.empty() && asked_.size() < rotations_at_once && gaps_.top().bound >= score_) {
            Gap const gap = gaps_.top();
            gaps_.pop();
            if (gap.bound > score_ || gap.begin.rotation + 1 < best_) { // of equal ones the first
                asked_.push_back(gap);
                wanted_.push_back(gap.where);
            }
        }
    }

    std::vector<std::int64_t> const change_;
    std::int64_t const opens_, most_;
    std::int64_t score_ = std::numeric_limits<std::int64_t>::min();
    std::uint64_t best_ = 0;
    std::vector<std::uint64_t> wanted_{0};
    std::vector<Gap> asked_; // where the wanted ones are; empty: the first one is wanted
    std::size_t told_ = 0;
    std::priority_queue<Gap> gaps_;
};

// Of each letter of the query, or of the target: the best score that it has with a letter of the other sequence, and 0
// at least.
std::array<std::int64_t, 256> Circular::gains(std::span<std::uint8_t const> other, bool of_query) const
{
    std::array<bool, 256> seen{};
    std::array<std::int64_t, 256> best{};
    auto const & codes = scoring_.alphabet().codes;
    for (std::uint8_t const facing : other) {
        if (codes[facing] == 255 || std::exchange(seen[facing], true))
            continue;
        for (unsigned a = 0; a < 256; ++a)
            if (auto const own = static_cast<std::uint8_t>(a); codes[own] != 255)
                best[own] = std::max<std::int64_t>(best[own], of_query ? scoring_.pair_score(own, facing)
                                                                       : scoring_.pair_score(facing, own));
    }
    return best;
}

Circular::Search Circular::search(Batch const & batch, nwgpu_pair const & pair) const
{
    auto const query = batch.queries->letters(pair.query), target = batch.targets->letters(pair.target);
    auto const of_query = gains(target, true), of_target = gains(query, false);
    auto const sum = [](std::span<std::uint8_t const> letters, std::array<std::int64_t, 256> const & gain) {
        std::int64_t all = 0;
        for (std::uint8_t const letter : letters)
            all += gain[letter];
        return all;
    };
    std::int64_t const open = scoring_.values().gap_open, extend = scoring_.values().gap_extend;
    bool const local = mode_ == NWGPU_MODE_LOCAL; // what is cut off needs no gap
    std::vector<std::int64_t> change{0};
    change.reserve((query_ ? query : target).size() + 1);
    for (std::uint8_t const letter : query_ ? query : target)
        change.push_back(change.back() + (query_ ? of_query : of_target)[letter] + (local ? 0 : 2 * extend));
    std::int64_t most = std::min(sum(query, of_query), sum(target, of_target));
    auto const [shorter, longer] = std::minmax(query.size(), target.size());
    if (mode_ == NWGPU_MODE_GLOBAL && longer > shorter)
        most -= open + static_cast<std::int64_t>(longer - shorter) * extend;
    return {std::move(change), local ? 0 : 2 * open, most};
}

// Adds pair `pair` of the given batch to the rotated one.
void Circular::add(Rotated & rotated, Batch const & given, nwgpu_pair pair, std::uint64_t rotation) const
{
    std::uint64_t & circular = query_ ? pair.query : pair.target;
    rotated.set.add_rotated(query_ ? *given.queries : *given.targets, circular, rotation);
    circular = rotated.set.size() - 1;
    rotated.pairs.push_back(pair);
}

void Circular::finish(Batch & batch, Batch const & given, Rotated rotated) const
{
    auto const set = std::make_shared<SequenceSet const>(std::move(rotated.set));
    batch.queries = query_ ? set : given.queries;
    batch.targets = query_ ? given.targets : set;
    batch.pairs = std::move(rotated.pairs);
}

std::unique_ptr<Batch> Circular::rotate(std::shared_ptr<Batch const> const & given) const
{
    std::vector<Search> searches;
    searches.reserve(given->pairs.size());
    for (nwgpu_pair const & pair : given->pairs)
        searches.push_back(search(*given, pair));
    std::uint64_t count = 0;
    for (bool more = true; more;) {
        more = false;
        // Rounds: each search is told all that it has asked for before it asks again.
        for (std::size_t next = 0; next < searches.size();) {
            Rotated rotated;
            std::size_t const first = next;
            for (; next < searches.size() && rotated.set.total_letters() < letters_at_once; ++next)
                for (std::uint64_t const rotation : searches[next].wanted())
                    add(rotated, *given, given->pairs[next], rotation);
            if (rotated.pairs.empty())
                continue;
            more = true;
            count += rotated.pairs.size();
            Batch batch;
            finish(batch, *given, std::move(rotated));
            auto const scores = engine_.scores(batch);
            auto score = scores.begin();
            for (std::size_t k = first; k < next; ++k)
                for (std::size_t left = searches[k].wanted().size(); left > 0; --left, ++score) {
                    if (*score && !searches[k].wanted().empty())
                        searches[k].learn(**score);
                    else
                        searches[k].give_up();
                }
        }
    }
    progress_.detail(text(count, " rotations of ", searches.size(), " pairs were scored"));
    auto best = std::make_unique<Batch>(*given);
    Rotated rotated;
    for (std::size_t k = 0; k < searches.size(); ++k) {
        best->rotations.push_back(searches[k].best());
        add(rotated, *given, given->pairs[k], searches[k].best());
    }
    finish(*best, *given, std::move(rotated));
    best->given = given;
    return best;
}

} // namespace cli
