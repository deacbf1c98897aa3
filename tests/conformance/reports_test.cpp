// SPDX-License-Identifier: BSD-3-Clause
// How long a call works without a look at its caller, who may want to stop it: 0.1 s at most, says the interface.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "align/aligner.hpp"
#include "base/error.hpp"
#include "cpu/probe.hpp"
#include "model/alphabet.hpp"
#include "support/random.hpp"
#include "support/raw_side.hpp"
#include "support/schemes.hpp"

namespace nwgpu::test {
namespace {

struct Work {
    char const * name;
    std::uint64_t pairs, query, flanks; // letters; of the target, on both sides
    double rate;                        // of changes; 1: unrelated
    double gaps = 0.2;                  // of the changes
    Request request{Mode{}, Output::cigar, CigarStyle::eqx};
    bool unit_costs = false, protein = false, one_query = false;
};

// The longest time between two reports, of the thread that makes the call; a busy machine does not count.
class Watch {
public:
    Progress progress()
    {
        last_ = cpu::thread_seconds();
        return [this](std::uint64_t done, std::uint64_t) {
            ++reports_;
            look(done);
            return goes_on;
        };
    }
    void end() { look(done_); }
    bool goes_on = true;
    double longest() const { return longest_; }
    std::uint64_t at() const { return at_; } // cells
    int reports() const { return reports_; }

private:
    void look(std::uint64_t done)
    {
        double const now = cpu::thread_seconds();
        if (now - last_ > longest_) {
            longest_ = now - last_;
            at_ = done;
        }
        last_ = now;
        done_ = done;
    }
    double last_ = 0, longest_ = 0;
    std::uint64_t done_ = 0, at_ = 0;
    int reports_ = 0;
};

std::unique_ptr<Aligner> make_aligner()
{
    AlignerOptions options;
    options.backend = BackendKind::cpu;
    options.cpu_threads = 1; // which does all the work
    return std::make_unique<Aligner>(options);
}

class Reports : public testing::Test {
protected:
    void SetUp() override
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
        GTEST_SKIP() << "this build takes many times as long";
#endif
    }
    static constexpr double most_seconds = 0.1;
    Scoring const dna_ = Scoring::uniform(2, 4, {4, 2}, alphabet_codes("dna"));
};
class ReportsOf : public Reports, public testing::WithParamInterface<Work> {};

TEST_P(ReportsOf, ACall)
{
    Work const & work = GetParam();
    Random random{work.pairs + work.query};
    std::string const alphabet = work.protein ? "ARNDCQEGHILKMFPSTWYV" : "ACGT";
    RawSide queries, targets;
    std::vector<Pair> list;
    for (std::uint64_t p = 0; p < work.pairs; ++p) {
        std::string const query = random_sequence(random, work.query, alphabet);
        if (p == 0 || !work.one_query)
            queries.add(query);
        targets.add(random_sequence(random, work.flanks, alphabet) +
                    (work.rate < 1 ? mutated(random, query, alphabet, work.rate, work.gaps)
                                   : random_sequence(random, work.query, alphabet)) +
                    random_sequence(random, work.flanks, alphabet));
        list.push_back({work.one_query ? 0 : p, p});
    }
    Scoring const scoring = work.protein      ? scheme("BLOSUM62_11_1").scoring
                            : work.unit_costs ? Scoring::uniform(0, 1, {0, 1}, alphabet_codes("dna"))
                                              : dna_;
    Watch watch;
    make_aligner()->align({queries.raw(), targets.raw(), list}, scoring, work.request, watch.progress());
    watch.end();
    EXPECT_LT(watch.longest(), most_seconds) << "until " << watch.at() << " cells were done";
    RecordProperty("longest_ms", static_cast<int>(1000 * watch.longest()));
}

TEST_F(Reports, WhileLettersBecomeCodes)
{
    RawSide queries, targets;
    queries.add("ACGT");
    targets.add("ACGT");
    targets.add(std::string(250'000'000, 'A')); // in no pair
    std::vector<Pair> const list{{0, 0}};
    Problem const problem{queries.raw(), targets.raw(), list};
    auto const aligner = make_aligner();
    Watch watch;
    aligner->align(problem, dna_, {}, watch.progress());
    watch.end();
    EXPECT_LT(watch.longest(), most_seconds);
    EXPECT_GE(watch.reports(), 2);
    Watch stop;
    stop.goes_on = false;
    EXPECT_THROW(aligner->align(problem, dna_, {}, stop.progress()), Error);
    EXPECT_EQ(stop.reports(), 1);
    EXPECT_EQ(aligner->align(problem, dna_, {}, {}).score[0], 8) << "codes of a call that was stopped are gone";
}

Request request_of(Mode const & mode, Output output = Output::cigar, std::uint32_t top = 1)
{
    Request request{mode, output, CigarStyle::eqx};
    request.top = top;
    return request;
}
Mode const within{.free_target_begin = true, .free_target_end = true};

INSTANTIATE_TEST_SUITE_P(
    All, ReportsOf,
    testing::Values(Work{"chromosomes", 1, 40'000'000, 0, 0.001}, Work{"long_similar", 1, 4'000'000, 0, 0.05},
                    Work{"long_accurate", 1, 4'000'000, 0, 0.002, 0},
                    Work{"long_local", 1, 2'000'000, 1000, 0.05, 0.2, request_of({.local = true})},
                    Work{"long_edits", 1, 1'000'000, 0, 0.05, 0.2, request_of({}), true},
                    Work{"long_score", 1, 2'000'000, 0, 0.05, 0.2, request_of({}, Output::score)},
                    Work{"unrelated", 1, 60'000, 0, 1},
                    Work{"unrelated_local", 1, 60'000, 0, 1, 0, request_of({.local = true})},
                    Work{"extension", 1, 60'000, 0, 0.1, 0.2, request_of({.extend = true})},
                    Work{"other_ties", 1, 20'000, 0, 0.1, 0.2, request_of({.ties = Ties::gaps_first})},
                    Work{"band", 1, 60'000, 0, 0.1, 0.2, request_of({.band = Diagonals{-3000, 3000}})},
                    Work{"several", 1, 10'000, 0, 0.1, 0.2, request_of({.local = true}, Output::cigar, 5)},
                    Work{"reads", 300'000, 150, 25, 0.05, 0.2, request_of(within)},
                    Work{"accurate_reads", 300'000, 150, 25, 0.003, 0.2, request_of(within)},
                    Work{"edits", 300'000, 150, 0, 0.05, 0.2, request_of({}), true},
                    Work{"tiny", 2'000'000, 8, 0, 0.05, 0.2, request_of({}, Output::score)},
                    Work{"kilobases", 20'000, 1000, 0, 0.05}, Work{"unrelated_kilobases", 2000, 2000, 0, 1},
                    Work{"long_reads", 500, 15'000, 1000, 0.05, 0.2, request_of(within)},
                    Work{"accurate_long_reads", 1000, 15'000, 1000, 0.002, 0.2, request_of(within)},
                    Work{"unrelated_reads", 100, 10'000, 0, 1},
                    Work{"proteins", 3000, 400, 0, 0.5, 0.1, request_of({.local = true}), false, true},
                    Work{"database", 20'000, 400, 0, 1, 0, request_of({.local = true}, Output::score), false, true,
                         true}),
    [](auto const & info) { return std::string{info.param.name}; });

} // namespace
} // namespace nwgpu::test
