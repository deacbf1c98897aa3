// SPDX-License-Identifier: BSD-3-Clause
// A text file or standard output whose every write, and close, is checked.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

class TextOutput {
public:
    // "-" is standard output.  Throws Failure when the file cannot be made.
    explicit TextOutput(std::string path);
    ~TextOutput();
    TextOutput(TextOutput const &) = delete;
    TextOutput & operator=(TextOutput const &) = delete;

    void write(std::string_view text);
    // Writes out what is buffered, so that an interrupted run leaves complete lines.
    void flush();
    void close();

private:
    [[noreturn]] void fail() const;

    std::string path_;
    std::vector<char> buffer_;
    std::FILE * file_;
};

} // namespace cli
