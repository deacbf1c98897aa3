// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/landmarks/align_by_landmarks.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <vector>

#include "backend/looks.hpp"
#include "base/error.hpp"
#include "base/pieces.hpp"
#include "cpu/batch/band_batch.hpp"
#include "cpu/furthest/furthest_plan.hpp"
#include "cpu/furthest/one_diagonal.hpp"
#include "cpu/landmarks/align_along_changes.hpp"
#include "cpu/landmarks/boxes.hpp"
#include "cpu/landmarks/free_ends.hpp"
#include "cpu/landmarks/inner_sequence.hpp"
#include "cpu/landmarks/landmark_row.hpp"
#include "model/cigar_style.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

namespace {

// Of a global pair: in a wider band, or with shorter words.
constexpr int most_turns = 3;
// Smaller parts of a pair are cut again.
constexpr std::uint64_t parts_of_cells = 4;
// Of longer pairs a gap may be more than one run.
constexpr std::uint64_t most_letters = max_run;
// Of the outer sequence: changes are told and proven without a look at the monitor.
constexpr std::uint64_t most_for_few_words = 1 << 22;
// Of small boxes that several threads share, in pieces.
constexpr std::uint64_t pieces_per_thread = 4, least_boxes = 128;
// Of which fewer are told sooner than threads come.
constexpr std::uint64_t boxes_to_share = 32768;

std::optional<InnerSequence> inner_of(PairView const & pair, Scheme const & scheme, Request const & request,
                                      ByLandmarks::Limits const & limits)
{
    if (request.top > 1 || request.every_cell || !request.checkpoint.folder.empty() || !BandBatch::takes(scheme) ||
        std::max(pair.m, pair.n) > most_letters)
        return std::nullopt;
    Losses const losses = Losses::of(scheme.scoring());
    auto const inner = InnerSequence::of(pair, request.mode);
    if (!inner || losses.mismatch <= 0 || losses.extend <= 0)
        return std::nullopt;
    PairView const turned = inner->turned(pair);
    bool const is_long = inner->has_free_ends() ? turned.m >= limits.inner && turned.m <= turned.n + turned.n / 8
                                                : std::min(pair.m, pair.n) >= limits.letters;
    return is_long && losses.match >= (inner->has_free_ends() ? 1 : 0) ? inner : std::nullopt;
}

class Aligner {
public:
    Aligner(PairView const & pair, InnerSequence const & inner, Scheme const & scheme, KernelTable const & kernels,
            Request const & request, ByLandmarks::Limits const & limits, TriesSoFar & long_words, Team * team,
            std::uint64_t strip_bytes, Monitor & monitor) :
        inner_{inner},
        pair_{inner.turned(pair)},
        scheme_{scheme},
        losses_of_{Losses::of(scheme.scoring())},
        kernels_{kernels},
        request_{request},
        limits_{limits},
        long_words_{long_words},
        team_{team},
        strip_bytes_{strip_bytes},
        monitor_{monitor},
        budget_{pair_},
        row_{pair_, scheme.scoring(), team},
        ends_{pair_, inner_, losses_of_, request, kernels}
    {
        boxes_.resize(team ? static_cast<std::size_t>(team->size()) : 1);
    }

    std::optional<PairResult> align();

    std::uint64_t counted() const { return budget_.counted(); } // cells that the monitor knows of

private:
    struct Part { // of a path: through a box, or at a free end
        Boxes::Answer answer;
        std::int64_t loss = 0;
        int thread = 0; // who has its runs
    };
    bool align_boxes(std::span<Box const> boxes, std::span<std::int64_t const> known, std::span<Part> parts);
    std::optional<PairResult> align_large(PairView const & pair, Request const & request);
    bool align_end(FreeEnds::Side side, Box const & box, std::int64_t known_loss, Part & part);
    bool align_known();
    std::optional<PairResult> align_by(LandmarkRow::Kind words);
    std::optional<PairResult> align_between_crossed();
    std::optional<PairResult> put_together(std::span<Part const> parts) const;
    bool has_path() const { return request_.output == Output::cigar; }

