// SPDX-License-Identifier: BSD-3-Clause
// A boundary while it is computed: two arrays, one entry per column (top, bottom) or per row (left, right).
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace nwgpu::cpu {

template <class Cell>
struct Line { // a borrowed boundary
    Cell * first = nullptr;
    Cell * second = nullptr;
    Line operator+(std::uint64_t n) const { return {first + n, second + n}; }
    operator Line<Cell const>() const requires(!std::is_const_v<Cell>) { return {first, second}; }
};

template <class Cell>
struct Border { // an owned one, not initialised: pages that are never written cost nothing
    std::unique_ptr<Cell[]> first, second;

    Border() = default;
    explicit Border(std::uint64_t n) : first{new Cell[n]}, second{new Cell[n]} {}
    Line<Cell> line() { return {first.get(), second.get()}; }
    Line<Cell const> line() const { return {first.get(), second.get()}; }
};

} // namespace nwgpu::cpu
