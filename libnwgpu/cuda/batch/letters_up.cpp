// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/letters_up.hpp"

#include <algorithm>
#include <cstring>

#include "base/ceil_div.hpp"
#include "cuda/batch/stream.hpp"
#include "cuda/device/pinned_copy.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr std::uint64_t copy_bytes = 64 << 10;        // of a piece
constexpr std::uint64_t least_of_two_bits = 64 << 10; // letters: fewer are on their way at once

} // namespace

void LettersUp::begin(std::uint8_t const * from, std::uint64_t bytes, bool locked_too)
{
    from_ = from;
    bytes_ = bytes;
    writer_.reset();
    page_locked_ = bytes == 0 || (is_page_locked(from) && is_page_locked(from + bytes - 1));
    is_staged_ = false;
    bool const may = to_two_bits_ && !in_vain_ && bytes >= least_of_two_bits && (locked_too || !page_locked_);
    if (auto const four = may ? four_letters(from, bytes) : std::nullopt)
        writer_.emplace(to_two_bits_, from, bytes, *four, room_for(TwoBitLayout{bytes}.most_bytes()));
    else if (!page_locked_)
        room_for(bytes);
}

std::uint64_t LettersUp::pieces() const
{
    if (is_staged_)
        return 0;
    return writer_ ? writer_->pieces() : page_locked_ ? 0 : ceil_div(bytes_, copy_bytes);
}

void LettersUp::stage(std::uint64_t piece)
{
    if (writer_)
        return writer_->write(piece);
    std::uint64_t const begin = piece * copy_bytes;
    std::memcpy(room_for(0) + begin, from_ + begin, std::min(copy_bytes, bytes_ - begin));
}

bool LettersUp::end_stage()
{
    is_staged_ = !writer_ || writer_->strays();
    if (!is_staged_) {
        in_vain_ = true;
        writer_.reset();
        if (!page_locked_)
            room_for(bytes_);
    }
    return is_staged_;
}

void LettersUp::send(cudaStream_t stream, std::uint8_t * to, std::uint8_t * two_bits)
{
    if (!writer_)
        return copy(stream, to, page_locked_ ? from_ : room_for(0), bytes_, cudaMemcpyHostToDevice);
    std::uint64_t const strays = writer_->strays().value();
    copy(stream, two_bits, room_for(0), TwoBitLayout{bytes_}.bytes(strays), cudaMemcpyHostToDevice);
    from_two_bits(stream, {two_bits, bytes_, strays, writer_->four(), to});
}

} // namespace nwgpu::cuda::batch
