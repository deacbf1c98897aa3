// SPDX-License-Identifier: BSD-3-Clause
#include "align/best_call.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

#include "align/lengths.hpp"
#include "base/pieces.hpp"
#include "base/rest_of_limit.hpp"

namespace nwgpu {

namespace {

// What an entry takes, beside what lies in the arrays of the result; the last frame counts the latter part itself.
constexpr std::uint64_t caller_bytes_per_entry = sizeof(Pair) + sizeof(std::uint64_t);
constexpr std::uint64_t bytes_per_chosen = sizeof(Chosen) + caller_bytes_per_entry;

} // namespace

// Progress of the call, of which each frame knows its own.
class BestCall::WholeProgress {
public:
    WholeProgress(Progress const & caller, double total) : caller_{caller}, total_{total} {}
    WholeProgress(WholeProgress const &) = delete;

    // Of a frame that computes so many cells, until the next one begins.
    Progress begin(double cells)
    {
        before_ += std::exchange(cells_, cells);
        if (!caller_)
            return {};
        return [this](std::uint64_t done, std::uint64_t of) {
            return report(of > 0 ? static_cast<double>(done) / static_cast<double>(of) : 0);
        };
    }
    // Behind a section: short ones report nothing of themselves.
    void report_if_due()
    {
        if (caller_ && Clock::now() - last_ >= std::chrono::milliseconds{25} && !report(1))
            throw Error{Status::cancelled, "the caller stopped the call"};
    }
    double left() const { return total_ - before_ - cells_; }

private:
    using Clock = std::chrono::steady_clock;

    bool report(double share)
    {
        last_ = Clock::now();
        return caller_(static_cast<std::uint64_t>(std::min(before_ + share * cells_, total_)),
                       static_cast<std::uint64_t>(total_));
    }

