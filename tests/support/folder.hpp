// SPDX-License-Identifier: BSD-3-Clause
// A folder of its own for a test, removed at the end.
#pragma once

#include <filesystem>
#include <string>

#include <stdlib.h>

namespace nwgpu::test {

class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "nwgpu_test_XXXXXX").string();
        path_ = mkdtemp(name.data()) ? name : std::string{"."};
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(TemporaryFolder const &) = delete;

    std::string operator/(std::string const & name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

} // namespace nwgpu::test
