// SPDX-License-Identifier: BSD-3-Clause
// What goes in and comes out: inputs of every kind, laziness, batches, threads, callbacks, CIGARs, errors.
#include "compare.hpp"

#include <forward_list>
#include <list>
#include <set>

#include <sys/resource.h>

#include <seqan3/alignment/scoring/nucleotide_scoring_scheme.hpp>
#include <seqan3/alphabet/nucleotide/dna4.hpp>
#include <seqan3/utility/views/zip.hpp>

namespace nwgpu::test {
namespace {

using namespace ::seqan3::literals;
using ::seqan3::dna4;
using ours = nwgpu::seqan3::options;
namespace adapter = nwgpu::seqan3;

auto scheme(int match = 4, int mismatch = -5)
{
    return align_cfg::scoring_scheme{
        ::seqan3::nucleotide_scoring_scheme<std::int8_t>{::seqan3::match_score{static_cast<std::int8_t>(match)},
                                                         ::seqan3::mismatch_score{static_cast<std::int8_t>(mismatch)}}};
}
auto affine() { return align_cfg::method_global{} | scheme() | gap_cost(-10, -1); }
auto scores() { return affine() | align_cfg::output_score{}; }

template <typename range_t>
std::vector<std::string> texts(range_t && range)
{
    std::vector<std::string> texts;
    for (auto && result : range)
        texts.push_back(text_of_result(result));
    return texts;
}

std::string cigar_text(std::vector<::seqan3::cigar> const & cigar)
{
    std::string text;
    for (auto const run : cigar)
        for (char const c : run.to_string())
            text += c;
    return text;
}

struct Pair {
    std::vector<dna4> first = "ACGTGACTGACTGACTTTGA"_dna4, second = "ACGTGACTACTTGACTTTGA"_dna4;
};

TEST(SeqAn3Inputs, OnePair)
{
    Pair pair;
    auto const expected = texts(::seqan3::align_pairwise(std::tie(pair.first, pair.second), affine()));
    ASSERT_EQ(expected.size(), 1u);
    EXPECT_EQ(texts(adapter::align_pairwise(std::tie(pair.first, pair.second), affine())), expected);
    EXPECT_EQ(texts(adapter::align_pairwise(std::pair{pair.first, pair.second}, affine() | align_cfg::output_score{})),
              std::vector<std::string>{"score 54"});
    std::pair lvalue{pair.first, pair.second};
    EXPECT_EQ(texts(adapter::align_pairwise(lvalue, affine())), expected);
    std::tuple const constant{pair.first, pair.second};
    EXPECT_EQ(texts(adapter::align_pairwise(constant, affine())), expected);
}

TEST(SeqAn3Inputs, ViewsAndContainers)
{
    Pair pair;
    auto const first = pair.first | std::views::drop(2);
    auto const second = pair.second | std::views::reverse;
    EXPECT_EQ(texts(adapter::align_pairwise(std::tie(first, second), affine())),
              texts(::seqan3::align_pairwise(std::tie(first, second), affine())));

    std::vector<std::vector<dna4>> firsts{pair.first, pair.second, {}, pair.first},
        seconds{pair.second, {}, {}, pair.first};
    EXPECT_EQ(texts(adapter::align_pairwise(::seqan3::views::zip(firsts, seconds), affine())),
              texts(::seqan3::align_pairwise(::seqan3::views::zip(firsts, seconds), affine())));

    std::forward_list<std::pair<std::vector<dna4>, std::vector<dna4>>> forward{{pair.first, pair.second}, {{}, {}}};
    EXPECT_EQ(texts(adapter::align_pairwise(forward, affine())), texts(::seqan3::align_pairwise(forward, affine())));

    // SeqAn3 3.2 does not take a constant container.
    pair_list<dna4> const constant{{pair.first, pair.second}};
    EXPECT_EQ(texts(adapter::align_pairwise(constant, affine())),
              texts(::seqan3::align_pairwise(std::tie(pair.first, pair.second), affine())));

    pair_list<dna4> none;
    EXPECT_TRUE(texts(adapter::align_pairwise(none, affine())).empty());

    // SeqAn3 does not take a temporary container; its letters live as long as the range here.
    EXPECT_EQ(texts(adapter::align_pairwise(pair_list<dna4>{{pair.first, pair.second}}, affine())),
              texts(::seqan3::align_pairwise(std::tie(pair.first, pair.second), affine())));
}

// Scores that come as double, and a scheme that is one: the latter is SeqAn3's to compute.
TEST(SeqAn3Inputs, ScoreTypes)
{
    Pair pair;
    auto const tie = std::tie(pair.first, pair.second);
    auto as_double = adapter::align_pairwise(tie, scores() | align_cfg::score_type<double>{});
    static_assert(std::same_as<decltype(as_double.begin()->score()), double>);
    EXPECT_EQ(as_double.begin()->score(), 54.0);
    auto as_short = adapter::align_pairwise(tie, scores() | align_cfg::score_type<std::int16_t>{});
    static_assert(std::same_as<decltype(as_short.begin()->score()), std::int16_t>);
    EXPECT_EQ(as_short.begin()->score(), 54);

    align_cfg::scoring_scheme const halves{::seqan3::nucleotide_scoring_scheme<float>{
        ::seqan3::match_score<float>{4.5}, ::seqan3::mismatch_score<float>{-5}}};
    auto const config = align_cfg::method_global{} | halves | gap_cost(-10, -1) | align_cfg::score_type<float>{} |
                        align_cfg::output_score{};
    EXPECT_EQ(adapter::align_pairwise(tie, config).begin()->score(),
              ::seqan3::align_pairwise(tie, config).begin()->score());
}

// The debug matrices are SeqAn3's too.
TEST(SeqAn3Inputs, DebugIsForwarded)
{
    Pair pair;
    auto const config = affine() | align_cfg::detail::debug{};
    auto range = adapter::align_pairwise(std::tie(pair.first, pair.second), config);
    EXPECT_EQ(range.begin()->score_matrix().cols(), pair.first.size() + 1);
}

// Nothing is computed before begin(), and no more pairs are read than needed.
TEST(SeqAn3Range, IsLazyAndMoveOnly)
{
    std::size_t read = 0;
    Pair pair;
    std::vector<int> many(100000);
    auto pairs = many | std::views::transform([&](int) {
                     ++read;
                     return std::tie(pair.first, pair.second);
                 });
    auto range = adapter::align_pairwise(pairs, scores());
    static_assert(!std::copy_constructible<decltype(range)> && std::movable<decltype(range)> &&
                  std::ranges::input_range<decltype(range)> && !std::ranges::forward_range<decltype(range)>);
    EXPECT_EQ(read, 0u);
    auto moved = std::move(range);
    EXPECT_EQ(moved.begin()->score(), 54);
    EXPECT_LT(read, 1000u);
    EXPECT_THROW(range.begin(), std::runtime_error);
}

// A million pairs, never held as a whole, on one thread and on two; in their order.
TEST(SeqAn3Range, Streams)
{
    Random random{1};
    std::vector<std::vector<dna4>> sequences;
    for (int k = 0; k < 97; ++k)
        sequences.push_back(letters_of<dna4>(random_sequence(random, 40, "ACGT")));
    auto const pairs =
        std::views::iota(0, 1000000) | std::views::transform([&](int p) {
            return std::tie(sequences[static_cast<std::size_t>(p % 97)], sequences[static_cast<std::size_t>(p % 89)]);
        });
    std::vector<int> expected(97 * 89);
    for (auto && result :
         adapter::align_pairwise(pairs | std::views::take(97 * 89), scores() | align_cfg::output_sequence1_id{}))
        expected[result.sequence1_id()] = result.score();

    auto const peak = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;
    };
    auto const before = peak();
    auto const check = [&](auto && range) {
        std::size_t p = 0;
        for (auto && result : range) {
            ASSERT_EQ(result.sequence1_id(), p);
            ASSERT_EQ(result.score(), expected[p % (97 * 89)]) << p;
            ++p;
        }
        EXPECT_EQ(p, 1000000u);
    };
    check(adapter::align_pairwise(pairs, scores() | align_cfg::output_sequence1_id{}));
    check(adapter::align_pairwise(pairs, scores() | align_cfg::output_sequence1_id{} | align_cfg::parallel{2}));
    EXPECT_LT(peak() - before, 40 * 1024) << "KiB more than before";
}

TEST(SeqAn3Range, BatchesOfAnySizeGiveTheSame)
{
    auto pairs = random_pairs<dna4>(7, 1500, 30, "ACGT");
    auto const expected = texts(adapter::align_pairwise(pairs, affine()));
    for (std::size_t const size : {1, 2, 100, 1000})
        for (std::uint32_t const threads : {1u, 2u}) {
            ours options;
            options.batch_pairs = size;
            EXPECT_EQ(texts(adapter::align_pairwise(pairs, affine() | align_cfg::parallel{threads}, options)),
                      expected);
            options.batch_pairs = 1000;
            options.batch_letters = size;
            EXPECT_EQ(texts(adapter::align_pairwise(pairs, affine() | align_cfg::parallel{threads}, options)),
                      expected);
        }
    EXPECT_EQ(texts(adapter::align_pairwise(pairs, scores() | align_cfg::vectorised{})),
              texts(adapter::align_pairwise(pairs, scores())));
}

// Batches with a long pair are aligned alone, by all threads; the order stays.
TEST(SeqAn3Range, LongPairsAmongShortOnes)
{
    Random random{12};
    pair_list<dna4> pairs;
    for (int p = 0; p < 60; ++p) {
        std::uint64_t const length = p % 17 == 5 ? 6000 : 30;
        pairs.emplace_back(letters_of<dna4>(random_sequence(random, length, "ACGT")),
                           letters_of<dna4>(random_sequence(random, length, "ACGT")));
    }
    auto const expected = texts(adapter::align_pairwise(pairs, affine()));
    ours options;
    options.batch_pairs = 4;
    for (std::uint32_t const threads : {2u, 5u})
        EXPECT_EQ(texts(adapter::align_pairwise(pairs, affine() | align_cfg::parallel{threads}, options)), expected);
    // One that is not read to its end.
    auto range = adapter::align_pairwise(pairs, affine() | align_cfg::parallel{3}, options);
    EXPECT_EQ(text_of_result(*range.begin()), expected[0]);
}

TEST(SeqAn3Range, OnResult)
{
    auto pairs = random_pairs<dna4>(8, 2000, 30, "ACGT");
    std::vector<std::string> found;
    auto const config =
        affine() | align_cfg::on_result{[&](auto && result) { found.push_back(text_of_result(result)); }};
    static_assert(std::is_void_v<decltype(adapter::align_pairwise(pairs, config))>);
    adapter::align_pairwise(pairs, config);
    EXPECT_EQ(found, texts(adapter::align_pairwise(pairs, affine())));
}

TEST(SeqAn3Cigar, WithAndWithoutRows)
{
    auto pairs = random_pairs<dna4>(9, 500, 40, "ACGT");
    for (bool const extended : {true, false}) {
        adapter::cigar_options options;
        options.extended = extended;
        auto with_rows = adapter::align_pairwise(pairs, affine());
        auto row = with_rows.begin();
        std::size_t count = 0;
        for (auto && result : adapter::align_pairwise(pairs, affine(), options)) {
            EXPECT_EQ(cigar_text(adapter::cigar(result)), cigar_text(adapter::cigar(*row, extended)));
            EXPECT_EQ(result.score(), row->score());
            EXPECT_EQ(result.sequence1_begin_position(), row->sequence1_begin_position());
            ++row;
            ++count;
        }
        EXPECT_EQ(count, pairs.size());
    }
    auto first = "GAAAAC"_dna4, second = "GAAC"_dna4;
    // The costs of gaps that are not given are those of the same call with an alignment.
    auto const no_costs = align_cfg::method_global{} | scheme();
    EXPECT_EQ(adapter::align_pairwise(std::tie(first, second), no_costs, adapter::cigar_options{}).begin()->score(),
              adapter::align_pairwise(std::tie(first, second), no_costs).begin()->score());
    auto const edit = align_cfg::method_global{} | align_cfg::edit_scheme;
    EXPECT_EQ(cigar_text(adapter::cigar(*adapter::align_pairwise(std::tie(first, second), affine()).begin())),
              "1=2D3=");
    EXPECT_EQ(cigar_text(adapter::cigar(*adapter::align_pairwise(std::tie(first, second), edit).begin())), "3=2D1=");
}

TEST(SeqAn3Options, ProgressStopsTheCall)
{
    Random random{10};
    auto const sequence = letters_of<dna4>(random_sequence(random, 60000, "ACGT"));
    auto const other = letters_of<dna4>(random_sequence(random, 60000, "ACGT"));
    std::uint64_t calls = 0;
    ours options;
    options.engine = adapter::backend::cpu;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_LE(done, total);
        ++calls;
        return false;
    };
    EXPECT_THROW(adapter::align_pairwise(std::tie(sequence, other), scores(), options).begin(), std::runtime_error);
    EXPECT_EQ(calls, 1u);
}

