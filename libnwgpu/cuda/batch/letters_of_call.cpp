// SPDX-License-Identifier: BSD-3-Clause
// The letters of a call that stay on the device (kept_letters.hpp).
#include <algorithm>

#include "cuda/batch/batch_aligner.hpp"
#include "cuda/device/pinned_copy.hpp"

namespace nwgpu::cuda::batch {

// Lets the letters of a call stay on the device, if there is room for them and pairs that suit, as far as a few of the
// pairs tell.
void BatchAligner::find_kept(Piece const & piece, BatchWork const & work)
{
    constexpr std::uint64_t tries = 64;
    Batch const & batch = piece.batch;
    std::uint64_t const tried = std::min<std::uint64_t>(tries, piece.pairs.size());
    bool has_any = false;
    for (std::uint64_t k = 0; k < tried && !has_any; ++k) {
        std::uint64_t const position = k * piece.pairs.size() / tried;
        has_any = work.class_of(batch.view(piece.pairs[position]), position) >= 0;
    }
    if (!has_any)
        return;
    std::uint64_t const most = most_kept(device_.budget() - device_.used());
    KeptSides const sides = sides_to_keep(batch, most);
    if (sides.queries)
        kept_of_call_.queries = kept_.use(batch.queries, most);
    if (sides.targets)
        kept_of_call_.targets = kept_.use(batch.targets, most);
}

// Letters of pairs that lie here and there are copied chunk by chunk, but not kept: all of them are sent before, if
// there are no more than those of the pairs, about.  `first`: of the first chunk.
void BatchAligner::send_scattered(Piece const & piece, Sums const & first, Monitor & monitor)
{
    auto const send_all = [&](LettersOnDevice * kept, CodedSequences const & sequences, std::uint64_t first_sequence,
                              std::uint64_t last_sequence, std::uint64_t letters) {
        if (!kept || first.suited == 0 || piece.max_host_bytes != 0 || piece.pairs.size() < sequences.count())
            return;
        std::uint8_t const * const begin = sequences.letters(first_sequence);
        auto const span =
            static_cast<std::uint64_t>(sequences.letters(last_sequence) - begin) + sequences.length(last_sequence);
        if (span <= letters || kept->has_all())
            return;
        send(device_, kept->at(0), sequences.letters(0), kept->bytes(), monitor);
        kept->add(0, kept->bytes());
    };
    send_all(kept_of_call_.queries, piece.batch.queries, first.first_query, first.last_query, first.query_letters);
    send_all(kept_of_call_.targets, piece.batch.targets, first.first_target, first.last_target, first.target_letters);
}

} // namespace nwgpu::cuda::batch
