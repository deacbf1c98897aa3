// SPDX-License-Identifier: BSD-3-Clause
// Letters of BAM records, two to a byte, and sets of sequences whose memory is used again.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "mapped_read.hpp"
#include "set_store.hpp"

namespace cli {
namespace {

TEST(SequenceLetters, FromAnyLetterToAnyOther)
{
    for (std::string const letters : {"ACGTNRYKMSWBDHV", "=ACMGRSVTWYHKDBN"}) {
        SamRecordPtr const record(bam_init1());
        std::string const qualities(letters.size(), 'I');
        ASSERT_GE(bam_set1(record.get(), 1, "r", BAM_FUNMAP, -1, -1, 0, 0, nullptr, -1, -1, 0, letters.size(),
                           letters.data(), qualities.data(), 0),
                  0);
        auto const length = static_cast<std::int64_t>(letters.size());
        for (std::int64_t begin = 0; begin <= length; ++begin)
            for (std::int64_t end = begin; end <= length; ++end)
                EXPECT_EQ(sequence_letters(record.get(), begin, end),
                          letters.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)))
                    << begin << " to " << end;
    }
}

TEST(SetStore, KeepsTheMemoryOfSetsThatAreNotTooLarge)
{
    constexpr std::uint64_t most = 10'000;
    SetStore store(most);
    SetStore const copy = store;
    for (std::uint64_t const letters : {most / 2, 2 * most}) {
        std::uint8_t const * memory = nullptr;
        {
            auto const set = store.make();
            set->reserve(letters);
            set->add_letters(std::string(letters, 'A'));
            set->add_record("r");
            memory = set->bytes().data();
        }
        auto const again = SetStore(copy).make();
        EXPECT_TRUE(again->empty());
        EXPECT_EQ(again->has_room(), letters <= most) << letters;
        if (again->has_room()) {
            again->add_letters("A");
            EXPECT_EQ(again->bytes().data(), memory);
        }
    }
}

} // namespace
} // namespace cli