    void clear_boxes()
    {
        for (auto const & boxes : boxes_)
            if (boxes)
                boxes->clear();
    }
    Boxes & boxes_of(int thread)
    {
        auto & boxes = boxes_[static_cast<std::size_t>(thread)];
        if (!boxes)
            boxes = std::make_unique<Boxes>(pair_, inner_, scheme_, kernels_, request_, limits_.in_lanes,
                                            static_cast<int>(boxes_.size()), strip_bytes_, budget_, monitor_);
        return *boxes;
    }
    std::int64_t known_loss() const
    {
        return std::accumulate(known_.begin(), known_.end(), std::int64_t{0},
                               [](std::int64_t sum, Part const & part) { return sum + part.loss; });
    }

    InnerSequence const inner_;
    PairView const pair_; // the inner sequence is the query
    Scheme const & scheme_;
    Losses const losses_of_;
    KernelTable const & kernels_;
    Request const & request_;
    ByLandmarks::Limits const & limits_;
    TriesSoFar & long_words_; // of pairs with free ends
    Team * const team_;       // null: this thread alone
    std::uint64_t const strip_bytes_;
    Monitor & monitor_;
    BoxBudget budget_;
    LandmarkRow row_;
    std::vector<std::unique_ptr<Boxes>> boxes_; // by threads
    std::vector<Part> known_;                   // a path through all words, box by box
    std::vector<std::uint32_t> order_;          // of boxes
    std::vector<Boxes::Answer> answers_;
    FreeEnds ends_;
};

std::optional<PairResult> Aligner::align()
{
    if (inner_.has_free_ends()) {
        if (long_words_.is_worth_a_try()) {
            auto answer = align_by(LandmarkRow::Kind::long_ones);
            long_words_.note(answer.has_value());
            if (answer)
                return answer;
        }
        return align_by(LandmarkRow::Kind::shortest);
    }
    path::BandProof const proof{pair_, scheme_.scoring()};
    std::uint64_t half_width = Boxes::usual_half_width(pair_);
    bool has_long_words = LandmarkRow::begins_with_long_words(pair_, scheme_.scoring(), monitor_);
    for (int turn = 0; turn < most_turns; ++turn) {
        clear_boxes();
        path::Band const band = path::band_around(pair_, half_width);
        bool const found =
            (has_long_words && row_.find(band, monitor_, LandmarkRow::Kind::long_ones)) || row_.find(band, monitor_);
        if (!found || !align_known())
            return std::nullopt;
        std::int64_t const score = losses_of_.of_score(pair_.m, 0) - known_loss();
        auto const needed = proof.half_width(score);
        if (!needed)
            return std::nullopt;
        budget_.limit(pair_.m * 2 * *needed);
        bool const in_band = *needed <= half_width;
        half_width = *needed;
        if (!in_band)
            continue;
        auto answer = align_between_crossed();
        if (answer || !has_long_words)
            return answer;
        has_long_words = false; // more words prove more
    }
    return std::nullopt;
}

// With free ends, by words on all diagonals.
std::optional<PairResult> Aligner::align_by(LandmarkRow::Kind words)
{
    clear_boxes();
    path::Band const all{-static_cast<std::int64_t>(pair_.m), static_cast<std::int64_t>(pair_.n)};
    if (!row_.find(all, monitor_, words) || !align_known())
        return std::nullopt;
    return align_between_crossed();
}

bool Aligner::align_boxes(std::span<Box const> boxes, std::span<std::int64_t const> known, std::span<Part> parts)
{
    auto const align_large = [&](PairView const & pair, Request const & request) {
        return this->align_large(pair, request);
    };
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), 0u);
    // For several threads large ones are first, each by itself: what they take is not known.
    auto const is_large = [&](std::uint32_t k) { return !boxes[k].is_gap() && !boxes[k].is_within(limits_.in_lanes); };
    auto const others = team_ ? std::stable_partition(order_.begin(), order_.end(), is_large) : order_.begin();
    auto const large = static_cast<std::uint64_t>(others - order_.begin()), small = order_.size() - large;
    answers_.resize(boxes.size());
    std::atomic<bool> failed{false};
    auto const align = [&](int thread, std::uint64_t begin, std::uint64_t end) {
        std::span const which = std::span{order_}.subspan(begin, end - begin);
        if (failed)
            return;
        if (!boxes_of(thread).align(which, boxes, known, align_large, answers_))
            failed = true;
        for (std::uint32_t const k : which)
            parts[k] = {answers_[k], losses_of_.of_score(boxes[k].rows(), answers_[k].score), thread};
    };
    auto const report = [&] { monitor_.report_if_due(); };
    int const threads = static_cast<int>(boxes_.size());
    for_pieces_of_threads(team_, threads, large, align, 1, report);
    auto const align_small = [&](int thread, std::uint64_t begin, std::uint64_t end) {
        align(thread, large + begin, large + end);
    };
    std::uint64_t const piece =
        team_
            ? std::min(limits_.boxes_at_once, std::max(least_boxes, ceil_div(small, pieces_per_thread * boxes_.size())))
            : std::max<std::uint64_t>(1, small);
    for_pieces_of_threads(team_, threads, small, align_small, piece, report);
    return !failed;
}