TEST(SeqAn3Options, MemoryLimitAndDevice)
{
    Random random{11};
    auto const sequence = letters_of<dna4>(random_sequence(random, 20000, "ACGT"));
    ours options;
    options.max_host_bytes = 1000;
    EXPECT_THROW(adapter::align_pairwise(std::tie(sequence, sequence), affine(), options).begin(), std::bad_alloc);
    ours device;
    device.engine = adapter::backend::cpu;
    device.device = -1;
    EXPECT_THROW(adapter::align_pairwise(std::tie(sequence, sequence), affine(), device), std::runtime_error);
}

// On a GPU the same results, through CIGARs and gapped rows, long pairs and short ones; without one a clear error.
TEST(SeqAn3Options, Gpu)
{
    ours options;
    options.engine = adapter::backend::cuda;
    auto pairs = random_pairs<dna4>(12, 300, 60, "ACGT");
    if (nwgpu_device_count(NWGPU_BACKEND_CUDA) == 0) {
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_device_info info = NWGPU_DEVICE_INFO_INIT;
        ASSERT_EQ(nwgpu_device_describe(NWGPU_BACKEND_CUDA, 0, &info, &error), NWGPU_ERROR_NO_DEVICE);
        try {
            (void) adapter::align_pairwise(pairs, affine(), options);
            FAIL() << "no exception";
        } catch (std::runtime_error const & thrown) {
            std::string const what = thrown.what(), why = error.message;
            EXPECT_FALSE(why.empty());
            EXPECT_NE(what.find(why), std::string::npos) << what;
        }
        options.engine = adapter::backend::automatic;
    }
    Random random{13};
    auto const sequence = letters_of<dna4>(random_sequence(random, 20000, "ACGT"));
    pairs.push_back({sequence, letters_of<dna4>(random_sequence(random, 20000, "ACGT"))});
    EXPECT_EQ(texts(adapter::align_pairwise(pairs, affine(), options)),
              texts(adapter::align_pairwise(pairs, affine())));
}

