// SPDX-License-Identifier: BSD-3-Clause
// Reading lines: a buffer of 256 KiB, more where a line is longer.
#include "line_source.hpp"

#include "failure.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace cli {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;
constexpr std::size_t most_block_bytes = std::size_t{1} << 20;

// In bytes alone for as long as they can count, so that compilers look at sixteen at once.
std::uint64_t count_lines(std::string_view bytes)
{
    constexpr std::size_t most = 255;
    std::uint64_t lines = 0;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(most, bytes.size()))) {
        std::uint8_t some = 0;
        for (char const byte : bytes.substr(0, most))
            some = static_cast<std::uint8_t>(some + (byte == '\n' ? 1 : 0));
        lines += some;
    }
    return lines;
}

constexpr std::uint64_t lines_of_fastq = 4;

char const * line_end(char const * begin, char const * end)
{
    return static_cast<char const *>(std::memchr(begin, '\n', static_cast<std::size_t>(end - begin)));
}

// Behind a record of FASTQ whose letters and qualities have one line each, of equal lengths; null where another record
// is, or not all of it.  Looks at no quality: who parses the record tells when there is a line's end among them.
char const * behind_usual_record(char const * begin, char const * end)
{
    char const * const header_end = line_end(begin, end);
    char const * const letters_end = header_end ? line_end(header_end + 1, end) : nullptr;
    if (!letters_end)
        return nullptr;
    std::ptrdiff_t const line = letters_end - header_end; // its end included
    char const * const qualities = letters_end + 3;       // behind a line of a plus
    if (*begin != '@' || end - letters_end < 3 + line || letters_end[-1] <= ' ' || letters_end[1] != '+' ||
        letters_end[2] != '\n' || qualities[line - 1] != '\n')
        return nullptr;
    return qualities + line;
}

} // namespace

LineSource::LineSource(std::string path) : LineSource(path, open_bytes(path)) {}

LineSource::LineSource(std::string path, hFILE * bytes) :
    path_(std::move(path)), file_(make_byte_source(path_, bytes)), buffer_(buffer_size)
{
    struct stat status {};
    if (path_ != "-" && stat(path_.c_str(), &status) == 0 && S_ISREG(status.st_mode))
        file_size_ = static_cast<std::uint64_t>(status.st_size);
}

LineSource::LineSource(std::string path, Block block) :
    path_(std::move(path)), buffer_(std::move(block.memory)), end_(block.size), line_number_(block.lines_before)
{}

void LineSource::move_to_front()
{
    if (at_ > 0)
        std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    end_ -= std::exchange(at_, 0);
}

// Reads more, up to so many bytes, behind what is there, which moves to the front of the buffer; a line that fills most
// of it doubles it.
bool LineSource::fill(std::size_t most)
{
    if (!file_)
        return false;
    move_to_front();
    std::size_t const kept = end_;
    if (kept > buffer_.size() / 4 * 3)
        buffer_.resize(2 * buffer_.size());
    std::size_t got = 0;
    try {
        got = file_->read(buffer_.data() + kept, std::min(most, buffer_.size() - kept));
    } catch (DamagedFile) {
        throw Failure(text(path_, ": truncated or damaged compressed file, after line ", line_number_));
    }
    end_ += got;
    read_ += got;
    seen_bytes_ |= got > 0;
    return got > 0;
}

