// SPDX-License-Identifier: BSD-3-Clause
// What reads are mapped to.
#pragma once

#include "sam_file.hpp"
#include "sequence_reader.hpp"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace cli {

// The reference in memory, found by the numbers that the reads' header gives its sequences.
class Reference {
public:
    // check_all: at once, because the reads cannot be decoded without the right one.
    Reference(std::string const & path, Alphabet const & alphabet, sam_hdr_t * header, bool check_all);

    // Throws Failure when it is missing, or its length or its M5 is not that of the header.
    std::span<std::uint8_t const> sequence(std::int32_t tid) const;

private:
    void check_m5(std::int32_t tid, std::span<std::uint8_t const> letters) const;

    std::string path_;
    sam_hdr_t * header_;
    mutable std::vector<bool> checked_; // by tid
    SequenceSet records_;
    std::unordered_map<std::string, std::uint64_t> index_;
};

} // namespace cli
