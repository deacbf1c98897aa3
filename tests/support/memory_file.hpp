// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace nwgpu::test {

// A file in memory, with a name that can be opened.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : number_{memfd_create("test", 0)}
    {
        if (number_ < 0 || write(number_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            throw std::runtime_error("no file in memory");
        lseek(number_, 0, SEEK_SET);
    }
    ~MemoryFile() { close(number_); }
    MemoryFile(MemoryFile const &) = delete;
    MemoryFile & operator=(MemoryFile const &) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

private:
    int const number_;
};

} // namespace nwgpu::test
