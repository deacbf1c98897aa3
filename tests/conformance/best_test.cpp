// SPDX-License-Identifier: BSD-3-Clause
// The best pairs of each query are those that a call for all pairs tells, whatever the pairing and however many pairs
// are scored at a time, those of later sections from a least score on; few different targets, so that many scores are
// equal.
#include "align/best_call.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "model/cigar.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

class Texts {
public:
    void add(std::string const & text)
    {
        bytes_.insert(bytes_.end(), text.begin(), text.end());
        offsets_.push_back(bytes_.size());
    }
    std::uint64_t count() const { return offsets_.size() - 1; }
    RawSequences raw() const { return {bytes_, offsets_}; }

private:
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint64_t> offsets_{0};
};

// Some sequences again and again, some of them changed, some with a letter of no alphabet.
Texts random_texts(Random & random, std::uint64_t count, std::uint64_t longest, std::string_view letters)
{
    std::vector<std::string> some;
    for (std::uint64_t k = 0; k < 3; ++k)
        some.push_back(random_sequence(random, random.below(longest + 1), letters));
    Texts texts;
    for (std::uint64_t k = 0; k < count; ++k) {
        std::string text = random.pick(some);
        if (random.chance(0.3))
            text = mutated(random, text, letters, 0.1);
        if (random.chance(0.05))
            text.insert(random.below(text.size() + 1), 1, '\x01');
        texts.add(text);
    }
    return texts;
}

// One call, in all its parts.
struct Case {
    explicit Case(std::uint64_t seed, Scheme const & scheme, Mode const & mode) : words{"seed=" + std::to_string(seed)}
    {
        Random random{seed};
        pairing = static_cast<Pairing>(random.below(3));
        std::uint64_t const longest = random.chance(0.2) ? 150 : 25;
        bool const many = random.chance(0.2); // pairs of a query
        queries = random_texts(random, random.below(many ? 3 : 6), longest, scheme.letters);
        targets = random_texts(random, pairing == Pairing::zip ? queries.count() : random.below(many ? 100 : 20),
                               longest, scheme.letters);
        if (pairing == Pairing::zip)
            for (std::uint64_t k = 0; k < queries.count(); ++k)
                pairs.push_back({k, k});
        else if (pairing == Pairing::all)
            for (std::uint64_t k = 0; k < queries.count() * targets.count(); ++k)
                pairs.push_back({k / targets.count(), k % targets.count()});
        else if (queries.count() > 0 && targets.count() > 0)
            for (std::uint64_t k = random.below(many ? 200 : 60); k > 0; --k)
                pairs.push_back({random.below(queries.count()), random.below(targets.count())});
        best.targets = random.pick(std::vector<std::uint64_t>{1, 2, 3, 7, 100, UINT64_MAX});
        best.all_equal = random.chance(0.5);
        request.mode = mode;
        request.output = static_cast<Output>(random.below(4));
        request.style = static_cast<CigarStyle>(random.below(2));
        has_least = random.chance(0.3);
        is_limited = random.chance(0.3);
        if (random.chance(0.7))
            sections = {random.between(1, 40), random.between(1, 6)};
        words += " scheme=" + scheme.name + " mode=" + name(mode) +
                 " pairing=" + std::to_string(static_cast<int>(pairing)) + " targets=" + std::to_string(best.targets) +
                 " sections=" + std::to_string(sections.own) + ".." + std::to_string(sections.most);
    }

    std::string words;
    Pairing pairing = Pairing::all;
    Texts queries, targets;
    std::vector<Pair> pairs;
    Best best;
    Request request;
    bool has_least = false, is_limited = false;
    Sections sections;
};

// Numbers of the entries' pairs, by the words of nwgpu.h.
std::vector<std::uint64_t> expected_numbers(Case const & c, BatchResult const & all)
{
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t query = 0; query < c.queries.count(); ++query) {
        std::vector<std::uint64_t> good, failed;
        for (std::uint64_t p = 0; p < c.pairs.size(); ++p)
            if (c.pairs[p].query == query && all.status[p] != Status::below_min_score)
                (all.status[p] == Status::ok ? good : failed).push_back(p);
        std::ranges::stable_sort(good, std::ranges::greater{}, [&](std::uint64_t p) { return all.score[p]; });
        std::uint64_t count = std::min<std::uint64_t>(good.size(), c.best.targets);
        while (c.best.all_equal && count > 0 && count < good.size() &&
               all.score[good[count]] == all.score[good[count - 1]])
            ++count;
        numbers.insert(numbers.end(), good.begin(), good.begin() + static_cast<std::ptrdiff_t>(count));
        numbers.insert(numbers.end(), failed.begin(), failed.end());
    }
    return numbers;
}

std::string text_of(BatchResult const & result, std::uint64_t entry, Output output)
{
    std::string text = std::to_string(static_cast<int>(result.status[entry])) + " " +
                       std::to_string(result.score[entry]) + " " + result.failures.message(result.pair[entry]);
    if (output > Output::score) {
        AlignedSpan const & span = result.span[entry];
        for (std::uint64_t const number : {span.query_begin, span.query_end, span.target_begin, span.target_end})
            text.append(1, ' ').append(std::to_string(number));
    }
    if (output == Output::cigar) {
        std::uint64_t const begin = result.run_offsets[entry];
        std::span<std::uint32_t const> const runs{result.runs.data() + begin, result.run_offsets[entry + 1] - begin};
        std::string cigar(write_cigar(runs, {}), ' ');
        write_cigar(runs, cigar);
        text.append(1, ' ').append(cigar);
    }
    return text;
}

