// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/landmarks/boxes.hpp"

#include <algorithm>

#include "cpu/furthest/furthest_plan.hpp"
#include "cpu/pair/align_strips.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "path/band.hpp"
#include "path/end.hpp"

namespace nwgpu::cpu {

namespace {

// All of them may have this part of the cells that a band of the pair has.
constexpr std::uint64_t parts_of_band = 2;
// Between two looks at the monitor.
constexpr std::size_t boxes_per_look = 1 << 14;

// How many cells a band has, about, that holds what is usual.
std::uint64_t cells_in_band(PairView const & pair)
{
    return std::min(pair.m, pair.n) * std::min(std::max(pair.m, pair.n), 2 * Boxes::usual_half_width(pair));
}

} // namespace

BoxBudget::BoxBudget(PairView const & pair) : left_{cells_in_band(pair) / parts_of_band} {}

void BoxBudget::limit(std::uint64_t cells)
{
    left_ = std::min(left_.load(std::memory_order_relaxed), cells / parts_of_band);
}

bool BoxBudget::take(std::uint64_t cells)
{
    std::uint64_t left = left_.load(std::memory_order_relaxed);
    while (cells <= left)
        if (left_.compare_exchange_weak(left, left - cells, std::memory_order_relaxed))
            return true;
    return false;
}

Boxes::Boxes(PairView const & turned, InnerSequence const & inner, Scheme const & scheme, KernelTable const & kernels,
             Request const & request, std::uint64_t in_lanes, int threads, std::uint64_t strip_bytes,
             BoxBudget & budget, Monitor & monitor) :
    pair_{turned},
    inner_{inner},
    scheme_{scheme},
    kernels_{kernels},
    request_{request},
    in_lanes_{in_lanes},
    threads_{threads},
    strip_bytes_{strip_bytes},
    budget_{budget},
    monitor_{monitor},
    penalties_{Penalties::of(scheme.scoring())},
    small_{scheme, kernels},
    apart_{{.letters = INT64_MAX}}
{}

bool Boxes::align(std::span<std::uint32_t const> which, std::span<Box const> boxes, std::span<std::int64_t const> known,
                  AlignLarge const & align_large, std::span<Answer> answers)
{
    parts_.clear();
    boxes_of_parts_.clear();
    known_of_parts_.clear();
    Request const request{.mode = {}, .output = has_path() ? Output::cigar : Output::score, .style = request_.style};
    std::size_t looks = 0;
    for (std::uint32_t const k : which) {
        if (looks++ % boxes_per_look == 0)
            monitor_.poll(0);
        Box const & box = boxes[k];
        if (box.is_gap()) {
            answers[k] = gap(box);
        } else if (box.is_within(in_lanes_)) {
            PairView const pair = part(box);
            if (is_simple(pair, request, answers[k]))
                continue;
            parts_.push_back(pair);
            boxes_of_parts_.push_back(k);
            if (!known.empty())
                known_of_parts_.push_back(known[k]);
        } else {
            auto result = align_large(part(box), request);
            if (!result)
                result = align(box, Mode{}, known.empty() ? std::nullopt : std::optional{known[k]});
            if (!result)
                return false;
            answers[k] = keep(result->score, result->runs);
        }
    }
    answers_of_parts_.resize(parts_.size());
    small_.align(parts_, known_of_parts_, has_path() ? &request_.style : nullptr, answers_of_parts_, monitor_);
    for (std::size_t k = 0; k < parts_.size(); ++k)
        answers[boxes_of_parts_[k]] = answers_of_parts_[k];
    return !monitor_.stopped();
}

std::optional<PairResult> Boxes::align(Box const & box, Mode const & mode, std::optional<std::int64_t> known)
{
    PairView const pair = part(box);
    std::uint64_t cells = mode.global() ? cells_in_band(pair) : pair.cells();
    if (known)
        cells = std::min(cells, pair.m * path::proven_band(pair, mode, scheme_.scoring(), *known).width());
    bool const is_long = std::max(pair.m, pair.n) >= long_letters;
    if ((is_long && !known) || monitor_.stopped() || !budget_.take(cells))
        return std::nullopt;
    budget_.count(pair.cells());
    Request const request{.mode = mode,
                          .output = has_path()      ? Output::cigar
                                    : mode.global() ? Output::score
                                                    : request_.output,
                          .style = request_.style};
    std::uint64_t const bytes = strip_bytes_ + (is_long ? bytes_per_letter * std::max(pair.m, pair.n) : 0);
    PairPlan const plan =
        plan_pair(pair.m, pair.n, scheme_, kernels_, request, is_long ? threads_ : 1, bytes, Tuning{});
    return align_strips(pair, scheme_, kernels_, request, plan, monitor_);
}

// A few mismatches, or one gap.
bool Boxes::is_simple(PairView const & pair, Request const & request, Answer & answer)
{
    if (!align_few_changes(pair, penalties_, kernels_, request, apart_, simple_))
        return false;
    answer = keep(simple_.score, simple_.runs);
    return true;
}

Boxes::Answer Boxes::gap(Box const & box)
{
    std::uint64_t const length = std::max(box.rows(), box.cols());
    return keep(path::gap_score(scheme_.scoring().gap(), length),
                box.rows() > 0 ? inner_.inner_gap() : inner_.outer_gap(), length);
}

Boxes::Answer Boxes::keep(std::int64_t score, CigarOp op, std::uint64_t length)
{
    std::uint32_t const run = cigar_run(op, static_cast<std::uint32_t>(length));
    return keep(score, {&run, has_path() && length > 0 ? 1u : 0u});
}

} // namespace nwgpu::cpu
