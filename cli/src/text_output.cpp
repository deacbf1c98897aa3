// SPDX-License-Identifier: BSD-3-Clause
// stdio, because its buffer, errno and standard output are what every other program uses too; htslib where the output
// is compressed.
#include "text_output.hpp"

#include "failure.hpp"
#include "world.hpp"
#include "writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace cli {

TextOutput::TextOutput(std::string path, OutputFormat const & format, int threads) :
    place_(std::move(path)), buffer_(std::size_t{1} << 16)
{
    errno = 0;
    if (format.bgzf) {
        packed_ = bgzf_open(place_.path().c_str(), ("w" + format.level).c_str());
        check(packed_ != nullptr && bgzf_mt(packed_, std::max(1, threads), 256) == 0);
        return;
    }
    file_ = place_.path() == "-" ? stdout : std::fopen(place_.path().c_str(), "w");
    check(file_ != nullptr);
    std::setvbuf(file_, buffer_.data(), _IOFBF, buffer_.size()); // without a buffer glibc ignores the size
}

TextOutput::~TextOutput()
{
    // Only after an error: close() is what a good end calls.
    if (file_ != nullptr)
        std::fclose(file_);
    if (packed_ != nullptr)
        bgzf_close(packed_);
}

void TextOutput::check(bool good) const
{
    if (!good)
        throw system_failure(place_.shown());
}

void TextOutput::write(std::string_view text)
{
    if (packed_ != nullptr)
        check(bgzf_write(packed_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    else
        check(std::fwrite(text.data(), 1, text.size(), file_) == text.size());
}

void TextOutput::flush() { check(packed_ != nullptr ? bgzf_flush(packed_) == 0 : std::fflush(file_) == 0); }

void TextOutput::close()
{
    if (packed_ != nullptr)
        check(bgzf_close(std::exchange(packed_, nullptr)) == 0);
    else
        check(std::fclose(std::exchange(file_, nullptr)) == 0);
    place_.complete();
}

bool TextOutput::terminal() const { return file_ == stdout && isatty(STDOUT_FILENO) == 1 && !is_launched(); }

} // namespace cli
