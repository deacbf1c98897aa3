// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "base/ceil_div.hpp"
#include "cuda/batch/slot.hpp"

namespace nwgpu::cuda::batch {

namespace {

// Of a warp, some 200 microseconds; where a block makes a profile first, more.
constexpr int steps_at_a_time = 256, steps_beside_profile = 1024;
// Of shared memory, that the kernels of chains declare themselves, at most.
constexpr std::uint32_t declared_by_chains = 1024;

// Of a block: as many as give a multiprocessor the most; 0: it has no room for one.  Large profiles leave room for few
// warps, more of them in small blocks, or if the block shares one, which it makes in less time with many.
template <class Bytes> // shared ones of a block of so many warps
std::uint32_t warps_of_block(Device const & device, std::uint32_t most, bool share, Bytes const & bytes)
{
    constexpr std::uint64_t own_bytes = 1024; // of the device, for each block
    std::uint32_t best = 0, there = 0;
    for (std::uint32_t const warps : {share ? 12u : 4u, share ? 4u : 6u, 2u, 1u}) {
        if (bytes(warps) > device.shared_bytes_per_block())
            continue;
        auto const blocks = std::min<std::uint64_t>(most / warps, device.shared_bytes() / (bytes(warps) + own_bytes));
        if (auto const all = static_cast<std::uint32_t>(blocks) * warps; all > there) {
            best = warps;
            there = all;
        }
    }
    return best;
}

std::uint64_t table_bytes(GroupArgs const & args) { return ceil_div(4 * args.table_words(), std::uint32_t{16}) * 16; }

} // namespace

void Slot::prepare(int which, void const * kernel, std::uint64_t most_shared)
{
    if (prepared_[which] == kernel)
        return;
    // As much as there may be, whatever it is here: the number belongs to the kernel, and other slots have others.
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most_shared)),
          "preparing a kernel");
    prepared_[which] = kernel;
}

// False: the profile of a warp does not fit.
bool Slot::start_sweeps()
{
    BatchScheme const & scheme = work_->scheme;
    GroupArgs args;
    args.letters = in_;
    args.pairs = reinterpret_cast<ChunkPair const *>(in_);
    args.order = order_;
    args.classes = classes_;
    args.scores = tables_->words.data();
    args.counters = &notes_->counters;
    args.answers = answers_;
    args.stored = stored_;
    args.stored_size = stored_size_;
    args.stored_at = stored_at_;
    args.letter_count = letter_count_;
    args.open = scheme.open;
    args.extend = scheme.extend;
    args.zero = scheme.zero;
    args.free_query_begin = scheme.free_query_begin;
    args.free_target_begin = scheme.free_target_begin;
    args.one_query = chunk_.sums.first_query == chunk_.sums.last_query && !chunk_.sums.has_rings();
    args.steps_of_warp = args.one_query || chunk_.sums.has_couples() ? steps_beside_profile : steps_at_a_time;
    args.best = scheme.best;
    args.worst = scheme.worst;
    args.common_letters = common_letters_;
    if (has_target_couples()) {
        start_targets(args);
        return true;
    }
    if (chunk_.sums.has_couples())
        return start_couples(args);
    std::array<bool, kernel_count> used{};
    for (int which = 0; which < class_count; ++which)
        if (chunk_.sums.classes >> which & 1)
            used[static_cast<std::size_t>(kernel_index(GroupShape::of(which)))] = true;
    int started = 0;
    for (int which = kernel_count - 1; which >= 0; --which) {
        if (!used[static_cast<std::size_t>(which)])
            continue;
        bool const is_chain = which >= first_chain_kernel;
        args.chain = first_chain + which - first_chain_kernel;
        GroupShape const chain = is_chain ? GroupShape::of(args.chain) : GroupShape{};
        GroupKernel const kernel = is_chain && chain.ring  ? ring_chain_kernel(work_->bits())
                                   : is_chain              ? group_chain_kernel(work_->bits())
                                   : which >= height_count ? ring_kernel(which == height_count ? 0 : 2, work_->bits())
                                   : work_->ends           ? group_kernel_local_ends(which)
                                                           : group_kernel(scheme.local, which, work_->bits());
        std::uint64_t const table = table_bytes(args), profile = kernel.profile_bytes * (letter_count_ + 1);
        bool const share = args.one_query && !is_chain;
        auto const bytes = [&](std::uint64_t warps) {
            return table + (share ? 1 : warps) * profile + warps * kernel.column_bytes;
        };
        std::uint32_t const warps =
            is_chain ? static_cast<std::uint32_t>(chain.warps) : warps_of_block(device_, kernel.warps, share, bytes);
        std::uint64_t const shared = bytes(warps),
                            most_shared = device_.shared_bytes_per_block() - (is_chain ? declared_by_chains : 0);
        if (warps == 0 || shared > most_shared)
            return false;
        prepare(which, kernel.function, most_shared);
        // A block that finds no ticket would make a profile for nothing.
        auto const steps = static_cast<std::uint64_t>(args.steps_of_warp);
        std::uint64_t const of_warp = ceil_div(steps, std::uint64_t{chunk_.sums.most_steps}); // tickets, at least
        auto const grid =
            static_cast<unsigned>(is_chain ? chunk_.sums.lanes[static_cast<std::size_t>(which)] / (32 * warps)
                                           : ceil_div(chunk_.sums.tickets(which), warps * of_warp));
        void * arguments[] = {&args};
        cudaStream_t const stream = started++ % 2 == 0 ? sweep_stream_ : side_stream_.get();
        check(cudaLaunchKernel(kernel.function, dim3(grid), dim3(32 * warps), arguments, shared, stream),
              "starting a kernel");
    }
    return true;
}