// By landmarks, too, with shorter words.
std::optional<PairResult> Aligner::align_large(PairView const & pair, Request const & request)
{
    if (std::min(pair.m, pair.n) < limits_.letters_of_box || pair.cells() > pair_.cells() / parts_of_cells)
        return std::nullopt;
    Aligner aligner{pair,    InnerSequence{}, scheme_, kernels_,     request,
                    limits_, long_words_,     team_,   strip_bytes_, monitor_};
    auto answer = aligner.align();
    budget_.count(aligner.counted());
    return answer;
}

bool Aligner::align_end(FreeEnds::Side side, Box const & box, std::int64_t known_loss, Part & part)
{
    auto const its = ends_.align(side, box, known_loss, boxes_of(0));
    if (its)
        part = {its->answer, its->loss};
    return its.has_value();
}

// The best path of those through all words.
bool Aligner::align_known()
{
    Array<Box> boxes(row_.boxes());
    for_pieces(boxes.size() >= boxes_to_share ? team_ : nullptr, boxes.size(), [&](std::uint64_t k, std::uint64_t end) {
        for (Looks looks{monitor_}; k < end && looks.go_on(); ++k)
            boxes[k] = row_.box(k);
    });
    if (monitor_.stopped())
        return false;
    known_.resize(boxes.size());
    std::size_t const first = inner_.free_begin ? 1 : 0, last = boxes.size() - (inner_.free_end ? 1 : 0);
    return first <= last && // of one word alone both boxes are ends
           align_boxes(std::span{boxes}.subspan(first, last - first), {},
                       std::span{known_}.subspan(first, last - first)) &&
           (!inner_.free_begin ||
            align_end(FreeEnds::Side::begin, boxes.front(), ends_.most_loss(boxes.front().rows()), known_.front())) &&
           (!inner_.free_end ||
            align_end(FreeEnds::Side::end, boxes.back(), ends_.most_loss(boxes.back().rows()), known_.back()));
}

// Boxes between words that are not proven to be crossed are one.
std::optional<PairResult> Aligner::align_between_crossed()
{
    std::vector<std::int64_t> losses(known_.size());
    std::ranges::transform(known_, losses.begin(), &Part::loss);
    if (!row_.prove(losses, {inner_.free_begin, inner_.free_end, inner_.local}, monitor_))
        return std::nullopt;
    Looks looks{monitor_};
    std::vector<Part> all;
    std::vector<Box> united;
    std::vector<std::size_t> places;  // of these among all
    std::vector<std::int64_t> scores; // of these, at least
    for (std::size_t first = 0, last = 0; first < known_.size(); first = last + 1) {
        for (last = first; last + 1 < known_.size() && !row_.is_crossed(last); ++last) {
        }
        if (!looks.go_on())
            return std::nullopt;
        bool const is_begin = inner_.free_begin && first == 0, is_end = inner_.free_end && last + 1 == known_.size();
        if (is_begin && is_end)
            return std::nullopt; // nothing is proven
        all.push_back(known_[first]);
        if (first == last)
            continue;
        Box const box = row_.between(first, last);
        std::int64_t const loss = sum_of(losses, first, last + 1);
        if (is_begin || is_end) {
            if (!align_end(is_begin ? FreeEnds::Side::begin : FreeEnds::Side::end, box, loss, all.back()))
                return std::nullopt;
        } else {
            united.push_back(box);
            places.push_back(all.size() - 1);
            scores.push_back(losses_of_.of_score(box.rows(), loss));
        }
    }
    std::vector<Part> parts(united.size());
    if (!align_boxes(united, scores, parts))
        return std::nullopt;
    for (std::size_t k = 0; k < united.size(); ++k)
        all[places[k]] = parts[k];
    if (ends_.may_begin_earlier(all.front().answer.score))
        return std::nullopt;
    return put_together(all);
}

