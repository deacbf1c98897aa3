// SPDX-License-Identifier: BSD-3-Clause
// Letters on their way to a device, from memory of both kinds, by several threads.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "base/aligned_buffer.hpp"
#include "base/pieces.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "cuda/batch/letters_up.hpp"
#include "support/two_bits.hpp"

namespace nwgpu::test {
namespace {

using cuda::batch::LettersUp;

struct Sent {
    std::string letters;
    bool in_two_bits = false, again = false;
};

class LettersUpTest : public testing::Test {
protected:
    Sent send(LettersUp & up, std::string const & letters, bool page_locked, bool locked_too)
    {
        constexpr std::uint64_t room = 1 << 20, behind = 64;
        void * host = nullptr;
        EXPECT_EQ(cudaMallocHost(&host, room), cudaSuccess);
        AlignedBuffer<std::uint8_t> device, two_bits; // an emulated device has no memory of its own
        std::uint8_t * const to = device.grow(room);
        std::memset(to, '#', room);
        std::memcpy(host, letters.data(), letters.size());
        auto const * const from = page_locked ? static_cast<std::uint8_t const *>(host)
                                              : reinterpret_cast<std::uint8_t const *>(letters.data());
        up.begin(from, letters.size(), locked_too);
        Sent sent;
        sent.in_two_bits = up.in_two_bits();
        auto const stage = [&] { for_each(&team_, up.pieces(), [&](std::uint64_t k) { up.stage(k); }); };
        stage();
        sent.again = !up.end_stage();
        if (sent.again) {
            EXPECT_EQ(up.pieces() > 0, !page_locked);
            stage();
            EXPECT_TRUE(up.end_stage());
        }
        EXPECT_EQ(up.pieces(), 0u);
        cudaStream_t stream = nullptr;
        up.send(stream, to, two_bits.grow(room));
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        auto const * const found = reinterpret_cast<char const *>(to);
        sent.letters.assign(found, letters.size());
        for (std::uint64_t k = letters.size() + 15; k < letters.size() + behind; ++k)
            EXPECT_EQ(found[k], '#') << k - letters.size();
        cudaFreeHost(host);
        return sent;
    }

    Team team_{3};
    Random random_{61};
};

TEST_F(LettersUpTest, FromMemoryOfBothKinds)
{
    std::string letters = random_sequence(random_, 200'001, "ACGT");
    for (std::uint64_t k = 0; k < letters.size(); k += 1111)
        letters[k] = 'N';
    letters.back() = 'N';
    LettersUp up{cpu::kernel_table({}).to_two_bits};
    for (bool const page_locked : {false, true})
        for (bool const locked_too : {false, true}) {
            Sent const sent = send(up, letters, page_locked, locked_too);
            EXPECT_EQ(sent.in_two_bits, !page_locked || locked_too) << page_locked << locked_too;
            EXPECT_FALSE(sent.again);
            EXPECT_EQ(sent.letters, letters) << page_locked << locked_too << " seed=61";
        }
}

// One try in a call.
TEST_F(LettersUpTest, TooManyStrays)
{
    std::string const letters = with_unseen_strays(random_, 200'001);
    for (bool const page_locked : {false, true}) {
        LettersUp up{cpu::kernel_table({}).to_two_bits};
        for (int const call : {0, 1}) {
            up.begin_call();
            for (int const chunk : {0, 1}) {
                Sent const sent = send(up, letters, page_locked, true);
                EXPECT_EQ(sent.in_two_bits, chunk == 0) << call;
                EXPECT_EQ(sent.again, chunk == 0) << call;
                EXPECT_EQ(sent.letters, letters) << page_locked << call << chunk << " seed=61";
            }
        }
    }
}

TEST_F(LettersUpTest, AsTheyAre)
{
    LettersUp up{cpu::kernel_table({}).to_two_bits}, never{nullptr};
    std::string const residues = random_sequence(random_, 200'000, "ARNDCQEGHILKMFPSTWYV"),
                      few = random_sequence(random_, 1000, "ACGT"), many = random_sequence(random_, 200'000, "ACGT");
    for (auto const & [which, letters] : {std::pair{&up, residues}, {&up, few}, {&never, many}}) {
        Sent const sent = send(*which, letters, false, true);
        EXPECT_FALSE(sent.in_two_bits);
        EXPECT_EQ(sent.letters, letters);
    }
    up.begin(nullptr, 0, true);
    EXPECT_EQ(up.pieces(), 0u);
}

} // namespace
} // namespace nwgpu::test
