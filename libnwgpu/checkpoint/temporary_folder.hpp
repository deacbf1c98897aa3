// SPDX-License-Identifier: BSD-3-Clause
// Slabs in files that nobody is to find again, under $TMPDIR or /tmp.
#pragma once

#include <cstdlib>
#include <string>

#include <stdlib.h>
#include <unistd.h>

#include "checkpoint/folder.hpp"

namespace nwgpu::checkpoint {

// Its name; gone at the end.
class TemporaryPath {
public:
    TemporaryPath()
    {
        char const * const place = std::getenv("TMPDIR");
        path_ = std::string{place && *place ? place : "/tmp"} + "/nwgpu-XXXXXX";
        if (!mkdtemp(path_.data()))
            throw system_call_error(path_);
    }
    TemporaryPath(TemporaryPath const &) = delete;
    ~TemporaryPath() { rmdir(path_.c_str()); }
    std::string const & path() const { return path_; }

private:
    std::string path_;
};

class TemporaryFolder final : TemporaryPath, public Folder {
public:
    TemporaryFolder() : Folder{TemporaryPath::path()} {}
};

} // namespace nwgpu::checkpoint
