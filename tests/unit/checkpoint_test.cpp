// SPDX-License-Identifier: BSD-3-Clause
// Stores of slabs, and folders of checkpoints: what is written comes back; damaged, foreign and occupied ones are
// refused by name.
#include <csignal>
#include <filesystem>
#include <fstream>

#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "checkpoint/temporary_folder.hpp"
#include "support/folder.hpp"

namespace nwgpu::test {
namespace {

using checkpoint::Folder;
using checkpoint::Slab;
using testing::HasSubstr;

constexpr std::uint64_t problem = 7;

Slab slab(std::uint64_t row, int seed)
{
    Slab slab;
    slab.shape.row = row;
    slab.shape.rows = 100;
    slab.shape.cols = 50;
    slab.shape.tile_rows = 64;
    slab.shape.tile_cols = 20;
    slab.shape.best_score = seed;
    for (int k = 0; k < 333; ++k) {
        slab.bottom.push_back(static_cast<std::byte>(k * seed));
        slab.row_cuts.push_back(static_cast<std::byte>(k + seed));
    }
    return slab;
}

std::string message_of(std::string const & path, std::uint64_t identity, bool resume, bool load = false)
{
    try {
        Folder folder{path, identity, resume};
        if (load)
            folder.load(0);
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::checkpoint);
        return error.what();
    }
    return "nothing";
}

class FolderTest : public testing::Test {
protected:
    void SetUp() override
    {
        Folder folder{path, problem, true};
        folder.save(slab(0, 3));
        folder.save(slab(100, 5));
    }
    void change(std::string const & name, long at) const
    {
        std::fstream file{path + name, std::ios::in | std::ios::out | std::ios::binary};
        file.seekg(at, at < 0 ? std::ios::end : std::ios::beg);
        char byte = 0;
        file.get(byte);
        file.seekp(at, at < 0 ? std::ios::end : std::ios::beg);
        file.put(static_cast<char>(byte ^ 16));
    }
    TemporaryFolder const folder_;
    std::string const path = folder_ / "run";
};

TEST_F(FolderTest, ComesBack)
{
    Folder folder{path, problem, true};
    ASSERT_EQ(folder.count(), 2u);
    EXPECT_EQ(folder.rows(), 200u);
    auto const first = folder.load(0), second = folder.load(1);
    EXPECT_EQ(first->bottom, slab(0, 3).bottom);
    EXPECT_EQ(second->row_cuts, slab(100, 5).row_cuts);
    EXPECT_TRUE(second->col_cuts.empty());
    EXPECT_EQ(second->shape.best_score, 5);
    folder.clear();
    EXPECT_TRUE(std::filesystem::is_empty(path));
}

TEST_F(FolderTest, RefusesAnothersProblem)
{
    EXPECT_THAT(message_of(path, problem + 1, true), HasSubstr("of other sequences"));
}
TEST_F(FolderTest, RefusesToOverwrite) { EXPECT_THAT(message_of(path, problem, false), HasSubstr("resume it")); }
TEST_F(FolderTest, RefusesAFolderInUse)
{
    Folder const other{path, problem, true};
    EXPECT_THAT(message_of(path, problem, true), HasSubstr("another run"));
}

TEST_F(FolderTest, RefusesDamage)
{
    change("/slab-000000.nwgpu", -5);
    EXPECT_EQ(message_of(path, problem, true), "nothing") << "headers are in order";
    EXPECT_THAT(message_of(path, problem, true, true), HasSubstr("slab-000000.nwgpu: the checkpoint is damaged"));
    change("/slab-000001.nwgpu", 60);
    EXPECT_THAT(message_of(path, problem, true), HasSubstr("slab-000001.nwgpu: the checkpoint is damaged"));
    change("/slab-000001.nwgpu", 0);
    EXPECT_THAT(message_of(path, problem, true), HasSubstr("not a checkpoint"));
}

TEST_F(FolderTest, RefusesAShortFile)
{
    std::filesystem::resize_file(path + "/slab-000000.nwgpu",
                                 std::filesystem::file_size(path + "/slab-000000.nwgpu") - 1);
    EXPECT_THAT(message_of(path, problem, true, true), HasSubstr("cut short"));
    std::filesystem::resize_file(path + "/slab-000000.nwgpu", 10);
    EXPECT_THAT(message_of(path, problem, true), HasSubstr("cut short"));
}

TEST_F(FolderTest, RefusesAGap)
{
    std::filesystem::rename(path + "/slab-000001.nwgpu", path + "/slab-000000.nwgpu");
    EXPECT_THAT(message_of(path, problem, true), HasSubstr("does not follow"));
}

TEST_F(FolderTest, AnUnfinishedFileIsNotThere)
{
    std::filesystem::rename(path + "/slab-000001.nwgpu", path + "/slab-000001.nwgpu.part");
    EXPECT_EQ((Folder{path, problem, true}.rows()), 100u);
}

TEST(Folder, SaysWhyItCannotBeMade)
{
    EXPECT_THAT(message_of("/nowhere/at/all", problem, false), HasSubstr("/nowhere/at/all: No such file"));
    TemporaryFolder const folder;
    std::ofstream{folder / "file"} << "x";
    EXPECT_THAT(message_of(folder / "file", problem, false), HasSubstr("Not a directory"));
}

// Of whatever store: all slabs that a way back from row 250 needs, each with the one above.
void expect_way_back(checkpoint::SlabStore & store)
{
    for (int k = 0; k < 4; ++k)
        store.save(slab(100 * static_cast<std::uint64_t>(k), k + 1));
    ASSERT_EQ(store.count(), 4u);
    EXPECT_EQ(store.rows(), 400u);
    std::uint64_t row = 250;
    std::vector<std::int64_t> seen;
    store.visit_back([&] { return row; },
                     [&](Slab const & here, Slab const * above) {
                         EXPECT_EQ(here.bottom, slab(here.shape.row, static_cast<int>(here.shape.best_score)).bottom);
                         seen.push_back(here.shape.best_score);
                         seen.push_back(above ? above->shape.best_score : 0);
                         row = here.shape.row == 200 ? 150 : 0;
                     });
    EXPECT_EQ(seen, (std::vector<std::int64_t>{3, 2, 2, 1}));
}

TEST(SlabStore, InMemory)
{
    checkpoint::SlabsInMemory store;
    expect_way_back(store);
}

TEST(SlabStore, InFilesThatAreGoneAfterwards)
{
    TemporaryFolder const folder;
    char const * const before = std::getenv("TMPDIR");
    std::string const old = before ? before : "";
    setenv("TMPDIR", (folder / "").c_str(), 1);
    {
        checkpoint::TemporaryFolder store;
        expect_way_back(store);
        EXPECT_FALSE(std::filesystem::is_empty(folder / ""));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
    setenv("TMPDIR", "/nowhere/at/all", 1);
    EXPECT_THROW(checkpoint::TemporaryFolder{}, Error);
    before ? setenv("TMPDIR", old.c_str(), 1) : unsetenv("TMPDIR");
}

// A disk that is full, here a limit of the size of files: an error, and nothing is left.
TEST(SlabStore, FilesThatCannotBeWritten)
{
    TemporaryFolder const folder;
    rlimit old{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    auto const old_action = std::signal(SIGXFSZ, SIG_IGN);
    rlimit const low{500, old.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
    {
        Folder store{folder / "run", problem, false};
        store.save(slab(0, 1));
        EXPECT_THROW(store.save(slab(100, 2)), Error);
    }
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, old_action);
    EXPECT_TRUE(std::filesystem::is_empty(folder / "run"));
}

TEST(Identity, TellsProblemsApart)
{
    std::vector<std::uint8_t> const a{1, 2, 3, 4}, b{1, 2, 3, 5};
    Scoring const scoring = Scoring::uniform(1, 3, {5, 2});
    auto const number = [&](auto const & query, auto const & target, Scoring const & with, Mode const & mode) {
        return checkpoint::identity({query.data(), query.size(), target.data(), target.size()}, with, mode);
    };
    std::vector<std::uint64_t> const numbers{
        number(a, b, scoring, {}),
        number(b, a, scoring, {}),
        number(a, a, scoring, {}),
        number(a, b, Scoring::uniform(1, 3, {5, 1}), {}),
        number(a, b, Scoring::uniform(2, 3, {5, 2}), {}),
        number(a, b, scoring, {.local = true}),
        number(a, b, scoring, {.free_query_end = true}),
        number(std::vector<std::uint8_t>{1, 2, 3}, std::vector<std::uint8_t>{4, 1, 2, 3, 5}, scoring, {}),
    };
    for (std::size_t k = 0; k < numbers.size(); ++k)
        for (std::size_t l = 0; l < k; ++l)
            EXPECT_NE(numbers[k], numbers[l]) << k << " " << l;
}

} // namespace
} // namespace nwgpu::test