using invalid = ::seqan3::invalid_alignment_configuration;

template <typename config_t>
void run(Pair & pair, config_t const & config)
{
    for (auto && result : adapter::align_pairwise(std::tie(pair.first, pair.second), config))
        (void) result;
}

TEST(SeqAn3Errors, AreThoseOfSeqAn3)
{
    Pair pair;
    auto const band = [](int lower, int upper) {
        return align_cfg::band_fixed_size{align_cfg::lower_diagonal{lower}, align_cfg::upper_diagonal{upper}};
    };
    EXPECT_THROW(run(pair, affine() | align_cfg::parallel{}), std::runtime_error);
    EXPECT_THROW(run(pair, affine() | align_cfg::min_score{-3}), invalid);
    EXPECT_THROW(run(pair, align_cfg::method_global{} | align_cfg::edit_scheme | band(-3, 3)), invalid);
    EXPECT_THROW(run(pair, affine() | band(3, -3)), invalid);
    EXPECT_THROW(run(pair, affine() | band(1, 3)), invalid);
    EXPECT_THROW(run(pair, affine() | band(-3, -1)), invalid);
    EXPECT_THROW(run(pair, align_cfg::method_local{} | scheme() | gap_cost(-10, -1) | band(21, 30)), invalid);
    EXPECT_THROW(run(pair, align_cfg::method_local{} | scheme() | gap_cost(-10, -1) | band(-30, -21)), invalid);
    EXPECT_THROW(run(pair, align_cfg::method_global{} | scheme() | gap_cost(-10, 1)), invalid);
    pair.first.resize(5);
    EXPECT_THROW(run(pair, scores() | band(-3, 3)), invalid);

    align_cfg::scoring_scheme const large{::seqan3::nucleotide_scoring_scheme<std::int16_t>{
        ::seqan3::match_score<std::int16_t>{200}, ::seqan3::mismatch_score<std::int16_t>{-200}}};
    auto const narrow = align_cfg::method_global{} | large | gap_cost(-10, -1) | align_cfg::output_score{} |
                        align_cfg::score_type<std::int8_t>{};
    EXPECT_THROW(run(pair, narrow | align_cfg::vectorised{}), std::invalid_argument);
    EXPECT_THROW(run(pair, narrow), std::overflow_error);
}