    Progress const & caller_;
    double const total_;
    Clock::time_point last_{}; // long ago: there is one report at least
    double before_ = 0, cells_ = 0;
};

BestCall::BestCall(Backend & backend, Team & team, CodedSequences const & queries, CodedSequences const & targets,
                   PairsByQuery const & pairs, Scoring const & scoring, Request const & request, Best const & best,
                   std::uint64_t max_host_bytes, Sections const & sections) :
    backend_{backend},
    team_{team},
    queries_{queries},
    targets_{targets},
    pairs_{pairs},
    scoring_{scoring},
    request_{request},
    best_{best},
    limit_{max_host_bytes},
    sections_{sections},
    of_query_{best}
{}

// `taken`: of the limit.
Frame BestCall::frame(std::span<Pair const> pairs, Request const & request, std::uint64_t taken)
{
    return {backend_, team_, {queries_, targets_, pairs}, scoring_, request, rest_of_limit(limit_, taken)};
}

Request BestCall::scores_only(std::int64_t min_score) const
{
    Request scores = request_;
    scores.output = Output::score;
    scores.min_score = min_score;
    return scores;
}

// The best ones, without others that are equal to the last, and pairs with invalid letters, as far as these are known.
BestCall::Entries BestCall::most_entries() const
{
    auto const invalid_targets = [this](std::uint64_t first, std::uint64_t last) {
        std::uint64_t invalid = 0;
        for (std::uint64_t position = first; position < last; ++position)
            invalid += !targets_.is_valid(pairs_.pair(position).target);
        return invalid;
    };
    Entries entries;
    std::uint64_t invalid = 0;
    for (std::uint64_t rank = 0; rank < pairs_.queries(); ++rank) {
        std::uint64_t const first = pairs_.first(rank), count = pairs_.count_of(rank);
        if (rank == 0 || !pairs_.are_all())
            invalid = invalid_targets(first, first + count);
        std::uint64_t const failed = queries_.is_valid(pairs_.query(rank)) ? invalid : count;
        entries.failed += failed;
        entries.all += failed + std::min(best_.targets, count - failed);
        entries.held = std::max(entries.held, BestOfQuery::most_held(std::min(best_.targets, count)) + failed);
    }
    return entries;
}

// Beside the codes of letters and a frame's.
std::uint64_t BestCall::bytes() const
{
    return pairs_.bytes() + chosen_.size() * sizeof(Chosen) + of_query_.count() * sizeof(Chosen) + failures_.bytes();
}

// What failed pairs take at the end, beside what the last frame counts: others have a list of their own, and arrays are
// copied.
std::uint64_t BestCall::bytes_to_insert(Entries const & entries) const
{
    if (entries.failed == 0)
        return 0;
    std::uint64_t const others = entries.all - entries.failed;
    std::uint64_t const again =
        request_.output == Output::score
            ? 0
            : others * sizeof(Pair) + entries.all * BatchResult::bytes_per_entry(request_.output);
    return again + entries.failed * (caller_bytes_per_entry + Failures::bytes_per_pair);
}

// bytes() at the end, and what so many entries take of the result.
std::uint64_t BestCall::bytes_of(Entries const & entries) const
{
    return pairs_.bytes() + entries.all * (bytes_per_chosen + BatchResult::bytes_per_entry(request_.output)) +
           entries.failed * Failures::bytes_per_pair + entries.held * sizeof(Chosen) + bytes_to_insert(entries);
}

void BestCall::check_limit(Entries const & entries) const
{
    check_call(queries_.bytes() + targets_.bytes() + bytes_of(entries), pairs_.count(), limit_);
}

void BestCall::end_query()
{
    of_query_.take(chosen_);
    if (!pairs_.are_in_order())
        ends_.push_back(chosen_.size());
}

// The chosen ones of the queries in the order of their ranks, into that of their numbers.
void BestCall::put_in_order()
{
    std::vector<std::uint64_t> ranks(pairs_.queries());
    for (std::uint64_t rank = 0; rank < ranks.size(); ++rank)
        ranks[pairs_.query(rank)] = rank;
    std::deque<Chosen> by_number;
    for (std::uint64_t const rank : ranks)
        if (rank < ends_.size()) // those behind the last pair have none
            for (std::uint64_t k = rank == 0 ? 0 : ends_[rank - 1]; k < ends_[rank]; ++k)
                by_number.push_back(chosen_[k]);
    chosen_ = std::move(by_number);
}

// The query that has this position becomes the one whose pairs come now.
void BestCall::go_to(std::uint64_t position)
{
    for (; position == pairs_.first(query_ + 1); ++query_)
        end_query();
}

// Of all pairs.
double BestCall::cells() const
{
    if (pairs_.are_all()) {
        auto const [queries, targets] = lengths_of(queries_, targets_, team_);
        return static_cast<double>(queries.sum) * static_cast<double>(targets.sum);
    }
    std::atomic<std::uint64_t> all{0};
    for_pieces(&team_, pairs_.count(), [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t sum = 0;
        for (std::uint64_t position = begin; position < end; ++position)
            sum += cells(pairs_.pair(position));
        all += sum;
    });
    return static_cast<double>(all);
}

// Returns how many cells it has.
std::uint64_t BestCall::lay_out_section(std::uint64_t first, std::uint64_t last)
{
    section_.resize(last - first);
    std::atomic<std::uint64_t> all{0};
    for_pieces(&team_, last - first, [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t sum = 0;
        for (std::uint64_t p = begin; p < end; ++p) {
            section_[p] = pairs_.pair(first + p);
            sum += cells(section_[p]);
        }
        all += sum;
    });
    return all;
}

// From the scores of the section that begins with this position.
void BestCall::choose(std::uint64_t first, BatchResult const & scores)
{
    std::uint64_t const end = first + scores.count();
    for (std::uint64_t position = first; position < end;) {
        go_to(position);
        std::uint64_t const last = std::min(end, pairs_.first(query_ + 1));
        // Under a limit the bound of what is held is of one thread.
        if (limit_ == 0 && last - position > piece_entries && best_.targets <= piece_entries / 16)
            choose_by_team(position, last, first, scores);
        else
            choose_of_query(position, last, first, scores);
        position = last;
    }
}

// Of pairs of this query; `first` has the first of the scores.
void BestCall::choose_of_query(std::uint64_t begin, std::uint64_t end, std::uint64_t first, BatchResult const & scores)
{
    for (std::uint64_t position = begin; position < end; ++position) {
        Status const status = scores.status[position - first];
        if (status == Status::ok) {
            of_query_.add(position, scores.score[position - first]);
        } else if (status != Status::below_min_score) {
            of_query_.add_failed(position, status);
            failures_.add(position, scores.failures, position - first);
            ++failed_;
        }
    }
}

// The same: each thread chooses among some pairs, and this one among those.  Pieces with failures are left to it.
void BestCall::choose_by_team(std::uint64_t begin, std::uint64_t end, std::uint64_t first, BatchResult const & scores)
{
    std::vector<std::optional<BestOfQuery>> pieces(ceil_div(end - begin, piece_entries));
    for_pieces(&team_, end - begin, [&](std::uint64_t from, std::uint64_t to) {
        BestOfQuery some = of_query_.beside();
        for (std::uint64_t position = begin + from; position < begin + to; ++position) {
            Status const status = scores.status[position - first];
            if (status == Status::ok)
                some.add(position, scores.score[position - first]);
            else if (status != Status::below_min_score)
                return;
        }
        pieces[from / piece_entries].emplace(std::move(some));
    });
    for (std::uint64_t k = 0; k < pieces.size(); ++k) {
        std::uint64_t const from = begin + k * piece_entries;
        if (pieces[k])
            of_query_.add(*pieces[k]);
        else
            choose_of_query(from, std::min(end, from + piece_entries), first, scores);
    }
}

BestResult BestCall::align(Progress const & progress)
{
    if (limit_ != 0)
        check_limit(request_.min_score == no_min_score ? most_entries() : Entries{});
    double const all = progress ? cells() : 0;
    bool const has_paths = request_.output != Output::score; // or positions
    double const again = has_paths && pairs_.count() > 0
                             ? static_cast<double>(most_entries().all) / static_cast<double>(pairs_.count())
                             : 0;
    WholeProgress whole{progress, all + again * all};
    std::uint64_t position = 0;
    do { // without pairs, too: the engine may refuse the call
        std::uint64_t const first = position;
        if (first < pairs_.count()) {
            go_to(first);
            position = section_end(first);
        }
        auto const section_cells = static_cast<double>(lay_out_section(first, position));
        choose(first, frame(section_, scores_only(min_score(position)), bytes()).align(whole.begin(section_cells)));
        check_limit(entries_now());
        whole.report_if_due();
    } while (position < pairs_.count());
    end_query();
    if (!pairs_.are_in_order())
        put_in_order();
    failures_.sort();
    section_ = Array<Pair>{}; // with its memory
    check_limit(entries_now());

    BestResult result;
    result.pairs.reserve(chosen_.size());
    result.numbers.reserve(chosen_.size());
    for (Chosen const & one : chosen_) {
        result.pairs.push_back(pairs_.pair(one.position));
        result.numbers.push_back(pairs_.number(one.position));
    }
    result.value = has_paths ? align_chosen(result.pairs, whole.begin(whole.left())) : scores_of_chosen();
    return result;
}

BatchResult BestCall::scores_of_chosen() const
{
    BatchResult result;
    result.lay_out(chosen_.size(), Output::score, &team_);
    for (std::uint64_t entry = 0; entry < chosen_.size(); ++entry) {
        Chosen const & one = chosen_[entry];
        result.status[entry] = one.status;
        result.score[entry] = one.score;
        if (one.status != Status::ok)
            result.failures.add(entry, failures_, one.position);
    }
    return result;
}

// Pairs that have failed are not tried again: the best ones stay the best of those that have a score.
BatchResult BestCall::align_chosen(Array<Pair> const & pairs, Progress const & progress)
{
    std::uint64_t const taken = bytes() + bytes_to_insert(entries_now());
    if (failed_ == 0)
        return frame(pairs, request_, taken).align(progress);
    Array<Pair> others;
    others.reserve(pairs.size() - failed_);
    for (std::uint64_t entry = 0; entry < pairs.size(); ++entry)
        if (chosen_[entry].status == Status::ok)
            others.push_back(pairs[entry]);
    BatchResult result = frame(others, request_, taken).align(progress);
    insert_failed(result);
    return result;
}

// From behind, so that each entry is moved before another one takes its place.
void BestCall::insert_failed(BatchResult & result) const
{
    bool const has_runs = request_.output == Output::cigar;
    std::uint64_t from = result.count();
    result.reserve(chosen_.size(), request_.output);
    result.status.resize(chosen_.size());
    result.score.resize(chosen_.size());
    result.pair.resize(chosen_.size());
    result.span.resize(chosen_.size());
    if (has_runs)
        result.run_offsets.resize(chosen_.size() + 1);
    Failures const failures = std::exchange(result.failures, {});
    for (std::uint64_t entry = chosen_.size(); entry-- > 0;) {
        Chosen const & one = chosen_[entry];
        result.pair[entry] = entry;
        if (has_runs)
            result.run_offsets[entry + 1] = result.run_offsets[from];
        if (one.status == Status::ok) {
            --from;
            result.status[entry] = result.status[from];
            result.score[entry] = result.score[from];
            result.span[entry] = result.span[from];
            result.failures.add(entry, failures, from);
        } else {
            result.status[entry] = one.status;
            result.score[entry] = 0;
            result.span[entry] = {};
            result.failures.add(entry, failures_, one.position);
        }
    }
    result.failures.sort();
}

} // namespace nwgpu
