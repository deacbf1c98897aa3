// SPDX-License-Identifier: BSD-3-Clause
// stdio, because its buffer, errno and standard output are what every other program uses too.
#include "text_output.hpp"

#include "failure.hpp"

namespace cli {

TextOutput::TextOutput(std::string path) : path_(std::move(path)), buffer_(std::size_t{1} << 16), file_(stdout)
{
    if (path_ != "-" && (file_ = std::fopen(path_.c_str(), "w")) == nullptr)
        throw system_failure(path_);
    std::setvbuf(file_, buffer_.data(), _IOFBF, buffer_.size()); // without a buffer glibc ignores the size
}

TextOutput::~TextOutput()
{
    if (file_ != nullptr)
        std::fclose(file_); // only after an error: close() is what a good end calls
}

void TextOutput::fail() const { throw system_failure(path_ == "-" ? "standard output" : path_); }

void TextOutput::write(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
        fail();
}

void TextOutput::flush()
{
    if (std::fflush(file_) != 0)
        fail();
}

void TextOutput::close()
{
    std::FILE * const file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0)
        fail();
}

} // namespace cli