// A pair that fails throws when its turn has come; the others are there.
TEST(SeqAn3Errors, OnePairOfMany)
{
    Pair pair;
    pair_list<dna4> pairs(3, {pair.first, pair.second});
    pairs[1].first.resize(3);
    auto const config =
        scores() | align_cfg::band_fixed_size{align_cfg::lower_diagonal{-2}, align_cfg::upper_diagonal{2}};
    auto range = adapter::align_pairwise(pairs, config);
    auto it = range.begin();
    EXPECT_EQ(it->score(), 54);
    EXPECT_THROW(++it, invalid);
    ++it;
    EXPECT_EQ(it->score(), 54);
    ++it;
    EXPECT_TRUE(it == range.end());
}

// Pairs are counted from 0 over the whole range, like the ids of results; lengths are those of sequence1 and sequence2.
TEST(SeqAn3Errors, BandWithoutPathNamesPairAndBand)
{
    Pair pair;
    pair_list<dna4> pairs(5, {pair.first, pair.second});
    pairs[3].first.resize(3);
    ours options;
    options.batch_pairs = 2;
    auto const config =
        scores() | align_cfg::band_fixed_size{align_cfg::lower_diagonal{-2}, align_cfg::upper_diagonal{4}};
    std::string said;
    std::size_t results = 0;
    try {
        for (auto && result : adapter::align_pairwise(pairs, config, options))
            results += result.score() == 54;
    } catch (invalid const & error) {
        said = error.what();
    }
    EXPECT_EQ(results, 3u);
    EXPECT_EQ(said,
              "The selected band [-2:4] cannot be used with the current alignment configuration: For pair 3 (3 and "
              "20 letters) the band holds no path from an allowed begin to an allowed end.");
}

} // namespace
} // namespace nwgpu::test
