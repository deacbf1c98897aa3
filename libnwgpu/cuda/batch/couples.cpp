// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/couples.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <tuple>

#include "base/pieces.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr std::uint64_t samples = 64;
// Fewer couples of two targets leave a device idle at the end of each strip: of a query that groups hold, and of one
// whose pairs have the device one after the other else.
constexpr std::uint64_t least_lone_pairs = 1 << 15, least_long_pairs = 1 << 10;

// What a column takes, in rows of a couple: of two queries of at most so many rows; of one pair in a group, whose lanes
// have two blocks of rows and join their scores; of one of two targets.  As measured.
double couple_cost(std::uint64_t rows)
{
    return 2.0 * static_cast<double>(ceil_div(rows, std::uint64_t{couple_rows}) * couple_rows);
}
double group_cost(std::uint64_t rows) { return 1.2 * shape_for(static_cast<std::uint32_t>(rows), false).capacity(); }
double lone_cost(std::uint64_t rows)
{
    constexpr double around = 3; // instructions around the rows of a lane
    TargetStrips const strips = TargetStrips::of(static_cast<int>(rows));
    return 0.94 * strips.count * TargetStrips::lanes * (strips.rows + around);
}

// Pairs of one query that lie together, with ascending targets; positions in the piece.
struct Stretch {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t query = 0, rows = 0; // of the query
    std::uint64_t first_target = 0, last_target = 0;

    std::uint64_t count() const { return end - begin; }
};

class Finder {
public:
    Finder(Piece const & piece, BatchWork const & work, std::uint64_t least_cells, Team & team) :
        piece_{piece}, work_{work}, least_cells_{least_cells}, team_{team}, all_{piece.pairs.size()}
    {}

    Couples find()
    {
        std::vector<Stretch> const stretches = find_stretches();
        if (stretches.empty())
            return {};
        couples_.pairs.resize(all_);
        for (std::size_t k = 0; k < stretches.size();) {
            bool const is_couple = k + 1 < stretches.size() && couple(stretches[k], stretches[k + 1]);
            if (!is_couple && !take_alone(stretches[k]))
                leave(stretches[k].begin, stretches[k].end);
            k += is_couple ? 2 : 1;
        }
        if (couples_.empty())
            return {};
        std::sort(alone_.begin(), alone_.end(), [](auto const & a, auto const & b) { return a.begin < b.begin; });
        std::uint64_t at = placed_;
        for (Range const & range : alone_) {
            copy(range.begin, range.end, at);
            at += range.end - range.begin;
        }
        return std::move(couples_);
    }

private:
    struct Range {
        std::uint64_t begin, end;
    };

    Pair pair(std::uint64_t position) const { return piece_.batch.pairs[piece_.pairs[position]]; }
    std::uint64_t target(std::uint64_t position) const { return pair(position).target; }
    // Whether pairs of this target, and of two queries of which this one is the longer, have room for their numbers.
    bool suits(std::uint64_t target, Stretch const & longer) const
    {
        std::uint64_t const n = piece_.batch.targets.length(target);
        return n <= most_columns && work_.scheme.fits(longer.rows, n);
    }
    bool goes_on(std::uint64_t position) const // from the pair before
    {
        Pair const before = pair(position - 1), now = pair(position);
        return before.query == now.query && before.target < now.target;
    }

    // Those that are long enough; queries with the same targets are neighbours, and of these the ones that are nearly
    // as long.  The others are left.
    std::vector<Stretch> find_stretches()
    {
        std::vector<std::vector<std::uint64_t>> begins(ceil_div(all_, piece_entries));
        std::atomic<std::uint64_t> count{0};
        for_pieces(&team_, all_, [&](std::uint64_t begin, std::uint64_t end) {
            if (count > most_stretches)
                return;
            auto & its = begins[begin / piece_entries];
            for (std::uint64_t k = std::max<std::uint64_t>(begin, 1); k < end; ++k)
                if (!goes_on(k))
                    its.push_back(k);
            count += its.size();
        });
        if (count > most_stretches)
            return {};
        std::vector<Stretch> stretches;
        std::uint64_t begin = 0;
        auto const add = [&](std::uint64_t end) {
            std::uint64_t const query = pair(begin).query, rows = piece_.batch.queries.length(query);
            if (end - begin >= 2)
                stretches.push_back({begin, end, query, rows, target(begin), target(end - 1)});
            else
                leave(begin, end);
            begin = end;
        };
        for (auto const & of_part : begins)
            for (std::uint64_t const end : of_part)
                add(end);
        add(all_);
        std::sort(stretches.begin(), stretches.end(), [](Stretch const & a, Stretch const & b) {
            return std::tie(a.first_target, a.last_target, a.rows, a.begin) <
                   std::tie(b.first_target, b.last_target, b.rows, b.begin);
        });
        return stretches;
    }

