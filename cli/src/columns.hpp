// SPDX-License-Identifier: BSD-3-Clause
// The columns that a table of alignments may have (--columns), by name.
#pragma once

#include "alignment.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cli {

// A value of a table: numbers need no quotes in JSON; what was not computed is missing.
struct Cell {
    std::string text;
    bool number = false, missing = false;
};

class Columns {
public:
    // Throws Failure for an unknown name; the message lists all.
    Columns(std::vector<std::string> const & names, LetterEquality const & equal);

    std::vector<std::string> const & names() const { return names_; }
    // The cells of one alignment, in the order of the names.
    std::vector<Cell> cells(Alignment const & alignment) const;

private:
    LetterEquality const equal_;
    std::vector<std::string> names_;
    std::vector<std::size_t> which_; // of the table of columns
    bool counts_ = false;            // whether one needs the counts of the path
};

std::vector<std::string> blast_columns(); // the 12 of BLAST's tabular output

} // namespace cli