void expect_filtered(BestResult const & found, BatchResult const & all, Case const & c)
{
    std::vector<std::uint64_t> const expected = expected_numbers(c, all);
    ASSERT_EQ(found.numbers, expected) << c.words;
    ASSERT_EQ(found.value.count(), expected.size()) << c.words;
    ASSERT_EQ(found.pairs.size(), expected.size()) << c.words;
    for (std::uint64_t entry = 0; entry < expected.size(); ++entry) {
        Pair const pair = c.pairs[expected[entry]];
        EXPECT_EQ(found.pairs[entry].query, pair.query) << c.words;
        EXPECT_EQ(found.pairs[entry].target, pair.target) << c.words;
        EXPECT_EQ(found.value.pair[entry], entry) << c.words;
        EXPECT_EQ(text_of(found.value, entry, c.request.output), text_of(all, expected[entry], c.request.output))
            << c.words << " entry " << entry;
    }
}

class BestTest : public OnEachEngine<> {
protected:
    void check(Case & c, Scoring const & scoring)
    {
        Backend & engine = test::engine(kind() == BackendKind::cuda ? on_gpu() : EngineSetup{.threads = 2});
        CodedSequences const queries{c.queries.raw(), scoring}, targets{c.targets.raw(), scoring};
        Batch const batch{queries, targets, c.pairs};
        if (c.has_least && !c.pairs.empty()) {
            Request scores = c.request;
            scores.output = Output::score;
            c.request.min_score = align(engine, batch, scoring, scores).score[c.pairs.size() / 2];
        }
        BatchResult const all = align(engine, batch, scoring, c.request);
        PairsByQuery const pairs{c.pairing, queries.count(), targets.count(),
                                 c.pairing == Pairing::list ? c.pairs : std::span<Pair const>{}};
        std::vector<std::uint64_t> backwards; // queries in another order
        for (std::uint64_t query = queries.count(); query > 0; --query)
            backwards.push_back(query - 1);
        if (backwards.size() > 2)
            std::swap(backwards[0], backwards[backwards.size() / 2]);
        PairsByQuery const in_other_order{c.pairing, queries.count(), targets.count(),
                                          c.pairing == Pairing::list ? c.pairs : std::span<Pair const>{}, backwards};
        bool ordered = false;
        auto const call = [&](CodedSequences const & a, CodedSequences const & b, std::uint64_t limit) {
            return BestCall{engine,  team_,     a,      b,     ordered ? in_other_order : pairs,
                            scoring, c.request, c.best, limit, c.sections};
        };
        std::uint64_t before = 0;
        Progress const progress = [&](std::uint64_t done, std::uint64_t total) {
            EXPECT_TRUE(before <= done && done <= total) << c.words << " " << before << " " << done << " " << total;
            before = done;
            return true;
        };
        expect_filtered(call(queries, targets, 0).align(progress), all, c);
        if (c.pairing != Pairing::zip) {
            ordered = true;
            expect_filtered(call(queries, targets, 0).align({}), all, c);
            ordered = false;
        }
        if (c.request.min_score == no_min_score && engine.takes_letters(scoring, c.request)) {
            auto const coded = [&](Texts const & texts) {
                return CodedSequences{texts.raw(),
                                      [&] { return std::make_shared<CodedSequences const>(texts.raw(), scoring); }};
            };
            CodedSequences const query_letters = coded(c.queries), target_letters = coded(c.targets);
            expect_filtered(call(query_letters, target_letters, 0).align({}), all, c);
        }
        if (!c.is_limited)
            return;
        Estimate const estimate = call(queries, targets, 0).estimate();
        EXPECT_EQ(estimate.cells, batch.cells()) << c.words;
        expect_filtered(call(queries, targets, 2 * estimate.host_bytes).align({}), all, c);
    }

    Team team_{2};
};

TEST_P(BestTest, EqualsTheCallForAllPairs)
{
    std::uint64_t seed = 0;
    for (Scheme const & s : all_schemes())
        for (Mode const & mode : all_modes()) {
            if (++seed % 3 != 0 && kind() == BackendKind::cuda && !is_thorough())
                continue;
            Case c{seed, s, mode};
            check(c, s.scoring);
            if (HasFailure())
                return;
        }
    for (Mode const & mode : {Mode{.band = Diagonals{-5, 5}}, Mode{.local = true, .ties = Ties::last_end}})
        for (std::uint64_t k = 0; k < 10; ++k) {
            Case c{++seed, scheme("dna_2_4_4_2"), mode};
            check(c, scheme("dna_2_4_4_2").scoring);
        }
}

INSTANTIATE_TEST_SUITE_P(, BestTest, on_each_engine(), ParameterNames{});

} // namespace
} // namespace nwgpu::test