// Parts and words in turn.
std::optional<PairResult> Aligner::put_together(std::span<Part const> parts) const
{
    Looks looks{monitor_};
    std::int64_t loss = 0;
    CigarBuilder cigar; // from the end on
    for (std::size_t k = parts.size(); k-- > 0;) {
        if (!looks.go_on())
            return std::nullopt;
        loss += parts[k].loss;
        if (!has_path())
            continue;
        if (parts[k].answer.runs > 0)
            cigar.add(boxes_[static_cast<std::size_t>(parts[k].thread)]->runs(parts[k].answer));
        if (k > 0)
            cigar.add(op_of_equal(request_.style), row_.letters());
    }
    PairResult result;
    result.score = losses_of_.of_score(pair_.m, 0) - loss;
    cigar.finish(result.runs);
    result.span = ends_.span();
    return result;
}

} // namespace

std::optional<PairResult> ByLandmarks::align(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                             Request const & request, Team * team, std::uint64_t strip_bytes,
                                             Monitor & monitor)
try {
    auto const inner = inner_of(pair, scheme, request, limits_);
    if (!inner || !tries_.is_worth_a_try())
        return std::nullopt;
    PairView const turned = inner->turned(pair);
    auto const note = [&](std::optional<PairResult> const & answer, std::uint64_t counted) {
        if (answer)
            monitor.poll(pair.cells() - std::min(pair.cells(), counted));
    };
    if (inner->has_free_ends() && limits_.few_words && turned.n <= most_for_few_words &&
        along_changes_.is_worth_a_try()) {
        AlongChanges along{turned, *inner, scheme, kernels, request, strip_bytes, monitor};
        apart_.ask(monitor);
        auto answer = along.align(*limits_.few_words, apart_);
        along_changes_.note(answer.has_value());
        note(answer, along.counted());
        if (answer)
            return answer;
    }
    Aligner aligner{pair, *inner, scheme, kernels, request, limits_, long_words_, team, strip_bytes, monitor};
    auto answer = aligner.align();
    tries_.note(answer.has_value());
    note(answer, aligner.counted());
    return answer;
} catch (std::bad_alloc const &) { // other ways may take less
    return std::nullopt;
} catch (Error const & error) { // they may need more than they were given
    if (error.status != Status::memory_limit)
        throw;
    return std::nullopt;
}

std::uint64_t ByLandmarks::bytes(PairView const & pair, Scheme const & scheme, Request const & request, int threads,
                                 std::uint64_t strip_bytes)
{
    auto const inner = inner_of(pair, scheme, request, Limits{});
    if (!inner)
        return 0;
    constexpr std::uint64_t shortest = 8, of_a_box = 2 * sizeof(Box) + 8 * sizeof(SmallPairs::Answer) + 64,
                            of_a_letter = 12; // runs
    PairView const turned = inner->turned(pair);
    std::uint64_t const letters = turned.m, boxes = letters / shortest + 1;
    return LandmarkRow::bytes(letters, threads) +
           (inner->has_free_ends() && turned.n <= most_for_few_words
                ? FewWords::bytes(turned.n) + ApartSoFar::bytes(std::max(turned.m, turned.n))
                : 0) +
           boxes * of_a_box + of_a_letter * 2 * letters +
           (letters < Boxes::long_letters ? 0 : 2 * Boxes::bytes_per_letter * letters) +
           static_cast<std::uint64_t>(threads) *
               (SmallPairs::bytes(threads > 1 ? Limits{}.boxes_at_once : boxes) + strip_bytes);
}

} // namespace nwgpu::cpu
