// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/landmarks/align_along_changes.hpp"

#include <algorithm>

#include "cpu/furthest/penalties.hpp"
#include "model/cigar.hpp"
#include "model/cigar_style.hpp"

namespace nwgpu::cpu {

namespace {

// So many words lie end to end at each free end: letters beyond the first one that is proven are an alignment of their
// own, so it should be near the end.
constexpr std::uint64_t words_at_end = 16;
// Between them there are so many that a path without any of them loses so many times what the known path loses.
constexpr std::int64_t cost_of_words = 2;

CigarOp in_style(CigarOp op, CigarStyle style)
{
    return op == CigarOp::equal ? op_of_equal(style) : op == CigarOp::different ? op_of_different(style) : op;
}

} // namespace

AlongChanges::AlongChanges(PairView const & turned, InnerSequence const & inner, Scheme const & scheme,
                           KernelTable const & kernels, Request const & request, std::uint64_t strip_bytes,
                           Monitor & monitor) :
    pair_{turned},
    inner_{inner},
    scheme_{scheme},
    losses_{Losses::of(scheme.scoring())},
    kernels_{kernels},
    request_{request},
    monitor_{monitor},
    budget_{turned},
    boxes_{turned, inner_, scheme, kernels, request, 0, 1, strip_bytes, budget_, monitor}, // only ends of the pair
    ends_{turned, inner_, losses_, request, kernels},
    row_{turned, scheme.scoring(), nullptr}
{}

std::optional<PairResult> AlongChanges::align(FewWords::Length letters_of_word, ApartSoFar & apart)
{
    auto const letters = static_cast<std::uint64_t>(letters_of_word);
    FewWords few{pair_, letters_of_word};
    if (!row_.take(few.find(word_begins(letters, 0)), monitor_))
        return std::nullopt;
    middle_ = middle();
    if (!find_path(apart))
        return std::nullopt;
    std::int64_t const loss = losses_.of_score(middle_.rows(), path_.score);
    auto const between = static_cast<std::uint64_t>(cost_of_words * loss / losses_.of_word());
    if (between > 0 && !row_.take(few.find(word_begins(letters, between)), monitor_))
        return std::nullopt;
    std::vector<std::int64_t> losses = row_.follow(path_.runs, middle_.i, inner_.inner_gap());
    Box const kept = middle();
    if (row_.boxes() == 1 || kept.i != middle_.i || kept.i_end != middle_.i_end)
        return std::nullopt;
    return align_crossed(losses);
}

// What lies before the first word and behind the last one, if these ends are free, is found later.
Box AlongChanges::middle() const
{
    Box const first = row_.box(0), last = row_.box(row_.boxes() - 1);
    Box middle{0, 0, pair_.m, pair_.n};
    if (inner_.free_begin) {
        middle.i = first.i_end;
        middle.j = first.j_end;
    }
    if (inner_.free_end) {
        middle.i_end = last.i;
        middle.j_end = last.j;
    }
    return middle;
}

// Where words begin: those at free ends, and so many between them, or as many as there is room for.
std::vector<std::uint64_t> AlongChanges::word_begins(std::uint64_t letters, std::uint64_t between) const
{
    std::uint64_t const at_end = std::min(words_at_end, pair_.m / (4 * letters)),
                        before = inner_.free_begin ? at_end : 0, behind = inner_.free_end ? at_end : 0,
                        room = pair_.m - (before + behind) * letters, count = std::min(between, room / letters);
    std::vector<std::uint64_t> begins;
    begins.reserve(before + count + behind);
    for (std::uint64_t word = 0; word < before; ++word)
        begins.push_back(word * letters);
    for (std::uint64_t word = 0; word < count; ++word)
        begins.push_back(before * letters + room * word / count);
    for (std::uint64_t word = behind; word > 0; --word)
        begins.push_back(pair_.m - word * letters);
    return begins;
}

bool AlongChanges::find_path(ApartSoFar & apart)
{
    if (middle_.is_gap())
        return false;
    PairView const its{pair_.query + middle_.i, middle_.rows(), pair_.target + middle_.j, middle_.cols()};
    Request const request{.mode = {}, .output = Output::cigar, .style = CigarStyle::eqx};
    return align_few_changes(inner_.turned(its), Penalties::of(scheme_.scoring()), kernels_, request, apart, path_);
}

std::optional<PairResult> AlongChanges::align_crossed(std::span<std::int64_t> losses)
{
    using Side = FreeEnds::Side;
    FreeEnds::Part begin, end;
    auto const align_end = [&](Side side, std::size_t first, std::size_t last, std::int64_t loss) {
        auto const part = ends_.align(side, row_.between(first, last), loss, boxes_);
        if (part)
            (side == Side::begin ? begin : end) = *part;
        return part.has_value();
    };
    std::size_t const count = row_.boxes() - 1; // of words
    if (inner_.free_begin && !align_end(Side::begin, 0, 0, ends_.most_loss(row_.box(0).rows())))
        return std::nullopt;
    if (inner_.free_end && !align_end(Side::end, count, count, ends_.most_loss(row_.box(count).rows())))
        return std::nullopt;
    losses.front() += begin.loss;
    losses.back() += end.loss;
    if (!row_.prove(losses, {inner_.free_begin, inner_.free_end, inner_.local}, monitor_))
        return std::nullopt;
    std::size_t first = 0, last = count; // words: the first one that is crossed, and the one behind the last
    while (first < count && !row_.is_crossed(first))
        ++first;
    while (last > first && !row_.is_crossed(last - 1))
        --last;
    if (first == last)
        return std::nullopt;
    Letters known{0, pair_.m};
    std::int64_t loss = sum_of(losses, inner_.free_begin ? first + 1 : 0, inner_.free_end ? last : count + 1);
    if (inner_.free_begin) {
        known.begin = row_.box(first).i_end;
        if (first > 0 && !align_end(Side::begin, 0, first, sum_of(losses, 0, first + 1)))
            return std::nullopt;
        loss += begin.loss;
    }
    if (inner_.free_end) {
        known.end = row_.box(last).i;
        if (last < count && !align_end(Side::end, last, count, sum_of(losses, last, count + 1)))
            return std::nullopt;
        loss += end.loss;
    }
    if (ends_.may_begin_earlier(begin.answer.score))
        return std::nullopt;
    PairResult result;
    result.score = losses_.match * static_cast<std::int64_t>(pair_.m) - loss;
    result.span = ends_.span();
    if (request_.output == Output::cigar) {
        CigarBuilder cigar; // from the end on
        cigar.add(boxes_.runs(end.answer));
        cigar.add(cut(known));
        cigar.add(boxes_.runs(begin.answer));
        cigar.finish(result.runs);
    }
    return result;
}

// Of the path, between ends of words that it crosses, or of the inner sequence.
Runs AlongChanges::cut(Letters const & letters) const
{
    Runs runs;
    runs.reserve(path_.runs.size());
    std::uint64_t i = middle_.i;
    for (std::uint32_t const run : path_.runs) {
        CigarOp const op = run_op(run);
        if (op == inner_.outer_gap()) {
            if ((letters.begin < i || !inner_.free_begin) && (i < letters.end || !inner_.free_end))
                runs.push_back(run);
            continue;
        }
        std::uint64_t const first = std::max(i, letters.begin), last = std::min(i + run_length(run), letters.end);
        if (first < last)
            runs.push_back(cigar_run(in_style(op, request_.style), static_cast<std::uint32_t>(last - first)));
        i += run_length(run);
    }
    return runs;
}

} // namespace nwgpu::cpu
