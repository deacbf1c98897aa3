// SPDX-License-Identifier: BSD-3-Clause
// The models of generator.hpp.  splitmix64 is the only source of randomness.
#include "generator.hpp"

#include "peers/scheme.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace performance {

Random::Random(std::string_view name) : state_{0xcbf29ce484222325u}
{
    for (char letter : name) // FNV-1a
        state_ = (state_ ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
}

std::uint64_t Random::next()
{
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double Random::unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::size_t Random::below(std::size_t exclusive)
{
    return static_cast<std::size_t>(((next() >> 32) * exclusive) >> 32);
}

namespace {

char base(Random & random) { return "ACGT"[random.below(4)]; }

char other_base(Random & random, char not_this)
{
    char letter = base(random);
    while (letter == not_this)
        letter = base(random);
    return letter;
}

constexpr std::size_t residue_count = 20;
using Frequencies = std::array<double, residue_count>;

// Background frequencies of the residues (Robinson and Robinson 1991), in the order of letters(Scheme::protein).
constexpr Frequencies background = {.07805, .05129, .04487, .05364, .01925, .04264, .06295, .07377, .02199, .05142,
                                    .09019, .05744, .02243, .03856, .05203, .07120, .05841, .01330, .03216, .06441};

// Cumulative tables: [20] is the background, [a] the residues that replace a: p(b) exp(lambda s(a, b)).
std::array<Frequencies, residue_count + 1> make_tables()
{
    constexpr double lambda = 0.3176;
    auto const scores = matrix(Scheme::protein);
    std::array<Frequencies, residue_count + 1> tables{};
    for (std::size_t a = 0; a <= residue_count; ++a) {
        double sum = 0;
        for (std::size_t b = 0; b < residue_count; ++b) {
            double const odds = a == residue_count ? 1.0 : std::exp(lambda * scores[a * residue_count + b]);
            tables[a][b] = sum += background[b] * odds;
        }
        for (double & value : tables[a])
            value /= sum;
    }
    return tables;
}

char residue(Random & random, std::size_t table)
{
    static auto const tables = make_tables();
    double const value = random.unit();
    std::size_t b = 0;
    while (b + 1 < residue_count && tables[table][b] <= value)
        ++b;
    return letters(Scheme::protein)[b];
}

} // namespace

std::string random_dna(Random & random, std::size_t length)
{
    std::string sequence(length, 'A');
    for (char & letter : sequence)
        letter = base(random);
    return sequence;
}

std::string mutated_dna(Random & random, std::string_view original, double divergence)
{
    std::string copy;
    copy.reserve(original.size() + original.size() / 8);
    for (char letter : original) {
        if (random.unit() >= divergence) {
            copy += letter;
            continue;
        }
        switch (random.below(3)) {
        case 0:
            copy += other_base(random, letter);
            break;
        case 1: // insertion before the letter
            copy += base(random);
            copy += letter;
            break;
        default:
            break; // deletion
        }
    }
    return copy;
}

std::string sequenced_dna(Random & random, std::string_view original)
{
    std::string copy;
    for (char letter : original) {
        std::uint64_t const change = random.below(20000);
        if (change >= 3)
            copy += change < 63 ? other_base(random, letter) : letter;
        if (change >= 63 && change < 66)
            copy += base(random);
    }
    return copy;
}

std::string restructured_dna(Random & random, std::string_view original, std::size_t shortest, std::size_t longest)
{
    constexpr std::size_t events = 5;
    std::string copy;
    std::size_t done = 0;
    for (std::size_t event = 0; event < events; ++event) {
        std::size_t const at = original.size() * (2 * event + 1) / (2 * events);
        std::size_t const length = shortest + random.below(longest - shortest + 1);
        copy += original.substr(done, at - done);
        done = at;
        std::size_t const kind = event % 3; // insertion, deletion, replacement, insertion, deletion
        if (kind != 1)
            copy += random_dna(random, length);
        if (kind != 0)
            done = std::min(original.size(), at + length);
    }
    copy += original.substr(done);
    return copy;
}

std::string random_protein(Random & random, std::size_t length)
{
    std::string sequence(length, 'A');
    for (char & letter : sequence)
        letter = residue(random, residue_count);
    return sequence;
}

std::string homologous_protein(Random & random, std::string_view original)
{
    constexpr double gap_start = 0.01, gap_continue = 0.5;
    auto const codes = encode(Scheme::protein, original);
    std::string copy;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        if (random.unit() < gap_start)
            do
                copy += residue(random, residue_count);
            while (random.unit() < gap_continue);
        if (random.unit() < gap_start)
            while (i + 1 < codes.size() && random.unit() < gap_continue)
                ++i; // together with this letter: a deletion of mean length 2
        else
            copy += residue(random, codes[i]);
    }
    return copy;
}

} // namespace performance
