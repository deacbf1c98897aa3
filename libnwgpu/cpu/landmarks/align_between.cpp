// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/landmarks/align_between.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <vector>

#include "cpu/batch/band_batch.hpp"
#include "cpu/batch/small_pairs.hpp"
#include "cpu/landmarks/landmark_row.hpp"
#include "cpu/pair/align_strips.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "path/band.hpp"
#include "path/end.hpp"

namespace nwgpu::cpu {

namespace {

// Best paths are looked for so far from the main diagonals at first; those of pairs that differ in an eighth of their
// letters, or hardly more, are not further away.
std::uint64_t usual_half_width(PairView const & pair) { return std::min(pair.m, pair.n) / 8 + 64; }

// Boxes that are too large for lanes are cut in the same way, or computed by strips, if all of the latter have so much
// fewer cells than a band of the pair.
constexpr std::uint64_t parts_of_band = 2, most_letters_of_box = 1 << 16;

// Of longer pairs to look for words takes so long that nobody could end it in time.
constexpr std::uint64_t most_letters = 1 << 22;

std::uint64_t cells_in_band(PairView const & pair)
{
    return std::min(pair.m, pair.n) * std::min(std::max(pair.m, pair.n), 2 * usual_half_width(pair));
}

bool is_for(PairView const & pair, Scheme const & scheme, Request const & request, std::uint64_t least)
{
    Mode const & mode = request.mode;
    return std::min(pair.m, pair.n) >= least && std::max(pair.m, pair.n) <= most_letters && mode.global() &&
           mode.has_usual_rules() && !mode.is_extension() && request.top == 1 && !request.every_cell &&
           request.checkpoint.folder.empty() && BandBatch::takes(scheme) && scheme.scoring().match() >= 0;
}

class Aligner {
public:
    Aligner(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, Request const & request,
            BetweenSoFar::Limits const & limits, Monitor & monitor) :
        pair_{pair},
        scheme_{scheme},
        kernels_{kernels},
        request_{request},
        limits_{limits},
        monitor_{monitor},
        row_{pair_, scheme.scoring()},
        small_{scheme, kernels}
    {}

    std::optional<PairResult> align()
    {
        path::BandProof const proof{pair_, scheme_.scoring()};
        std::uint64_t half_width = usual_half_width(pair_);
        for (int turn = 0; turn < 2; ++turn) {
            if (!row_.find(path::band_around(pair_, half_width)))
                return std::nullopt;
            small_.clear();
            std::vector<Box> boxes(row_.boxes());
            for (std::size_t k = 0; k < boxes.size(); ++k)
                boxes[k] = row_.box(k);
            answers_.resize(boxes.size());
            if (!align_boxes(boxes, answers_))
                return std::nullopt;
            auto const needed = proof.half_width(score_of(answers_));
            if (!needed)
                return std::nullopt;
            if (*needed <= half_width)
                return align_between_crossed();
            half_width = *needed;
        }
        return std::nullopt;
    }

private:
    using Answer = SmallPairs::Answer;

    bool has_path() const { return request_.output == Output::cigar; }
    bool align_boxes(std::span<Box const> boxes, std::span<Answer> answers);
    bool align_large(Box const & box, Answer & answer);
    Answer gap(Box const & box);
    std::optional<PairResult> align_between_crossed();
    PairResult put_together(std::span<Answer const> answers) const;
    // Of words and boxes in turn, boxes first and last.
    std::int64_t score_of(std::span<Answer const> answers) const
    {
        std::int64_t score = scheme_.scoring().match() * static_cast<std::int64_t>(row_.letters()) *
                             static_cast<std::int64_t>(answers.size() - 1);
        for (Answer const & answer : answers)
            score += answer.score;
        return score;
    }
    PairView part(Box const & box) const { return {pair_.query + box.i, box.rows(), pair_.target + box.j, box.cols()}; }

