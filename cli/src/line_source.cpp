// SPDX-License-Identifier: BSD-3-Clause
// Reading lines: a buffer of 256 KiB, more where a line is longer.
#include "line_source.hpp"

#include "failure.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>

namespace cli {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;

} // namespace

LineSource::LineSource(std::string path) : LineSource(path, open_bytes(path)) {}

LineSource::LineSource(std::string path, hFILE * bytes) :
    path_(std::move(path)), file_(make_byte_source(path_, bytes)), buffer_(buffer_size)
{
    struct stat status {};
    if (path_ != "-" && stat(path_.c_str(), &status) == 0 && S_ISREG(status.st_mode))
        file_size_ = static_cast<std::uint64_t>(status.st_size);
}

// Reads more behind what is there, which moves to the front of the buffer; a line that fills half of it doubles it.
bool LineSource::fill()
{
    std::size_t const kept = end_ - at_;
    if (at_ > 0)
        std::memmove(buffer_.data(), buffer_.data() + at_, kept);
    at_ = 0;
    end_ = kept;
    if (kept > buffer_.size() / 2)
        buffer_.resize(2 * buffer_.size());
    std::size_t got = 0;
    try {
        got = file_->read(buffer_.data() + kept, buffer_.size() - kept);
    } catch (DamagedFile) {
        throw Failure(text(path_, ": truncated or damaged compressed file, after line ", line_number_));
    }
    end_ += got;
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

double LineSource::fraction() const
{
    if (file_size_ == 0)
        return -1;
    double const fetched = static_cast<double>(file_->position()) / static_cast<double>(file_size_);
    return std::min(fetched, 1.0);
}

} // namespace cli