void Slot::start_couple_strip(GroupKernel const & kernel, GroupArgs args, std::uint64_t blocks, std::uint32_t warps,
                              std::uint64_t shared)
{
    if (args.strip.first_row > 0)
        check(cudaMemsetAsync(&notes_->counters.tickets[couple_kernel], 0, sizeof(std::uint32_t), sweep_stream_),
              "clearing memory");
    void * arguments[] = {&args};
    check(cudaLaunchKernel(kernel.function, dim3(static_cast<unsigned>(blocks)), dim3(32 * warps), arguments, shared,
                           sweep_stream_),
          "starting a kernel");
}

// Strip after strip.  False: a profile does not fit.
bool Slot::start_couples(GroupArgs args)
{
    GroupKernel const kernel = couple_sweep();
    std::uint64_t const shared = table_bytes(args) + kernel.profile_bytes * (letter_count_ + 1);
    std::uint32_t const warps = warps_of_block(device_, kernel.warps, false, [&](std::uint64_t) { return shared; });
    if (warps == 0)
        return false;
    prepare(couple_kernel, kernel.function, device_.shared_bytes_per_block());
    std::uint64_t const couples = count_ / 2, of_warp = ceil_div(static_cast<std::uint64_t>(args.steps_of_warp),
                                                                 std::uint64_t{chunk_.sums.most_steps}); // tickets
    auto const * const pairs = static_cast<ChunkPair const *>(pairs_.grow(0));
    int const m = std::max<int>(pairs[0].m, pairs[1].m);
    for (args.strip = CoupleStrip::at(0, m);; args.strip = args.strip.behind(m)) {
        std::uint64_t const tickets = ceil_div(couples, static_cast<std::uint64_t>(args.strip.groups()));
        start_couple_strip(kernel, args, ceil_div(tickets, warps * of_warp), warps, shared);
        if (args.strip.is_last)
            return true;
    }
}

// A block makes its large profile for all its tickets, and each multiprocessor has one block, if there are as many.
void Slot::start_targets(GroupArgs args)
{
    TargetStrips const strips = TargetStrips::of(chunk_.sums.front.m);
    bool const others = common_letters_ < letter_count_;
    GroupKernel const kernel = target_sweep(strips.rows, others);
    prepare(couple_kernel, kernel.function, device_.shared_bytes_per_block());
    std::uint64_t const tickets = ceil_div(std::uint64_t{count_}, std::uint64_t{2 * 32 / TargetStrips::lanes}),
                        blocks = std::min(tickets, static_cast<std::uint64_t>(device_.multiprocessors())),
                        shared = table_bytes(args) + strips.words_bytes(common_letters_) +
                                 (others ? (letter_count_ + 1) * TargetStrips::letter_bytes : 0);
    for (int k = 0; k < strips.count; ++k) {
        args.strip = strips[k];
        start_couple_strip(kernel, args, blocks, kernel.warps, shared);
    }
}

} // namespace nwgpu::cuda::batch