    PairView const pair_;
    Scheme const & scheme_;
    KernelTable const & kernels_;
    Request const & request_;
    BetweenSoFar::Limits const & limits_;
    Monitor & monitor_;
    LandmarkRow row_;
    SmallPairs small_;
    std::vector<Answer> answers_; // of all boxes
    std::vector<PairView> parts_; // those for the lanes, and which boxes they are
    std::vector<std::size_t> boxes_of_parts_;
    std::vector<Answer> answers_of_parts_;
    std::uint64_t cells_left_ = cells_in_band(pair_) / parts_of_band; // of large boxes
};

// False: too much of it is large, or the caller has stopped.
bool Aligner::align_boxes(std::span<Box const> boxes, std::span<Answer> answers)
{
    monitor_.poll(0);
    parts_.clear();
    boxes_of_parts_.clear();
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        Box const & box = boxes[k];
        if (box.rows() == 0 || box.cols() == 0) {
            answers[k] = gap(box);
        } else if (std::max(box.rows(), box.cols()) <= limits_.in_lanes) {
            parts_.push_back(part(box));
            boxes_of_parts_.push_back(k);
        } else if (!align_large(box, answers[k])) {
            return false;
        }
    }
    answers_of_parts_.resize(parts_.size());
    small_.align(parts_, has_path() ? &request_.style : nullptr, answers_of_parts_);
    for (std::size_t k = 0; k < parts_.size(); ++k)
        answers[boxes_of_parts_[k]] = answers_of_parts_[k];
    return !monitor_.stopped();
}

Aligner::Answer Aligner::gap(Box const & box)
{
    std::uint64_t const length = std::max(box.rows(), box.cols());
    CigarBuilder cigar;
    Runs runs;
    if (has_path() && length > 0) {
        cigar.add(box.rows() > 0 ? CigarOp::insertion : CigarOp::deletion, length);
        cigar.finish(runs);
    }
    return small_.keep(path::gap_score(scheme_.scoring().gap(), length), runs);
}

bool Aligner::align_large(Box const & box, Answer & answer)
{
    PairView const pair = part(box);
    if (monitor_.stopped())
        return false;
    Request const request{.mode = {}, .output = has_path() ? Output::cigar : Output::score, .style = request_.style};
    if (std::min(pair.m, pair.n) >= limits_.letters_of_box && pair.cells() < pair_.cells() / 4)
        if (auto const result = Aligner{pair, scheme_, kernels_, request, limits_, monitor_}.align()) {
            answer = small_.keep(result->score, result->runs);
            return true;
        }
    std::uint64_t const cells = cells_in_band(pair);
    if (cells > cells_left_ || std::max(pair.m, pair.n) > most_letters_of_box)
        return false;
    cells_left_ -= cells;
    PairPlan const plan = plan_pair(pair.m, pair.n, scheme_, kernels_, request, 1, little_bytes, Tuning{});
    PairResult const result = align_strips(pair, scheme_, kernels_, request, plan, monitor_);
    answer = small_.keep(result.score, result.runs);
    return true;
}

// Boxes between words that are not proven to be crossed are one.
std::optional<PairResult> Aligner::align_between_crossed()
{
    std::vector<std::int64_t> scores(answers_.size());
    std::ranges::transform(answers_, scores.begin(), &Answer::score);
    row_.prove(scores);
    std::vector<Answer> all;
    std::vector<Box> united;
    std::vector<std::size_t> places; // of these among all
    for (std::size_t first = 0, last = 0; first < answers_.size(); first = last + 1) {
        for (last = first; last + 1 < answers_.size() && !row_.is_crossed(last); ++last) {
        }
        if (first == last) {
            all.push_back(answers_[first]);
        } else {
            united.push_back(row_.between(first, last));
            places.push_back(all.size());
            all.emplace_back();
        }
    }
    std::vector<Answer> answers(united.size());
    if (!align_boxes(united, answers))
        return std::nullopt;
    for (std::size_t k = 0; k < united.size(); ++k)
        all[places[k]] = answers[k];
    return put_together(all);
}

PairResult Aligner::put_together(std::span<Answer const> answers) const
{
    PairResult result;
    result.score = score_of(answers);
    bool const has_begin = request_.output >= Output::span;
    result.span = {has_begin ? 0 : no_position, pair_.m, has_begin ? 0 : no_position, pair_.n};
    if (!has_path())
        return result;
    CigarBuilder cigar; // from the end on
    for (std::size_t k = answers.size(); k-- > 0;) {
        cigar.add(small_.runs(answers[k]));
        if (k > 0)
            cigar.add(request_.style == CigarStyle::m ? CigarOp::match : CigarOp::equal, row_.letters());
    }
    cigar.finish(result.runs);
    return result;
}

} // namespace

std::optional<PairResult> BetweenSoFar::align(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                              Request const & request, Monitor & monitor)
try {
    if (!is_for(pair, scheme, request, limits_.letters) || !tries_.is_worth_a_try())
        return std::nullopt;
    auto answer = Aligner{pair, scheme, kernels, request, limits_, monitor}.align();
    tries_.note(answer.has_value());
    if (answer)
        monitor.poll(pair.cells());
    return answer;
} catch (std::bad_alloc const &) { // other ways may take less
    return std::nullopt;
}

std::uint64_t BetweenSoFar::bytes(PairView const & pair, Scheme const & scheme, Request const & request)
{
    if (!is_for(pair, scheme, request, Limits{}.letters))
        return 0;
    constexpr std::uint64_t shortest = 8, of_a_box = 2 * sizeof(Box) + 5 * sizeof(SmallPairs::Answer) + 64,
                            of_a_letter = 12; // runs
    std::uint64_t const boxes = pair.m / shortest + 1;
    return LandmarkRow::bytes(pair.m) + SmallPairs::bytes(boxes) + boxes * of_a_box + of_a_letter * (pair.m + pair.n) +
           little_bytes;
}

} // namespace nwgpu::cpu
