// SPDX-License-Identifier: BSD-3-Clause
// Stores of slabs, and folders of checkpoints: what is written comes back; foreign, incomplete and occupied ones are
// refused by name, and what cannot be written is not there.
#include <filesystem>
#include <fstream>

#include <pthread.h>
#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "checkpoint/temporary_folder.hpp"
#include "support/folder.hpp"
#include "unit/slab_of_test.hpp"

namespace nwgpu::test {
namespace {

using checkpoint::Folder;
using checkpoint::Slab;
using testing::AllOf;
using testing::HasSubstr;

class FolderTest : public SavedSlabs {};

TEST_F(FolderTest, ComesBack)
{
    Folder folder{path, problem(), true};
    ASSERT_EQ(folder.count(), 2u);
    EXPECT_EQ(folder.rows(), 200u);
    auto const first = folder.load(0), second = folder.load(1);
    EXPECT_EQ(first->bottom, slab(0, 3).bottom);
    EXPECT_EQ(second->row_cuts, slab(100, 5).row_cuts);
    EXPECT_EQ(second->col_cuts, slab(100, 5).col_cuts);
    EXPECT_EQ(second->shape.best_score, 5);
    folder.clear();
    EXPECT_TRUE(std::filesystem::is_empty(path));
}

// Sequences, costs, matrices and modes that are not those of the checkpoint; it is as it was, then.
TEST_F(FolderTest, RefusesAnotherProblem)
{
    PairView const pair = test_pair();
    PairView const exchanged{pair.target, pair.n, pair.query, pair.m};
    PairView const other{pair.query + 1, pair.m, pair.target, pair.n};
    std::vector<std::int32_t> scores(16, -1);
    LetterCodes codes{};
    auto const refusal = [&](PairView const & view, Scoring const & scoring, Mode const & mode) {
        return message_of(path, {view, scoring, mode}, true);
    };
    Scoring const scoring = test_scoring();
    EXPECT_THAT(
        refusal(exchanged, scoring, test_mode),
        AllOf(HasSubstr("slab-000000.nwgpu: the checkpoint is of other sequences, of 1000 x 50 letters, not 50 x "
                        "1000 letters"),
              HasSubstr("resume it with what it was begun with, or choose another folder")));
    EXPECT_THAT(refusal(other, scoring, test_mode), HasSubstr("is of other sequences: resume"));
    EXPECT_THAT(refusal(pair, Scoring::uniform(2, 3, {5, 1}), test_mode), HasSubstr("is of another scoring"));
    EXPECT_THAT(refusal(pair, Scoring::matrix(scores, 4, codes, {5, 2}), test_mode),
                HasSubstr("is of another scoring"));
    EXPECT_THAT(refusal(pair, scoring, {}), HasSubstr("is of another mode"));
    EXPECT_EQ((Folder{path, problem(), true}.count()), 2u);
}

TEST_F(FolderTest, RefusesToOverwrite)
{
    EXPECT_THAT(message_of(path, problem(), false), HasSubstr("holds a checkpoint already: resume it"));
    std::filesystem::remove(path + "/slab-000000.nwgpu");
    EXPECT_THAT(message_of(path, problem(), false), HasSubstr("holds a checkpoint already")) << "what is left of one";
}

TEST_F(FolderTest, RefusesAFolderInUse)
{
    Folder const other{path, problem(), true};
    EXPECT_THAT(message_of(path, problem(), true), HasSubstr("another run"));
}

TEST_F(FolderTest, RefusesAGap)
{
    std::filesystem::remove(path + "/slab-000000.nwgpu");
    EXPECT_THAT(message_of(path, problem(), true), HasSubstr("slab-000000.nwgpu: is missing"));
}

TEST_F(FolderTest, RefusesExchangedFiles)
{
    std::filesystem::rename(path + "/slab-000001.nwgpu", path + "/slab-000000.nwgpu");
    EXPECT_THAT(message_of(path, problem(), true),
                HasSubstr("slab-000000.nwgpu: the checkpoint is damaged: this file"));
}

TEST_F(FolderTest, RefusesAFileThatWasReplaced)
{
    TemporaryFolder const place;
    Folder{place / "run", problem(), false}.save(slab(0, 4));
    Folder folder{path, problem(), true};
    std::filesystem::copy_file(place / "run/slab-000000.nwgpu", path + "/slab-000000.nwgpu",
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_THAT(why_not([&] { folder.load(0); }), HasSubstr("another program has replaced the file"));
    EXPECT_EQ(folder.load(1)->shape.best_score, 5);
}

TEST_F(FolderTest, AnUnfinishedFileIsNotThere)
{
    std::filesystem::rename(path + "/slab-000001.nwgpu", path + "/slab-000001.nwgpu.part");
    std::ofstream{path + "/slab-1.nwgpu.part"} << "somebody else's";
    EXPECT_EQ((Folder{path, problem(), true}.rows()), 100u);
    EXPECT_FALSE(std::filesystem::exists(path + "/slab-000001.nwgpu.part")) << "nobody will finish it";
    EXPECT_TRUE(std::filesystem::exists(path + "/slab-1.nwgpu.part"));
}

TEST_F(FolderTest, HoldsSlabs)
{
    EXPECT_TRUE(checkpoint::holds_slabs(path));
    Folder{path, problem(), true}.clear();
    EXPECT_FALSE(checkpoint::holds_slabs(path));
    EXPECT_FALSE(checkpoint::holds_slabs(path + "/nowhere"));
}

TEST(Folder, SaysWhyItCannotBeMade)
{
    EXPECT_THAT(message_of("/nowhere/at/all", problem(), false), HasSubstr("/nowhere/at/all: No such file"));
    TemporaryFolder const folder;
    std::ofstream{folder / "file"} << "x";
    EXPECT_THAT(message_of(folder / "file", problem(), false), HasSubstr("Not a directory"));
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

// A limit of this process, until the end of a scope.
class Limit {
public:
    using What = decltype(RLIMIT_FSIZE);

    Limit(What what, rlim_t low) : what_{what}
    {
        EXPECT_EQ(getrlimit(what_, &old_), 0);
        rlimit const now{low, old_.rlim_max};
        EXPECT_EQ(setrlimit(what_, &now), 0);
    }
    ~Limit() { setrlimit(what_, &old_); }
    Limit(Limit const &) = delete;

private:
    What what_;
    rlimit old_{};
};

// A disk that is full, here a limit of the size of files, whose signal would end the process: an error with a reason,
// and nothing is left but what was complete before.
TEST(Exhaustion, FilesThatCannotBeWritten)
{
    TemporaryFolder const place;
    {
        Folder folder{place / "run", problem(), false};
        folder.save(slab(0, 1));
        folder.load(0);
        Limit const limit{RLIMIT_FSIZE, 500};
        folder.save(slab(100, 2));
        EXPECT_THAT(why_not([&] { folder.save(slab(200, 3)); }),
                    AllOf(HasSubstr("slab-000001.nwgpu.part"), HasSubstr("File too large")));
        EXPECT_EQ(folder.count(), 1u) << "what was not written does not count";
    }
    EXPECT_FALSE(std::filesystem::exists(place / "run/slab-000001.nwgpu.part"));
    Folder folder{place / "run", problem(), true};
    EXPECT_EQ(folder.rows(), 100u);
    folder.save(slab(100, 2));
    EXPECT_EQ(folder.load(1)->bottom, slab(100, 2).bottom);
}

// A pair that is done needs no more files.
TEST(Exhaustion, WhatNobodyReadsNeedNotBeWritten)
{
    TemporaryFolder const place;
    Folder folder{place / "run", problem(), false};
    Limit const limit{RLIMIT_FSIZE, 500};
    folder.save(slab(0, 1));
    EXPECT_NO_THROW(folder.clear());
    EXPECT_TRUE(std::filesystem::is_empty(place / "run"));
}

TEST(Exhaustion, FilesThatCannotBeOpened)
{
    TemporaryFolder const place;
    Folder folder{place / "run", problem(), false};
    folder.save(slab(0, 1));
    folder.load(0);
    {
        Limit const limit{RLIMIT_NOFILE, 3};
        EXPECT_THAT(message_of(place / "other", problem(), false), HasSubstr("other: Too many open files"));
        EXPECT_THAT(why_not([&] { folder.load(0); }), HasSubstr("slab-000000.nwgpu: Too many open files"));
        folder.save(slab(100, 2));
        EXPECT_THAT(why_not([&] { folder.load(1); }), HasSubstr("slab-000001.nwgpu.part: Too many open files"));
    }
    EXPECT_EQ(folder.count(), 1u);
    folder.save(slab(100, 2));
    EXPECT_EQ(folder.load(1)->bottom, slab(100, 2).bottom);
}

#ifdef __GLIBC__
// Threads cannot be started here, as their stacks would be larger than the address space.
TEST(Exhaustion, WithoutThreads)
{
    pthread_attr_t old, huge;
    pthread_getattr_default_np(&old);
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
    pthread_setattr_default_np(&huge);
    TemporaryFolder const place;
    {
        Folder folder{place / "run", problem(), false};
        folder.save(slab(0, 1));
        EXPECT_TRUE(std::filesystem::exists(place / "run/slab-000000.nwgpu")) << "written at once";
        EXPECT_EQ(folder.load(0)->bottom, slab(0, 1).bottom);
    }
    pthread_setattr_default_np(&old);
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&old);
}
#endif

} // namespace
} // namespace nwgpu::test
