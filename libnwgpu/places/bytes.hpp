// SPDX-License-Identifier: BSD-3-Clause
// Numbers, texts and arrays as bytes and back, between ranks whose machines write numbers alike (World::meet checks
// it).  A reader that finds fewer bytes than it wants throws Error communication.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.hpp"

namespace nwgpu::places {

class ByteWriter {
public:
    template <class T>
    void put(T const & value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        add(&value, sizeof value);
    }
    // Without the count.
    template <class T>
    void put_all(std::span<T const> values)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        add(values.data(), values.size_bytes());
    }
    void put_text(std::string const & text)
    {
        put(std::uint64_t{text.size()});
        add(text.data(), text.size());
    }
    std::vector<std::byte> const & bytes() const { return bytes_; }
    void reserve(std::uint64_t bytes) { bytes_.reserve(bytes); }

private:
    void add(void const * from, std::size_t count)
    {
        auto const * const begin = static_cast<std::byte const *>(from);
        bytes_.insert(bytes_.end(), begin, begin + count);
    }

    std::vector<std::byte> bytes_;
};

class ByteReader {
public:
    explicit ByteReader(std::span<std::byte const> bytes) : left_{bytes} {}

    template <class T>
    T get()
    {
        T value{};
        copy_to(std::span<T>{&value, 1});
        return value;
    }
    // As many as there is room for.
    template <class T>
    void copy_to(std::span<T> to)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        std::span<std::byte const> const from = take(to.size(), sizeof(T));
        if (!from.empty())
            std::memcpy(static_cast<void *>(to.data()), from.data(), from.size());
    }
    template <class T>
    std::vector<T> get_all(std::uint64_t count)
    {
        std::span<std::byte const> const from = take(count, sizeof(T));
        std::vector<T> values(count);
        if (count > 0)
            std::memcpy(static_cast<void *>(values.data()), from.data(), from.size());
        return values;
    }
    std::string get_text()
    {
        std::span<std::byte const> const from = take(get<std::uint64_t>(), 1);
        return {reinterpret_cast<char const *>(from.data()), from.size()};
    }
    // The bytes themselves, which live as long as the message.
    std::span<std::byte const> take(std::uint64_t count, std::size_t size)
    {
        if (count > left_.size() / size)
            throw Error{Status::communication, "a message of another rank ends too early"};
        std::span<std::byte const> const taken = left_.first(count * size);
        left_ = left_.subspan(count * size);
        return taken;
    }

private:
    std::span<std::byte const> left_;
};

} // namespace nwgpu::places
