// SPDX-License-Identifier: BSD-3-Clause
// A problem of 1000 x 50 letters and slabs that it could have, for tests of what is done with their files.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "checkpoint/folder.hpp"
#include "support/folder.hpp"

namespace nwgpu::test {

inline Mode const test_mode{.local = true};
inline Scoring test_scoring() { return Scoring::uniform(1, 3, {5, 2}); }
inline PairView test_pair()
{
    static std::vector<std::uint8_t> const letters = [] {
        std::vector<std::uint8_t> letters(2000);
        for (std::size_t k = 0; k < letters.size(); ++k)
            letters[k] = static_cast<std::uint8_t>("ACGT"[k * k / 7 % 4]);
        return letters;
    }();
    return {letters.data(), 1000, letters.data() + 1500, 50};
}
inline checkpoint::Problem problem() { return {test_pair(), test_scoring(), test_mode}; }

// No array is empty, and their bytes depend on the seed.
inline checkpoint::Slab slab(std::uint64_t row, int seed)
{
    checkpoint::Slab slab;
    slab.shape.row = row;
    slab.shape.rows = 100;
    slab.shape.cols = 50;
    slab.shape.tile_rows = 60;
    slab.shape.tile_cols = 20;
    slab.shape.strip_rows = 20;
    slab.shape.best_score = seed;
    slab.shape.best_i = row + 30;
    slab.shape.best_j = 40;
    auto const fill = [&](checkpoint::Bytes & bytes, std::uint64_t entries, int shift) {
        for (std::uint64_t k = 0; k < entries * slab.shape.entry_bytes; ++k)
            bytes.push_back(static_cast<std::byte>(static_cast<int>(k) * seed + shift));
    };
    fill(slab.bottom, slab.shape.cols, 0);
    fill(slab.row_cuts, slab.shape.row_lines().entries, 1);
    fill(slab.col_cuts, slab.shape.col_lines().entries, 2);
    return slab;
}

// What an Error checkpoint says, if there is one.
template <class Work>
std::string why_not(Work const & work)
{
    try {
        work();
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::checkpoint) << error.what();
        return error.what();
    }
    return "nothing";
}
inline std::string message_of(std::string const & path, checkpoint::Problem const & of, bool resume)
{
    return why_not([&] { checkpoint::Folder{path, of, resume}; });
}

class SavedSlabs : public testing::Test {
protected:
    void SetUp() override
    {
        checkpoint::Folder folder{path, problem(), true};
        folder.save(slab(0, 3));
        folder.save(slab(100, 5));
    }
    TemporaryFolder const folder_;
    std::string const path = folder_ / "run";
};

} // namespace nwgpu::test
