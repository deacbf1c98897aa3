// SPDX-License-Identifier: BSD-3-Clause
// Lines of a plain or compressed file, or of standard input ("-").  Truncated and damaged compressed files are errors,
// not ends.
#pragma once

#include "byte_source.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Whole records of a file, as they lie in it.
struct Block {
    std::vector<char> memory; // so many bytes of it; the others would take their time to be cleared
    std::size_t size = 0;
    std::uint64_t lines_before = 0; // in the file

    std::string_view bytes() const { return {memory.data(), size}; }
};

class LineSource {
public:
    // Throws Failure when the file cannot be opened.
    explicit LineSource(std::string path);
    // Takes over the open file.
    LineSource(std::string path, hFILE * bytes);
    // The lines of a block of the file.
    LineSource(std::string path, Block block);

    // The next line without its line end and the blanks before it; false at the end of the file.  The line lies in the
    // buffer until the next call.
    bool next(std::string_view & line);
    // Skips blank lines; whether nothing follows them.  A line that next() gave is gone.
    bool at_end();

    // Cuts off the next records, so many or what the file has left, without looking at them but for where they begin:
    // lines with '>', or where another marker is told, every fourth line.  Nothing at the end, and where a record has
    // more than some hundred kilobytes.  Its bytes lie in `memory`, whatever that held before.  Records that are laid
    // out otherwise are cut in the wrong place.
    std::optional<Block> cut(std::uint64_t records, char marker, std::vector<char> memory);
    // The line that next() gave last comes once more.
    void unread(std::string_view line);
    // So does all of some blocks, the last ones that were cut off: lines that begin behind so many lines.
    void unread(std::string_view bytes, std::uint64_t lines_before);
    // Of a block's lines: where a line begins that next() gave, where those begin that it will give, and the block.
    std::size_t place(std::string_view line) const { return static_cast<std::size_t>(line.data() - buffer_.data()); }
    Block take_block() && { return {std::move(buffer_), end_, 0}; }

    std::string const & path() const { return path_; }
    std::uint64_t line_number() const { return line_number_; } // of the line returned last
    bool empty_file() const { return line_number_ == 0 && !seen_bytes_; }
    std::uint64_t file_size() const { return file_size_; } // in bytes as they lie in it; 0: unknown
    // Of all lines, if the rest of the file is compressed as what was read; 0: unknown.
    std::uint64_t expected_bytes() const;
    // Share of the file read so far, or a negative number when its size is unknown.
    double fraction() const;

private:
    void move_to_front();
    bool fill(std::size_t most = SIZE_MAX);

    std::string path_;
    std::unique_ptr<ByteSource> file_;       // null: a block
    std::uint64_t file_size_ = 0, read_ = 0; // bytes of the file; of the lines, so far
    std::vector<char> buffer_;
    std::size_t at_ = 0, end_ = 0; // of what is in the buffer and not given yet
    std::size_t last_block_ = 0;   // bytes of the one that was cut off last
    std::uint64_t line_number_ = 0;
    bool seen_bytes_ = false;
};

} // namespace cli
