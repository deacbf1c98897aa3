// SPDX-License-Identifier: BSD-3-Clause
// Renaming is atomic within a folder, so FILE is at any time the old one or the new one.
#include "output_file.hpp"

#include "failure.hpp"

#include <cstdio>
#include <filesystem>

namespace cli {

PartFile::PartFile(std::string path) : name_(std::move(path)), final_(name_), part_(name_)
{
    std::error_code missing;
    bool const exists = std::filesystem::exists(name_, missing);
    if (name_ == "-" || (exists && !std::filesystem::is_regular_file(name_, missing))) {
        complete_ = true; // no other name to come
        return;
    }
    if (exists) // behind a link, which stays one
        final_ = std::filesystem::canonical(name_, missing).string();
    part_ = final_ + ".part";
}

PartFile::~PartFile()
{
    std::error_code missing;
    if (!complete_ && std::filesystem::exists(part_, missing))
        std::fprintf(stderr, "nwgpu: what was written is in %s\n", printable(part_).c_str());
}

std::string PartFile::shown() const { return name_ == "-" ? "standard output" : name_; }

void PartFile::complete()
{
    if (!complete_ && std::rename(part_.c_str(), final_.c_str()) != 0)
        throw system_failure(final_);
    complete_ = true;
}

} // namespace cli
