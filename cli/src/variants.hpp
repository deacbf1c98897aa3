// SPDX-License-Identifier: BSD-3-Clause
// The differences of two aligned sequences as variants of the target: one letter each, or one gap, as far left as the
// target allows.
#pragma once

#include "alignment.hpp"

#include <string>
#include <vector>

namespace cli {

// target[position, position + from.size()) becomes `to`; one of them may be empty.
struct Variant {
    std::uint64_t position;
    std::string from, to;

    std::uint64_t end() const { return position + from.size(); }
};

// In ascending order, without overlaps.  Letters are in upper case, and U is T.
std::vector<Variant> find_variants(Alignment const & alignment);

} // namespace cli
