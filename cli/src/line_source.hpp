// SPDX-License-Identifier: BSD-3-Clause
// Lines of a plain, gzip or bgzf file, or of standard input ("-"), through htslib's bgzf layer.
// Truncated and damaged compressed files are errors, not ends.
#pragma once

#include <htslib/bgzf.h>
#include <htslib/hfile.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cli {

// Throws Failure when the file cannot be opened.
hFILE * open_bytes(std::string const & path);

class LineSource {
public:
    // Throws Failure when the file cannot be opened.
    explicit LineSource(std::string path);
    // Takes over the open file.
    LineSource(std::string path, hFILE * bytes);

    // The next line without its line end; false at the end of the file.
    bool next(std::string & line);
    // Skips blank lines; whether nothing follows them.
    bool at_end();

    std::string const & path() const { return path_; }
    std::uint64_t line_number() const { return line_number_; } // of the line returned last
    bool empty_file() const { return line_number_ == 0 && !seen_bytes_; }
    std::uint64_t file_size() const { return file_size_; } // in bytes as they lie in it; 0: unknown
    // Share of the file read so far, or a negative number when its size is unknown.
    double fraction() const;

private:
    struct Close {
        void operator()(BGZF * file) const { bgzf_close(file); }
    };
    bool fill();

    std::string path_;
    std::unique_ptr<BGZF, Close> file_;
    std::uint64_t file_size_ = 0;
    std::vector<char> buffer_;
    std::size_t at_ = 0, end_ = 0;
    std::uint64_t line_number_ = 0;
    bool seen_bytes_ = false;
};

} // namespace cli
