// SPDX-License-Identifier: BSD-3-Clause
// A boundary while it is computed: two arrays, one entry per column (top, bottom) or per row (left, right).
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace nwgpu::cpu {

template <class Cell>
struct BoundaryView { // a borrowed boundary
    Cell * first = nullptr;
    Cell * second = nullptr;
    BoundaryView operator+(std::uint64_t n) const { return {first + n, second + n}; }
    operator BoundaryView<Cell const>() const requires(!std::is_const_v<Cell>) { return {first, second}; }
};

template <class Cell>
struct Boundary { // an owned one, not initialised: pages that are never written cost nothing
    std::unique_ptr<Cell[]> first, second;

    Boundary() = default;
    explicit Boundary(std::uint64_t n) : first{new Cell[n]}, second{new Cell[n]} {}
    BoundaryView<Cell> view() { return {first.get(), second.get()}; }
    BoundaryView<Cell const> view() const { return {first.get(), second.get()}; }
};

} // namespace nwgpu::cpu
