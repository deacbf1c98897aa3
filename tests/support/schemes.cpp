// SPDX-License-Identifier: BSD-3-Clause
// The scoring schemes and modes of the tests; see schemes.hpp.
#include "support/schemes.hpp"

#include <cstdio>
#include <cstdlib>

#include "model/alphabet.hpp"
#include "model/matrices.hpp"
#include "support/random.hpp"

namespace nwgpu::test {

namespace {

constexpr char const * dna = "ACGTN";
constexpr char const * protein = "ARNDCQEGHILKMFPSTWYVBZX";
constexpr std::int64_t big = max_cost;

Scheme uniform(std::string name, std::int64_t match, std::int64_t mismatch, std::int64_t open, std::int64_t extend,
               LetterCodes const * codes = nullptr)
{
    return {std::move(name), Scoring::uniform(match, mismatch, {open, extend}, codes), dna, true};
}

// With codes below 16, which some kernels compare in another way.
Scheme uniform_codes(std::string name, std::int64_t match, std::int64_t mismatch, std::int64_t open,
                     std::int64_t extend)
{
    return uniform(std::move(name), match, mismatch, open, extend, alphabet_codes("dna"));
}

// Every byte value is a letter of its own, 0 and 255 among them, and none may be taken for padding.
Scheme any_byte()
{
    return {"any_byte", Scoring::uniform(3, 2, {3, 1}), std::string{"\x00\xff\x01\xfe\x80\x7f", 6}, true};
}

// Case folded, U = T: codes that are not the bytes.
Scheme dna_codes()
{
    return {"dna_codes", Scoring::uniform(2, 4, {4, 2}, alphabet_codes("dna")), "ACGTacgtUuNn", true};
}

std::string letters_from(char first, int count)
{
    std::string letters;
    for (int i = 0; i < count; ++i)
        letters += static_cast<char>(first + i);
    return letters;
}

void append(std::vector<Scheme> & all, std::vector<Scheme> const & some)
{
    all.insert(all.end(), some.begin(), some.end());
}

} // namespace

std::vector<Scheme> const & everyday_schemes()
{
    static std::vector<Scheme> const schemes{uniform("dna_2_4_4_2", 2, 4, 4, 2),
                                             uniform_codes("dna_1_3_3_2", 1, 3, 3, 2),
                                             uniform("edit", 0, 1, 0, 1),
                                             uniform("dna_5_3_8_1", 5, 3, 8, 1),
                                             uniform_codes("wfa_0_4_6_2", 0, 4, 6, 2),
                                             any_byte(),
                                             dna_codes()};
    return schemes;
}

std::vector<Scheme> const & tie_schemes()
{
    static std::vector<Scheme> const schemes{
        uniform("linear_1_1_0_2", 1, 1, 0, 2),    uniform_codes("linear_1_1_0_1", 1, 1, 0, 1),
        uniform("indel_1_2_0_1", 1, 2, 0, 1),     uniform_codes("extend_0", 2, 3, 4, 0),
        uniform("subsequence", 1, 0, 0, 0),       uniform_codes("all_zero", 0, 0, 0, 0),
        uniform("hamming_free_gaps", 0, 1, 0, 0), uniform_codes("mismatch_0", 1, 0, 1, 1),
        uniform("open_only", 0, 0, 1, 0)};
    return schemes;
}

std::vector<Scheme> const & extreme_schemes()
{
    static std::vector<Scheme> const schemes{uniform("leaves_8_bits", 100, 120, 130, 90),
                                             uniform("around_127", 127, 128, 127, 1),
                                             uniform("leaves_16_bits", 20000, 30000, 40000, 10000),
                                             uniform("around_32767", 32767, 32768, 0, 32767),
                                             uniform("match_2_20", 1 << 20, 1 << 20, 1 << 20, 1 << 10),
                                             uniform("all_2_30", big, big, big, big),
                                             uniform("match_2_30", big, 0, 0, 0),
                                             uniform("no_mismatch", 0, big, 0, 1),
                                             uniform("no_gap", 1, 1, big, 1),
                                             uniform("no_long_gap", 1, 1, 0, big),
                                             uniform("extend_2_30_open_0", big, big, 0, big),
                                             random_matrix("matrix_2_30", 5, "ACGTN", -(1 << 30), 1 << 30, {big, big}),
                                             random_matrix("matrix_16_bits", 6, "ACGTN", -32768, 32767, {1000, 10})};
    return schemes;
}

std::vector<Scheme> const & matrix_schemes()
{
    static std::vector<Scheme> const schemes{
        named_matrix("BLOSUM62", {11, 1}, protein),
        named_matrix("PAM30", {9, 1}, protein),
        named_matrix("EDNAFULL", {10, 1}, "ACGTSWRYKMBVHDN"),
        named_matrix("BLOSUM62", {0, 4}, protein),
        random_matrix("asymmetric_5", 1, "ACGTN", -6, 6, {5, 1}),
        random_matrix("asymmetric_24", 2, letters_from('A', 24), -12, 12, {7, 2}),
        random_matrix("letters_32", 3, letters_from('A', 32), -9, 9, {4, 1}),
        random_matrix("letters_33", 8, letters_from('A', 33), -9, 9, {4, 1}),
        random_matrix("letters_128", 4, letters_from('\0', 128), -99, 99, {60, 10}),
        random_matrix("one_letter", 7, "A", 2, 2, {2, 1}),
        random_matrix("all_negative", 9, "ACGTN", -9, -1, {3, 1}),
        random_matrix("all_positive", 10, "ACGTN", 1, 9, {3, 1})};
    return schemes;
}

std::vector<Scheme> const & all_schemes()
{
    static std::vector<Scheme> const schemes = [] {
        std::vector<Scheme> all;
        append(all, everyday_schemes());
        append(all, tie_schemes());
        append(all, extreme_schemes());
        append(all, matrix_schemes());
        return all;
    }();
    return schemes;
}

std::vector<Scoring> const & schemes_of_gaps()
{
    static std::vector<Scoring> const all{
        Scoring::uniform(2, 4, {4, 2}),  Scoring::uniform(1, 4, {6, 1}), Scoring::uniform(2, 8, {12, 2}),
        Scoring::uniform(5, 4, {10, 1}), Scoring::uniform(1, 3, {0, 2}), Scoring::uniform(1, 1, {0, 1}),
        Scoring::uniform(1, 9, {1, 1}),  Scoring::uniform(3, 1, {2, 2}), Scoring::uniform(10, 9, {0, 3}),
        Scoring::uniform(1, 0, {3, 1}),  Scoring::uniform(4, 20, {1, 3})};
    return all;
}

Scheme const & scheme(std::string_view name)
{
    for (Scheme const & candidate : all_schemes())
        if (candidate.name == name)
            return candidate;
    std::fprintf(stderr, "tests: no scheme %.*s\n", static_cast<int>(name.size()), name.data());
    std::abort();
}

Scheme random_matrix(std::string const & name, std::uint64_t seed, std::string letters, int low, int high, GapCost gap)
{
    Random random{seed};
    int const size = static_cast<int>(letters.size());
    std::vector<std::int32_t> scores(static_cast<std::size_t>(size) * size);
    for (std::int32_t & score : scores)
        score = static_cast<std::int32_t>(low + static_cast<std::int64_t>(random.below(std::int64_t{high} - low + 1)));
    LetterCodes codes;
    codes.fill(invalid_code);
    for (int i = 0; i < size; ++i)
        codes[static_cast<std::uint8_t>(letters[i])] = static_cast<std::uint8_t>(i);
    return {name, Scoring::matrix(std::move(scores), size, codes, gap), std::move(letters), size == 1};
}

Scheme named_matrix(std::string const & matrix, GapCost gap, std::string letters)
{
    ScoreMatrix const known = nwgpu::named_matrix(matrix);
    std::string const name = matrix + "_" + std::to_string(gap.open) + "_" + std::to_string(gap.extend);
    return {name, Scoring::matrix(known.scores, static_cast<int>(known.letters.size()), known.codes, gap),
            std::move(letters), true};
}

std::vector<Mode> const & common_modes()
{
    static std::vector<Mode> const modes = [] {
        std::vector<Mode> all;
        for (int bits = 0; bits < 16; ++bits)
            all.push_back({false, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0});
        all.insert(all.begin() + 1, Mode{.local = true});
        return all;
    }();
    return modes;
}

std::vector<Mode> const & all_modes()
{
    static std::vector<Mode> const modes = [] {
        std::vector<Mode> all = common_modes();
        all.insert(all.begin() + 2, {Mode{.extend = true}, Mode{.extend_left = true}});
        return all;
    }();
    return modes;
}

std::string name(Mode const & mode)
{
    if (mode.extend)
        return "extend";
    if (mode.extend_left)
        return "extend_left";
    if (mode.local)
        return "local";
    if (mode.global())
        return "global";
    return std::string{"free_"} + (mode.free_query_begin ? "Qb" : "") + (mode.free_query_end ? "Qe" : "") +
           (mode.free_target_begin ? "Tb" : "") + (mode.free_target_end ? "Te" : "");
}

std::string name(Output output)
{
    static constexpr char const * names[] = {"score", "end", "span", "cigar"};
    return names[static_cast<int>(output)];
}

} // namespace nwgpu::test
