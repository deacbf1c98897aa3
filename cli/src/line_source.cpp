// SPDX-License-Identifier: BSD-3-Clause
// Reading lines: one 256-KiB buffer, filled by bgzf_read, which also reads plain and gzip files.
#include "line_source.hpp"

#include "failure.hpp"

#include <htslib/hfile.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

namespace cli {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;

} // namespace

hFILE * open_bytes(std::string const & path)
{
    errno = 0;
    hFILE * const bytes = hopen(path.c_str(), "r");
    if (bytes == nullptr)
        throw system_failure(path);
    return bytes;
}

LineSource::LineSource(std::string path) : LineSource(path, open_bytes(path)) {}

LineSource::LineSource(std::string path, hFILE * bytes) : path_(std::move(path)), buffer_(buffer_size)
{
    file_.reset(bgzf_hopen(bytes, "r"));
    if (!file_) {
        int const error = errno;
        hclose_abruptly(bytes);
        throw system_failure(path_, error);
    }
    struct stat status {};
    if (path_ != "-" && stat(path_.c_str(), &status) == 0 && S_ISREG(status.st_mode))
        file_size_ = static_cast<std::uint64_t>(status.st_size);
}

bool LineSource::fill()
{
    errno = 0;
    ssize_t const got = bgzf_read(file_.get(), buffer_.data(), buffer_.size());
    if (got < 0) {
        if (file_->is_compressed)
            throw Failure(text(path_, ": truncated or damaged compressed file, after line ", line_number_));
        throw system_failure(path_);
    }
    // A bgzf file ends with an empty block; without it the file lost its end.
    if (got == 0 && file_->is_compressed && !file_->is_gzip && file_->no_eof_block)
        throw Failure(text(path_, ": truncated file: the bgzf end-of-file block is missing"));
    at_ = 0;
    end_ = static_cast<std::size_t>(got);
    seen_bytes_ |= got > 0;
    return got > 0;
}

bool LineSource::next(std::string & line)
{
    line.clear();
    if (at_ == end_ && !fill())
        return false;
    for (;;) {
        char const * const begin = buffer_.data() + at_;
        char const * const end = buffer_.data() + end_;
        auto const newline = static_cast<char const *>(std::memchr(begin, '\n', end_ - at_));
        line.append(begin, newline != nullptr ? newline : end);
        if (newline != nullptr) {
            at_ = static_cast<std::size_t>(newline + 1 - buffer_.data());
            break;
        }
        if (!fill())
            break;
    }
    ++line_number_;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
        line.pop_back();
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
    double const fetched = static_cast<double>(htell(file_->fp)) / static_cast<double>(file_size_);
    return std::min(fetched, 1.0);
}

} // namespace cli
