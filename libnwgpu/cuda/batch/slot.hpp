// SPDX-License-Identifier: BSD-3-Clause
// One chunk at a time on its way through a stream of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cuda/batch/chunk.hpp"
#include "cuda/batch/chunk_kernels.hpp"
#include "cuda/batch/cutter.hpp"
#include "cuda/batch/kept_letters.hpp"
#include "cuda/batch/letters_up.hpp"
#include "cuda/batch/stream.hpp"
#include "cuda/device/device.hpp"

namespace nwgpu::cuda::batch {

// A pair whose best path may be outside of the band that was computed.
struct Unproven {
    std::uint64_t pair = 0;       // in the batch
    std::uint32_t half_width = 0; // that a band needs
};

class Slot {
public:
    // Of a stream that others share.
    Slot(Device & device, cudaStream_t sweep_stream, ToTwoBits to_two_bits);

    // Device memory for chunks within these limits, until release().
    void reserve(Limits const & limits, BatchWork const & work);
    void release();
    void trim();

    // The stages, in this order.  Each begins what the device is to do and returns; all but the first two wait for what
    // the one before has begun.
    ChunkPair * room_for_pairs(std::uint64_t count); // page-locked, for the next chunk's; null: there is none
    // And sends up, but for letters that are on the device.  The calling thread calls meanwhile() after each piece of
    // the letters that it stages itself, for what other chunks wait for.
    void stage(Piece const & piece, BatchWork const & work, Chunk chunk, KeptOfCall const & kept, Team & team,
               std::function<void()> const & meanwhile);
    bool sweep(Piece const & piece);                    // false: too many letters
    void fetch(Piece const & piece, Answers & answers); // the runs
    // `unproven` gets the pairs whose band proved nothing: they have no answer yet.
    void publish(Piece const & piece, Team & team, Answers & answers, std::vector<Unproven> & unproven);
    void wait() const { check(cudaStreamSynchronize(stream_.get()), "running on the device"); }
    // Whether there would be nothing to wait for.
    bool is_ready() const;

    bool busy() const { return work_ != nullptr; }
    Chunk const & chunk() const { return chunk_; }
    // Waits for what was begun, and forgets it.
    void drop();

private:
    struct Side {              // of the chunk's letters
        bool in_place = false; // as they lie in the batch; else sequence by sequence
        bool is_there = false; // on the device, among those kept
        std::uint64_t at = 0, bytes = 0;
        LettersOnDevice * kept = nullptr;
        std::uint64_t first = 0, last = 0; // of the batch's letters, begin and end

        bool goes_up() const { return in_place && !is_there; }
        bool lies_apart() const { return !in_place && !is_there; }
        void note_kept() const
        {
            if (kept && in_place)
                kept->add(first, last);
        }
    };
    struct Down; // what comes back, in page-locked memory

    Side lay_out(CodedSequences const & sequences, std::uint64_t first, std::uint64_t last, std::uint64_t letters,
                 std::uint64_t at, LettersOnDevice * kept) const;
    void stage_by_sequence(Piece const & piece, Team & team);
    void copy_letters(Side const & side, LettersUp & up, std::uint8_t * two_bits);
    void gather_kept();
    bool start_sweeps();
    bool waits_for_letters(Team const & team) const;
    // Whether the chunk has couples of two targets, not of two queries.
    bool has_target_couples() const { return chunk_.sums.has_couples() && work_->pairs_together(chunk_.first) == 1; }
    void choose_common(Piece const & piece, LetterTable & table);
    bool start_couples(GroupArgs args);
    void start_targets(GroupArgs args);
    void start_couple_strip(GroupKernel const & kernel, GroupArgs args, std::uint64_t blocks, std::uint32_t warps,
                            std::uint64_t shared);
    void prepare(int which, void const * kernel, std::uint64_t most_shared);

    Device & device_;
    Stream const stream_;
    cudaStream_t sweep_stream_;
    Stream const side_stream_; // of every other kernel of a sweep, which need not wait for each other
    Owner<cudaEvent_t, cudaEventDestroy> before_sweep_, after_sweep_, after_side_;
    PinnedBuffer pairs_, down_, runs_;
    LettersUp queries_up_, targets_up_;
    DeviceArray<std::uint8_t> memory_;

    BatchWork const * work_ = nullptr; // of the chunk; null: there is none
    Chunk chunk_;
    Side queries_, targets_;
    std::uint64_t letters_at_ = 0, letter_bytes_ = 0;
    std::uint32_t letter_count_ = 0, common_letters_ = 0, count_ = 0;
    std::uint64_t run_count_ = 0;
    bool in_rows_ = false; // Sums::are_in_rows(), so the device makes the chunk's pairs
    Answers::Place place_; // of the runs
    std::vector<Unproven> unproven_;

    // In memory_.
    std::uint8_t *in_ = nullptr, *two_bits_ = nullptr;
    Tables * tables_ = nullptr;
    std::uint32_t *keys_ = nullptr, *sorted_keys_ = nullptr, *indices_ = nullptr, *order_ = nullptr,
                  *slot_at_ = nullptr, *slots_ = nullptr, *gathered_runs_ = nullptr, *block_runs_ = nullptr;
    unsigned long long * stored_at_ = nullptr;
    char *stored_ = nullptr, *sort_work_ = nullptr;
    std::size_t sort_bytes_ = 0;
    Answer * answers_ = nullptr;
    ClassTable * classes_ = nullptr;
    Notes * notes_ = nullptr;
    LettersBefore * letters_before_ = nullptr;
    std::uint64_t stored_size_ = 0;

    void const * prepared_[kernel_count] = {}; // kernels, for the chunks that follow
};

} // namespace nwgpu::cuda::batch
