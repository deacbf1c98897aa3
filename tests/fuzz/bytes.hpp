// SPDX-License-Identifier: BSD-3-Clause
// Turns the bytes of a fuzzer into numbers, choices and strings; a used-up input gives zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace nwgpu::fuzz {

class Bytes {
public:
    Bytes(std::uint8_t const * data, std::size_t size) : data_{data}, size_{size} {}

    std::size_t left() const { return size_; }
    std::uint8_t byte()
    {
        if (size_ == 0)
            return 0;
        --size_;
        return *data_++;
    }
    std::uint64_t below(std::uint64_t limit) { return number() % limit; }
    bool chance() { return (byte() & 1) != 0; }
    // Small numbers are likely, all 64-bit numbers possible.
    std::uint64_t number()
    {
        std::uint64_t value = byte();
        int const more = value < 200 ? 0 : static_cast<int>(value - 199) % 9;
        for (int i = 0; i < more; ++i)
            value = value << 8 | byte();
        return value;
    }
    std::string text(std::size_t length)
    {
        length = length < size_ ? length : size_;
        std::string const result{reinterpret_cast<char const *>(data_), length};
        data_ += length;
        size_ -= length;
        return result;
    }
    template <typename T>
    T raw()
    {
        T value{};
        for (std::size_t i = 0; i < sizeof(T); ++i)
            reinterpret_cast<unsigned char *>(&value)[i] = byte();
        return value;
    }

private:
    std::uint8_t const * data_;
    std::size_t size_;
};

// A condition that must hold; the fuzzer keeps the input that breaks it.
inline void demand(bool holds, char const * what)
{
    if (holds)
        return;
    std::fprintf(stderr, "fuzz: does not hold: %s\n", what);
    std::abort();
}

} // namespace nwgpu::fuzz
