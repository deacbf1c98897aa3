// SPDX-License-Identifier: BSD-3-Clause
// A text file, plain or bgzf, or standard output, whose every write, and close, is checked.
#pragma once

#include "output_file.hpp"

#include <htslib/bgzf.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

class TextOutput {
public:
    // "-" is standard output.  bgzf: compressed, by so many threads.  Throws Failure when the file cannot be made.
    explicit TextOutput(std::string path, bool bgzf = false, int threads = 1);
    ~TextOutput();
    TextOutput(TextOutput const &) = delete;
    TextOutput & operator=(TextOutput const &) = delete;

    void write(std::string_view text);
    // Writes out what is buffered, so that an interrupted run leaves complete lines.
    void flush();
    void close();
    bool terminal() const;

private:
    void check(bool good) const;

    PartFile place_;
    std::vector<char> buffer_;
    std::FILE * file_ = nullptr; // one of these two
    BGZF * packed_ = nullptr;
};

} // namespace cli
