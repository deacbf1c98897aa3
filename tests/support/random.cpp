// SPDX-License-Identifier: BSD-3-Clause
// Random sequences for tests; see random.hpp.
#include "support/random.hpp"

#include <algorithm>
#include <cstdlib>

namespace nwgpu::test {

namespace {

std::string tandem(Random & random, std::uint64_t length, std::string_view unit, std::string_view letters)
{
    std::string sequence;
    while (sequence.size() < length)
        sequence += unit;
    sequence.resize(length);
    for (char & letter : sequence)
        if (random.chance(0.02))
            letter = letters[random.below(letters.size())];
    return sequence;
}

std::string palindrome(Random & random, std::uint64_t length, std::string_view letters)
{
    std::string half = random_sequence(random, (length + 1) / 2, letters);
    std::string sequence = half + std::string{half.rbegin(), half.rend()};
    sequence.resize(length);
    return sequence;
}

std::string runs(Random & random, std::uint64_t length, std::string_view letters)
{
    std::string sequence;
    while (sequence.size() < length)
        sequence.append(random.between(1, 40), letters[random.below(letters.size())]);
    sequence.resize(length);
    return sequence;
}

// Exactly `length` letters: cut at a random side, or padded with random letters at a random side.
std::string fit(Random & random, std::string sequence, std::uint64_t length, std::string_view letters)
{
    bool const front = random.chance(0.5);
    if (sequence.size() > length)
        return front ? sequence.substr(sequence.size() - length) : sequence.substr(0, length);
    std::string const padding = random_sequence(random, length - sequence.size(), letters);
    return front ? padding + sequence : sequence + padding;
}

} // namespace

std::uint64_t Random::next()
{
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

std::vector<Model> const & all_models()
{
    static std::vector<Model> const models{Model::uniform,   Model::mutated,     Model::noisy,
                                           Model::structured, Model::tandem,     Model::symmetric,
                                           Model::homopolymer, Model::two_letters, Model::one_letter};
    return models;
}

std::string_view name(Model model)
{
    static constexpr std::string_view names[] = {"uniform",   "mutated",     "noisy",       "structured", "tandem",
                                                 "symmetric", "homopolymer", "two_letters", "one_letter"};
    return names[static_cast<int>(model)];
}

std::string random_sequence(Random & random, std::uint64_t length, std::string_view letters)
{
    std::string sequence(length, letters[0]);
    for (char & letter : sequence)
        letter = letters[random.below(letters.size())];
    return sequence;
}

std::string mutated(Random & random, std::string_view sequence, std::string_view letters, double divergence,
                    double indel_share)
{
    std::string copy;
    copy.reserve(sequence.size() + sequence.size() / 8);
    for (char const letter : sequence) {
        if (!random.chance(divergence)) {
            copy += letter;
        } else if (!random.chance(indel_share)) {
            copy += letters[random.below(letters.size())];
        } else if (random.chance(0.5)) {
            copy += letter;
            copy += letters[random.below(letters.size())];
        } // else the letter is deleted
    }
    return copy;
}

std::string restructured(Random & random, std::string_view sequence, std::string_view letters, int events,
                         std::uint64_t longest)
{
    std::string copy{sequence};
    for (int event = 0; event < events && !copy.empty(); ++event) {
        std::uint64_t const at = random.below(copy.size());
        std::uint64_t const length = std::min(random.between(1, longest), copy.size() - at);
        switch (random.below(4)) {
        case 0: copy.erase(at, length); break;
        case 1: copy.insert(at, random_sequence(random, length, letters)); break;
        case 2: copy.replace(at, length, random_sequence(random, length, letters)); break;
        default: copy.insert(at, copy.substr(at, length)); break;
        }
    }
    return copy;
}

SequencePair random_pair(Random & random, Model model, std::uint64_t query_length, std::uint64_t target_length,
                         std::string_view letters, double divergence)
{
    std::uint64_t const longest = std::max(query_length, target_length);
    auto const copies = [&](auto && change) {
        std::string const root = random_sequence(random, longest, letters);
        return SequencePair{fit(random, root, query_length, letters), fit(random, change(root), target_length, letters)};
    };
    switch (model) {
    case Model::mutated: return copies([&](auto const & s) { return mutated(random, s, letters, divergence); });
    case Model::noisy: return copies([&](auto const & s) { return mutated(random, s, letters, divergence, 0.9); });
    case Model::structured:
        return copies([&](auto const & s) {
            return restructured(random, mutated(random, s, letters, divergence / 4), letters, 4, longest / 6 + 1);
        });
    case Model::tandem: {
        std::string const unit = random_sequence(random, random.between(1, 7), letters);
        return {tandem(random, query_length, unit, letters), tandem(random, target_length, unit, letters)};
    }
    case Model::symmetric: {
        std::string const whole = palindrome(random, longest, letters);
        return {fit(random, whole, query_length, letters), fit(random, whole, target_length, letters)};
    }
    case Model::homopolymer: return {runs(random, query_length, letters), runs(random, target_length, letters)};
    case Model::two_letters:
        return {random_sequence(random, query_length, letters.substr(0, 2)),
                random_sequence(random, target_length, letters.substr(0, 2))};
    case Model::one_letter:
        return {std::string(query_length, letters.back()), std::string(target_length, letters.back())};
    case Model::uniform: break;
    }
    return {random_sequence(random, query_length, letters), random_sequence(random, target_length, letters)};
}

std::vector<std::uint64_t> const & edge_lengths()
{
    static std::vector<std::uint64_t> const lengths{0,   1,   2,   15,  16,  17,  31,  32,  33,  63,   64,   65,  127,
                                                    128, 129, 254, 255, 256, 257, 258, 511, 512, 513, 1023, 1024, 1025};
    return lengths;
}

bool is_thorough() { return std::getenv("NWGPU_THOROUGH") != nullptr; }

} // namespace nwgpu::test