    // Whether they became one; else nothing has happened.
    bool couple(Stretch const & a, Stretch const & b)
    {
        Stretch const &shorter = a.rows <= b.rows ? a : b, &longer = a.rows <= b.rows ? b : a;
        auto const alone = [&](Stretch const & one) {
            return one.rows > most_rows || is_worth_alone(one) ? lone_cost(one.rows) : group_cost(one.rows);
        };
        if (longer.rows > most_couple_rows || couple_cost(longer.rows) > alone(shorter) + alone(longer))
            return false;
        std::atomic<std::uint64_t> letters{0};
        bool const are_equal = shorter.count() == longer.count() && [&] {
            std::atomic<bool> same{true};
            for_pieces(&team_, shorter.count(), [&](std::uint64_t begin, std::uint64_t end) {
                std::uint64_t sum = 0;
                for (std::uint64_t k = begin; k < end && same; ++k) {
                    std::uint64_t const its = target(shorter.begin + k);
                    if (its != target(longer.begin + k) || !suits(its, longer))
                        same = false;
                    sum += piece_.batch.targets.length(its);
                    put(placed_ + 2 * k, shorter.begin + k, longer.begin + k);
                }
                letters += sum;
            });
            return same.load();
        }();
        if (are_equal) {
            if (!is_worth(shorter, longer, letters))
                return false;
            placed_ += 2 * shorter.count();
        } else if (!merge(shorter, longer)) {
            return false;
        }
        couples_.stretches.push_back({placed_, 2});
        return true;
    }
    bool is_worth_alone(Stretch const & one) const
    {
        return batch::is_worth_alone(one.rows, one.count(), least_cells_, work_.room_for_targets);
    }
    // Whether targets of the query go two at a time, and this is worth it; else nothing has happened.
    bool take_alone(Stretch const & one)
    {
        if (one.rows > most_couple_rows || !is_worth_alone(one))
            return false;
        std::vector<Range> left;
        std::uint64_t at = placed_, letters = 0;
        for (std::uint64_t k = one.begin; k < one.end; ++k) {
            std::uint64_t const its = target(k);
            if (!suits(its, one)) {
                left.push_back({k, k + 1});
                continue;
            }
            couples_.pairs[at++] = piece_.pairs[k];
            letters += piece_.batch.targets.length(its);
        }
        if (letters == 0 || one.rows * letters < least_cells_)
            return false;
        alone_.insert(alone_.end(), left.begin(), left.end());
        placed_ = at;
        couples_.stretches.push_back({placed_, 1});
        return true;
    }
    bool is_worth(Stretch const & shorter, Stretch const & longer, std::uint64_t target_letters) const
    {
        return target_letters > 0 && (shorter.rows + longer.rows) * target_letters >= least_cells_;
    }
    void put(std::uint64_t at, std::uint64_t shorter, std::uint64_t longer)
    {
        couples_.pairs[at] = piece_.pairs[shorter];
        couples_.pairs[at + 1] = piece_.pairs[longer];
    }

    // The targets that both have, where not all are the same.
    bool merge(Stretch const & shorter, Stretch const & longer)
    {
        std::vector<Range> left;
        auto const leave_one = [&](std::uint64_t position) { left.push_back({position, position + 1}); };
        std::uint64_t s = shorter.begin, l = longer.begin, at = placed_, letters = 0;
        while (s < shorter.end && l < longer.end) {
            std::uint64_t const of_s = target(s), of_l = target(l);
            if (of_s == of_l && suits(of_s, longer)) {
                put(at, s++, l++);
                at += 2;
                letters += piece_.batch.targets.length(of_s);
                continue;
            }
            if (of_s <= of_l)
                leave_one(s++);
            if (of_l <= of_s)
                leave_one(l++);
        }
        if (!is_worth(shorter, longer, letters))
            return false;
        alone_.insert(alone_.end(), left.begin(), left.end());
        leave(s, shorter.end);
        leave(l, longer.end);
        placed_ = at;
        return true;
    }
    void leave(std::uint64_t begin, std::uint64_t end)
    {
        if (begin < end)
            alone_.push_back({begin, end});
    }
    void copy(std::uint64_t begin, std::uint64_t end, std::uint64_t to)
    {
        for_pieces(&team_, end - begin, [&](std::uint64_t first, std::uint64_t last) {
            std::copy(piece_.pairs.begin() + static_cast<std::ptrdiff_t>(begin + first),
                      piece_.pairs.begin() + static_cast<std::ptrdiff_t>(begin + last),
                      couples_.pairs.begin() + static_cast<std::ptrdiff_t>(to + first));
        });
    }

    Piece const & piece_;
    BatchWork const & work_;
    std::uint64_t const least_cells_;
    Team & team_;
    std::uint64_t const all_;
    static constexpr std::uint64_t most_stretches = 1 << 16; // of more, each is short
    Couples couples_;
    std::uint64_t placed_ = 0; // pairs of couples
    std::vector<Range> alone_;
};

} // namespace

bool is_worth_alone(std::uint64_t rows, std::uint64_t pairs, std::uint64_t least_cells, bool suits_device)
{
    if (least_cells < least_long_pairs) // forced
        return pairs >= least_cells;
    if (rows > most_rows)
        return pairs >= least_long_pairs;
    return suits_device && pairs >= least_lone_pairs && lone_cost(rows) < group_cost(rows);
}

bool may_have_couples(Piece const & piece, BatchWork const & work)
{
    if (!work.may_couple || work.one_query || work.forced_warps > 0 || piece.max_host_bytes != 0 ||
        piece.pairs.size() < 4)
        return false;
    std::uint64_t const all = piece.pairs.size();
    std::uint64_t followed = 0;
    for (std::uint64_t k = 0; k < samples; ++k) {
        std::uint64_t const at = k * (all - 1) / samples;
        Pair const one = piece.batch.pairs[piece.pairs[at]], next = piece.batch.pairs[piece.pairs[at + 1]];
        followed += one.query == next.query && one.target < next.target;
    }
    return 2 * followed > samples;
}

Couples find_couples(Piece const & piece, BatchWork const & work, std::uint64_t least_cells, Team & team)
{
    return may_have_couples(piece, work) ? Finder{piece, work, least_cells, team}.find() : Couples{};
}

} // namespace nwgpu::cuda::batch
