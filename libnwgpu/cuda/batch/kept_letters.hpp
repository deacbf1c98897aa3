// SPDX-License-Identifier: BSD-3-Clause
// Letters that stay on a device from call to call, by whose they are (RawSequences::origin): where they lie, which
// parts of them are there, and which go first.  Host code; the device gives the memory and makes the copies.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>

#include "model/batch.hpp"

namespace nwgpu::cuda::batch {

// Of one set of sequences, as they lie in the batch.
class LettersOnDevice {
public:
    LettersOnDevice(std::uint8_t * memory, std::uint64_t bytes) : memory_{memory}, bytes_{bytes} {}

    std::uint8_t * at(std::uint64_t offset) const { return memory_ + offset; }
    std::uint64_t bytes() const { return bytes_; }
    // Whether these letters, begin .. end, have been copied there.
    bool has(std::uint64_t begin, std::uint64_t end) const;
    bool has_all() const { return has(0, bytes_); }
    double part() const; // that has been copied there, 0 to 1
    void add(std::uint64_t begin, std::uint64_t end);

private:
    std::uint8_t * memory_;
    std::uint64_t bytes_;
    std::map<std::uint64_t, std::uint64_t> parts_; // begin and end, apart from each other
};

// Of the two sides of a call; null: they are not kept.
struct KeptOfCall {
    LettersOnDevice * queries = nullptr;
    LettersOnDevice * targets = nullptr;
};

// Of a device with `budget` bytes for all of a call; the rest is for chunks.
constexpr std::uint64_t most_kept(std::uint64_t budget) { return budget / 4; }

// Which sides of a call are kept, and what they take.
struct KeptSides {
    bool queries = false, targets = false;
    std::uint64_t bytes = 0;
};
KeptSides sides_to_keep(Batch const & batch, std::uint64_t most);

// One thread at a time.
class KeptLetters {
public:
    struct Source {
        std::function<void *(std::uint64_t bytes)> make;                   // null: there is no room
        std::function<void(void * memory, std::uint64_t bytes)> give_back; // neither throws
    };
    static constexpr std::uint64_t least_bytes = 4096; // of a side; fewer are as quick from the host
    static constexpr std::size_t most_sides = 64;

    explicit KeptLetters(Source source) : source_{std::move(source)} {}
    KeptLetters(KeptLetters const &) = delete;
    ~KeptLetters() { clear(); }

    // Until end_uses(), where these sequences lie; others give way so that all take `most` bytes at most.  Null: there
    // is no room.
    LettersOnDevice * use(CodedSequences const & sequences, std::uint64_t most);
    void end_uses() noexcept;
    // What is there; its uses do not count.
    LettersOnDevice const * find(CodedSequences const & sequences) const;
    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t bytes_in_use() const;

    // Frees letters whose sequences are gone, else those not in use that were used least recently; false: there are
    // none.
    bool give_up() noexcept;
    void free_those_gone() noexcept;
    void clear() noexcept; // also what is in use

private:
    struct Side {
        std::weak_ptr<void const> origin;
        LettersOnDevice letters;
        bool in_use = false;

        bool is_of(std::shared_ptr<void const> const & other) const
        {
            return !origin.owner_before(other) && !other.owner_before(origin);
        }
    };
    void free(std::list<Side>::iterator side) noexcept;

    Source const source_;
    std::list<Side> sides_; // those used last first
    std::uint64_t bytes_ = 0;
};

} // namespace nwgpu::cuda::batch