bool LineSource::next(std::string_view & line)
{
    char const * newline = nullptr;
    for (std::size_t searched = 0;;) {
        if (at_ + searched < end_)
            newline =
                static_cast<char const *>(std::memchr(buffer_.data() + at_ + searched, '\n', end_ - at_ - searched));
        searched = end_ - at_;
        if (newline != nullptr || !fill())
            break;
    }
    char const * const begin = buffer_.data() + at_;
    char const * end = newline != nullptr ? newline : buffer_.data() + end_;
    if (newline == nullptr && begin == end)
        return false;
    at_ = static_cast<std::size_t>(end - buffer_.data()) + (newline != nullptr ? 1 : 0);
    ++line_number_;
    while (end != begin && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
        --end;
    line = {begin, end};
    return true;
}

bool LineSource::at_end()
{
    for (;;) {
        if (at_ == end_ && !fill())
            return true;
        char const letter = buffer_[at_];
        if (letter != '\n' && letter != '\r' && letter != ' ' && letter != '\t')
            return false;
        line_number_ += letter == '\n';
        ++at_;
    }
}

// The buffer itself becomes the block.  What lies behind the block has to be copied, so that little more is read than
// the last one had.
std::optional<Block> LineSource::cut(std::uint64_t records, char marker, std::vector<char> memory)
{
    constexpr std::size_t little = std::size_t{1} << 13;
    buffer_.resize(std::max(buffer_.size(), 2 * last_block_));
    std::size_t good = 0, seen = 0; // bytes behind at_: of whole records; that were looked at
    std::uint64_t lines = 0, good_lines = 0;
    for (std::uint64_t count = 0; count < records;) {
        char const * const begin = buffer_.data() + at_;
        if (marker != '>' && seen == good)
            if (char const * const behind = behind_usual_record(begin + seen, buffer_.data() + end_)) {
                good = seen = static_cast<std::size_t>(behind - begin);
                good_lines = lines += lines_of_fastq;
                ++count;
                continue;
            }
        char const sought = marker == '>' ? '>' : '\n';
        void const * const found = at_ + seen < end_ ? std::memchr(begin + seen, sought, end_ - at_ - seen) : nullptr;
        if (found == nullptr) {
            seen = end_ - at_;
            if (seen >= most_block_bytes)
                break;
            if (!fill(std::max(last_block_, seen) - seen + little)) {
                good = seen;
                good_lines = lines;
                break;
            }
            continue;
        }
        std::size_t const place = static_cast<std::size_t>(static_cast<char const *>(found) - begin);
        seen = place + 1;
        bool const ends = marker == '>' ? place > 0 && begin[place - 1] == '\n' : ++lines % lines_of_fastq == 0;
        if (ends) {
            good = marker == '>' ? place : seen;
            good_lines = lines;
            ++count;
        }
    }
    if (good == 0)
        return std::nullopt;
    move_to_front();
    std::size_t const rest = end_ - good;
    memory.resize(std::max({memory.size(), buffer_size, rest}));
    std::memcpy(memory.data(), buffer_.data() + good, rest);
    Block block{std::exchange(buffer_, std::move(memory)), good, line_number_};
    end_ = rest;
    last_block_ = good;
    line_number_ += marker == '>' ? count_lines(block.bytes()) : good_lines;
    return block;
}

void LineSource::unread(std::string_view line)
{
    at_ = place(line);
    --line_number_;
}

void LineSource::unread(std::string_view bytes, std::uint64_t lines_before)
{
    std::vector<char> all(bytes.begin(), bytes.end());
    all.insert(all.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
               buffer_.begin() + static_cast<std::ptrdiff_t>(end_));
    at_ = 0;
    end_ = all.size();
    all.resize(std::max(all.size(), buffer_size));
    buffer_ = std::move(all);
    line_number_ = lines_before;
}

std::uint64_t LineSource::expected_bytes() const
{
    constexpr double usual = 3; // where more is read ahead than was asked for
    std::uint64_t const fetched = file_ ? file_->position() : 0;
    if (fetched == read_) // not compressed
        return file_size_;
    double const times = static_cast<double>(read_) / static_cast<double>(std::max<std::uint64_t>(1, fetched));
    return static_cast<std::uint64_t>(static_cast<double>(file_size_) * std::max(usual, times));
}

double LineSource::fraction() const
{
    if (file_size_ == 0)
        return -1;
    double const fetched = static_cast<double>(file_->position()) / static_cast<double>(file_size_);
    return std::min(fetched, 1.0);
}

} // namespace cli
