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

struct OutputFormat;

class TextOutput {
public:
    // "-" is standard output.  threads: so many compress, where the format says so.  Throws Failure when the file
    // cannot be made.
    TextOutput(std::string path, OutputFormat const & format, int threads);
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
