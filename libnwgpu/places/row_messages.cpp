// SPDX-License-Identifier: BSD-3-Clause
#include "places/row_messages.hpp"

#include <algorithm>
#include <utility>

#include "places/task.hpp"

namespace nwgpu::places {

namespace {

std::vector<std::uint8_t> get_letters(ByteReader & from, std::uint64_t count)
{
    std::span<std::byte const> const letters = from.take(count, 1);
    std::vector<std::uint8_t> padded(count + 2 * CodedSequences::padding);
    std::memcpy(padded.data() + CodedSequences::padding, letters.data(), count);
    return padded;
}

} // namespace

RowTask RowJob::task(std::uint64_t max_host_bytes) const
{
    constexpr std::uint64_t padding = CodedSequences::padding;
    return {{query.data() + padding, query.size() - 2 * padding, target.data() + padding, target.size() - 2 * padding},
            row,
            all_rows,
            panel_cols,
            scoring,
            request,
            max_host_bytes,
            max_slab_bytes,
            known_score,
            parts};
}

void put_row_job(ByteWriter & to, RowTask const & task, std::span<RowNeighbours const> neighbours)
{
    put_question(to, task.scoring, task.request);
    for (std::uint64_t const number : {task.row, task.all_rows, task.panel_cols, task.max_slab_bytes})
        to.put(number);
    to.put(task.known_score);
    to.put(std::uint64_t{task.part_count()});
    for (std::size_t k = 0; k < task.part_count(); ++k) {
        to.put(task.part(k));
        to.put(neighbours[k]);
    }
    PairView const & pair = task.pair;
    to.put(pair.m);
    to.put(pair.n);
    to.reserve(to.bytes().size() + pair.m + pair.n);
    to.put_all(std::span{pair.query, pair.m});
    to.put_all(std::span{pair.target, pair.n});
}

RowJob get_row_job(ByteReader & from)
{
    auto [scoring, request] = get_question(from);
    RowJob job{std::move(scoring), std::move(request), 0, 0, 0, 0, 0, {}, {}, {}, {}};
    for (std::uint64_t * const number : {&job.row, &job.all_rows, &job.panel_cols, &job.max_slab_bytes})
        *number = from.get<std::uint64_t>();
    job.known_score = from.get<std::int64_t>();
    for (auto left = from.get<std::uint64_t>(); left > 0; --left) {
        job.parts.push_back(from.get<RowRange>());
        job.neighbours.push_back(from.get<RowNeighbours>());
    }
    auto const m = from.get<std::uint64_t>(), n = from.get<std::uint64_t>();
    std::uint64_t rows = 0; // of the parts so far, with what lies between
    for (RowRange const & part : job.parts) {
        if (part.row < rows || part.rows == 0 || part.row > m || part.rows > m - part.row)
            throw_damage();
        rows = part.row + part.rows;
    }
    if (rows != m || m == 0 || n == 0 || job.panel_cols == 0 || job.row > job.all_rows || m > job.all_rows - job.row)
        throw_damage();
    job.query = get_letters(from, m);
    job.target = get_letters(from, n);
    return job;
}

LineCode::LineCode(RowTask const & task) :
    code_{path::KeptCode<std::int64_t>::of(task.scoring.gap().open, task.scoring.gap().extend)},
    code32_{static_cast<std::int32_t>(code_.open), static_cast<std::int32_t>(code_.extend), code_.bits},
    in_32_bits_{path::keeps_in_32_bits(task.scoring, task.all_rows, task.pair.n)}
{}

void LineCode::put(ByteWriter & to, std::uint64_t row, std::uint64_t begin, std::span<RowEntry const> entries) const
{
    to.put(row);
    to.put(begin);
    to.put(std::uint64_t{entries.size()});
    if (!in_32_bits_)
        return to.put_all(entries);
    std::vector<path::Kept<std::int32_t>> kept(entries.size());
    std::transform(entries.begin(), entries.end(), kept.begin(), [&](RowEntry const & entry) {
        return code32_.keep({static_cast<std::int32_t>(entry.h), static_cast<std::int32_t>(entry.gap)});
    });
    to.put_all(std::span<path::Kept<std::int32_t> const>{kept});
}

void LineCode::get(ByteReader from, std::uint64_t begin, std::span<RowEntry> entries) const
{
    from.get<std::uint64_t>(); // the row
    if (from.get<std::uint64_t>() != begin || from.get<std::uint64_t>() != entries.size())
        throw_damage();
    if (!in_32_bits_)
        return from.copy_to(entries);
    auto const kept = from.get_all<path::Kept<std::int32_t>>(entries.size());
    std::transform(kept.begin(), kept.end(), entries.begin(), [&](path::Kept<std::int32_t> one) {
        auto const entry = code32_.show(one);
        return RowEntry{entry.h, entry.gap};
    });
}

void put_swept(ByteWriter & to, std::span<SweptRows const> parts)
{
    put_success(to);
    to.put(RowAnswer::swept);
    to.put_all(parts);
}

void put_walked(ByteWriter & to, WalkedRows const & walked)
{
    put_success(to);
    to.put(RowAnswer::walked);
    to.put(walked.end);
    to.put(walked.begin);
    to.put(std::uint64_t{walked.runs.size()});
    to.put_all(std::span<std::uint32_t const>{walked.runs.data(), walked.runs.size()});
}

void put_slabs(ByteWriter & to, PartSlabs const & answer)
{
    std::vector<checkpoint::Slab> const & slabs = answer.slabs;
    put_success(to);
    to.put(RowAnswer::slabs);
    to.put(answer.part);
    to.put(std::uint64_t{slabs.size()});
    std::uint64_t bytes = to.bytes().size();
    for (checkpoint::Slab const & slab : slabs)
        bytes +=
            sizeof slab.shape + sizeof slab.sizes() + slab.bottom.size() + slab.row_cuts.size() + slab.col_cuts.size();
    to.reserve(bytes);
    for (checkpoint::Slab const & slab : slabs) {
        to.put(slab.shape);
        to.put(slab.sizes());
        for (checkpoint::Bytes const * const part : {&slab.bottom, &slab.row_cuts, &slab.col_cuts})
            to.put_all(std::span{*part});
    }
}

void put_ended(ByteWriter & to)
{
    put_success(to);
    to.put(RowAnswer::ended);
}

RowAnswer get_row_answer(ByteReader & from)
{
    take_failure(from);
    return from.get<RowAnswer>();
}

std::vector<SweptRows> get_swept(ByteReader & from, std::size_t parts)
{
    auto const swept = from.get_all<SweptRows>(parts);
    return {swept.begin(), swept.end()};
}

WalkedRows get_walked(ByteReader & from)
{
    WalkedRows walked;
    walked.end = from.get<path::Cursor>();
    walked.begin = from.get<path::Cursor>();
    auto const runs = from.get_all<std::uint32_t>(from.get<std::uint64_t>());
    walked.runs.assign(runs.begin(), runs.end());
    return walked;
}

PartSlabs get_slabs(ByteReader & from)
{
    PartSlabs answer{from.get<std::uint64_t>(), {}};
    for (auto left = from.get<std::uint64_t>(); left > 0; --left) {
        checkpoint::Slab & slab = answer.slabs.emplace_back();
        slab.shape = from.get<checkpoint::SlabShape>();
        auto const sizes = from.get<checkpoint::SlabSizes>();
        for (auto const & [part, size] : {std::pair{&slab.bottom, sizes.bottom},
                                          {&slab.row_cuts, sizes.row_cuts},
                                          {&slab.col_cuts, sizes.col_cuts}}) {
            std::span<std::byte const> const bytes = from.take(size, 1);
            part->resize(size);
            std::copy(bytes.begin(), bytes.end(), part->begin());
        }
    }
    return answer;
}

} // namespace nwgpu::places
