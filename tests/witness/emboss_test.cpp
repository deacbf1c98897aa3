// SPDX-License-Identifier: BSD-3-Clause
// EMBOSS needle and water as processes: the same optimal scores on real protein and DNA pairs.
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "support/cases.hpp"
#include "support/data.hpp"

namespace nwgpu::test {
namespace {

class EmbossWitness : public testing::Test {
protected:
    EmbossWitness() { std::filesystem::create_directories(folder_); }
    ~EmbossWitness() override { std::filesystem::remove_all(folder_); }

    // The score that `program` prints, rounded; gap costs are whole numbers here.
    std::int64_t score(std::string const & program, SequencePair const & pair, GapCost gap, std::string const & more)
    {
        std::ofstream{folder_ / "q.fa"} << ">q\n" << pair.query << "\n";
        std::ofstream{folder_ / "t.fa"} << ">t\n" << pair.target << "\n";
        std::string const command = program + " -asequence " + (folder_ / "q.fa").string() + " -bsequence " +
                                    (folder_ / "t.fa").string() + " -gapopen " + std::to_string(gap.open + gap.extend) +
                                    " -gapextend " + std::to_string(gap.extend) + " " + more +
                                    " -auto -stdout 2>/dev/null </dev/null";
        std::unique_ptr<FILE, int (*)(FILE *)> const pipe{popen(command.c_str(), "r"), pclose};
        std::array<char, 4096> line{};
        double value = NAN;
        while (pipe && fgets(line.data(), line.size(), pipe.get()))
            if (std::string const text{line.data()}; text.starts_with("# Score: "))
                value = std::stod(text.substr(9));
        EXPECT_FALSE(std::isnan(value)) << "no score from " << command;
        return std::isnan(value) ? 0 : std::llround(value);
    }

    void check_pair(SequencePair const & pair, Scheme const & s, std::string const & words)
    {
        GapCost const gap = s.scoring.gap();
        std::string const end_costs = "-endweight Y -endopen " + std::to_string(gap.open + gap.extend) +
                                      " -endextend " + std::to_string(gap.extend);
        struct Question {
            Mode mode;
            std::int64_t answer;
        };
        PairSet const set{{pair}, s.scoring};
        for (Question const & q :
             {Question{{}, score(NWGPU_EMBOSS_NEEDLE, pair, gap, end_costs)},
              Question{{false, true, true, true, true}, score(NWGPU_EMBOSS_NEEDLE, pair, gap, "")},
              Question{{.local = true}, score(NWGPU_EMBOSS_WATER, pair, gap, "")}})
            for (auto const & options : engine_setups(false)) {
                PairResult const result = run(set, s.scoring, {q.mode, Output::cigar, CigarStyle::eqx}, options).at(0);
                EXPECT_EQ(result.score, q.answer) << words << " " << name(q.mode) << " " << describe(options);
                expect_consistent(set, 0, s.scoring, q.mode, result, words);
            }
    }

private:
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("nwgpu_emboss_" + std::to_string(getpid()));
};

TEST_F(EmbossWitness, ProteinPairs)
{
    NWGPU_NEEDS_DATA("proteins/ortholog_pairs_cow.faa.gz");
    auto const cow = read_fasta("proteins/ortholog_pairs_cow.faa.gz"), pig = read_fasta("proteins/ortholog_pairs_pig.faa.gz");
    for (std::size_t p = 0; p < 4; ++p)
        check_pair({cow.at(3 * p).sequence, pig.at(3 * p).sequence}, scheme("BLOSUM62_11_1"), cow[3 * p].name);
    check_pair({cow.at(0).sequence, pig.at(5).sequence}, scheme("BLOSUM62_11_1"), "unrelated");
}

TEST_F(EmbossWitness, DnaPairs)
{
    NWGPU_NEEDS_DATA("genomes/hiv1_five_strains.fa.gz");
    auto const hiv = read_fasta("genomes/hiv1_five_strains.fa.gz");
    for (std::size_t p = 0; p < 3; ++p)
        check_pair({hiv.at(p).sequence.substr(0, 2500), hiv.at(p + 1).sequence.substr(200, 2300)},
                   scheme("EDNAFULL_10_1"), hiv[p].name);
}

} // namespace
} // namespace nwgpu::test
