// SPDX-License-Identifier: BSD-3-Clause
// Walks along the path of an alignment; counts come from the letters, whatever the style of the CIGAR, or from runs
// that say the same.
#include "alignment.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>

namespace cli {

namespace {

void append_number(std::string & text, std::uint64_t number)
{
    char digits[20];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

// Of letters only; other characters are as they were.
bool is_letter(std::uint8_t c) { return static_cast<std::uint8_t>((c | 32) - 'a') < 26; }
char upper(std::uint8_t c) { return static_cast<char>(is_letter(c) ? c & ~32 : c); }
char lower(std::uint8_t c) { return static_cast<char>(is_letter(c) ? c | 32 : c); }

// How many bytes are the same before the first one that is not.
std::uint64_t same_bytes(std::uint8_t const * a, std::uint8_t const * b, std::uint64_t length)
{
    std::uint64_t same = 0;
    for (std::uint64_t left, right; length - same >= sizeof left; same += sizeof left) {
        std::memcpy(&left, a + same, sizeof left);
        std::memcpy(&right, b + same, sizeof right);
        if (left != right)
            break;
    }
    while (same < length && a[same] == b[same])
        ++same;
    return same;
}

} // namespace

std::string status_text(Alignment const & alignment)
{
    switch (alignment.failed() ? Verdict::good : alignment.verdict) {
    case Verdict::low_score:
        return "low_score";
    case Verdict::low_identity:
        return "low_identity";
    case Verdict::low_coverage:
        return "low_coverage";
    case Verdict::good:
        break;
    }
    if (alignment.ok())
        return "ok";
    std::string name = nwgpu_status_name(alignment.status);
    for (std::string_view const prefix : {"NWGPU_ERROR_", "NWGPU_"})
        if (name.starts_with(prefix))
            name.erase(0, prefix.size());
    for (char & letter : name)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return name;
}

void append_status(std::string & line, Alignment const & alignment)
{
    if (alignment.good())
        line += "ok";
    else
        line += status_text(alignment);
}

void append_cigar(std::string & line, Alignment const & alignment)
{
    constexpr std::size_t longest_run = 10; // characters: 2^28 - 1 has nine digits
    auto const & cigar = alignment.cigar;
    std::size_t const begin = line.size(), most = longest_run * cigar.size() + 1;
    line.resize(begin + most + 1); // with the null behind it
    line.resize(begin + nwgpu_cigar_to_text(cigar.data(), cigar.size(), line.data() + begin, most + 1));
}

LetterEquality::LetterEquality(bool dna) : dna_(dna)
{
    std::string_view const letters = dna ? "ACGT" : "ABCDEFGHIJKLMNOPQRSTUVWXYZ*";
    for (std::size_t i = 0; i < letters.size(); ++i) {
        auto const letter = static_cast<unsigned char>(letters[i]);
        codes_[letter] = codes_[std::tolower(letter)] = static_cast<std::uint8_t>(i + 1);
    }
    if (dna)
        for (std::size_t const uracil : {'U', 'u'})
            codes_[uracil] = codes_[std::size_t{'T'}];
}

// Without a branch or a table, and in bytes alone, so that compilers look at sixteen at once.
std::uint64_t LetterEquality::count(std::uint8_t const * a, std::uint8_t const * b, std::uint64_t length) const
{
    std::uint64_t all = 0;
    if (!dna_) {
        for (std::uint64_t k = 0; k < length; ++k)
            all += (*this)(a[k], b[k]);
        return all;
    }
    constexpr std::uint64_t most = 240; // what a byte can count
    auto const upper = [](std::uint8_t letter) {
        std::uint8_t const folded = letter & 0xdf;
        return static_cast<std::uint8_t>(folded == 'U' ? 'T' : folded);
    };
    for (std::uint64_t begin = 0; begin < length; begin += most) {
        std::uint64_t const end = std::min(length, begin + most);
        std::uint8_t equal = 0;
        for (std::uint64_t k = begin; k < end; ++k) {
            std::uint8_t const letter = upper(a[k]), other = upper(b[k]);
            std::uint8_t const base = letter == 'A' || letter == 'C' || letter == 'G' || letter == 'T' ? 1 : 0;
            equal = static_cast<std::uint8_t>(equal + (letter == other ? base : 0));
        }
        all += equal;
    }
    return all;
}

namespace {

// Where runs tell which letters are equal, as they do of A, C, G and T.
std::optional<PathCounts> count_runs(std::span<std::uint32_t const> cigar)
{
    std::array<std::uint64_t, 16> columns{}, runs{}; // of each operation
    std::uint32_t last = 0;
    for (std::uint32_t const run : cigar) {
        std::uint32_t const op = run & 15;
        columns[op] += run >> 4;
        runs[op] += op != last; // a long run may be two
        last = op;
    }
    constexpr int match = 0, insertion = 1, deletion = 2, same = 7, other = 8;
    if (runs[match] + columns[match] > 0)
        return std::nullopt;
    return PathCounts{columns[same], columns[other], columns[insertion], columns[deletion],
                      runs[insertion] + runs[deletion]};
}

} // namespace

PathCounts count_path(Alignment const & alignment, LetterEquality const & equal)
{
    if (equal.dna() && !alignment.ambiguous)
        if (std::optional<PathCounts> const of_runs = count_runs(alignment.cigar))
            return *of_runs;
    PathCounts counts;
    char last = 'M';
    std::uint64_t columns = 0; // of both letters, behind each other, that are not looked at yet
    auto const look = [&](std::uint64_t query, std::uint64_t target) {
        std::uint64_t const matches =
            equal.count(alignment.query.data() + query - columns, alignment.target.data() + target - columns, columns);
        counts.equal += matches;
        counts.different += columns - matches;
        columns = 0;
    };
    for_each_run(alignment, [&](char op, std::uint64_t query, std::uint64_t target, std::uint64_t length) {
        if (op == 'M') {
            columns += length;
        } else {
            look(query, target);
            (op == 'I' ? counts.inserted : counts.deleted) += length;
        }
        counts.gaps += op != 'M' && op != last;
        last = op;
    });
    look(alignment.query_end, alignment.target_end);
    return counts;
}

MdAndEdits md_and_edits(Alignment const & alignment, LetterEquality const & equal)
{
    MdAndEdits result;
    std::string & md = result.md;
    auto const shown = [&](std::uint8_t letter) { return equal.dna() && (letter | 32) == 'u' ? 'T' : upper(letter); };
    std::uint64_t matches = 0;
    auto const end_matches = [&] {
        append_number(md, matches);
        matches = 0;
    };
    bool deleting = false;
    for_each_run(alignment, [&](char op, std::uint64_t query, std::uint64_t target, std::uint64_t length) {
        if (op != 'M')
            result.edits += length;
        if (op == 'I')
            return; // MD does not show insertions
        std::uint8_t const * const letters = alignment.target.data() + target;
        if (op == 'D') {
            if (!deleting) {
                end_matches();
                md += '^';
            }
            for (std::uint64_t k = 0; k < length; ++k)
                md += shown(letters[k]);
        } else {
            std::uint8_t const * const others = alignment.query.data() + query;
            for (std::uint64_t k = 0; k < length; ++k)
                if (std::uint64_t const same =
                        alignment.ambiguous ? 0 : same_bytes(letters + k, others + k, length - k)) {
                    matches += same;
                    k += same - 1;
                } else if (equal(others[k], letters[k])) {
                    ++matches;
                } else {
                    ++result.edits;
                    end_matches();
                    md += shown(letters[k]);
                }
        }
        deleting = op == 'D';
    });
    end_matches();
    return result;
}

std::string cs_text(Alignment const & alignment, LetterEquality const & equal)
{
    std::string cs;
    std::uint64_t matches = 0;
    char last = 'M';
    auto const end_matches = [&] {
        if (matches > 0) {
            cs += ':';
            append_number(cs, matches);
        }
        matches = 0;
    };
    for_each_run(alignment, [&](char op, std::uint64_t query, std::uint64_t target, std::uint64_t length) {
        if (op == 'M') {
            for (std::uint64_t k = 0; k < length; ++k)
                if (equal(alignment.query[query + k], alignment.target[target + k])) {
                    ++matches;
                } else {
                    end_matches();
                    cs += {'*', lower(alignment.target[target + k]), lower(alignment.query[query + k])};
                }
        } else {
            end_matches();
            if (op != last)
                cs += op == 'I' ? '+' : '-';
            for (std::uint64_t k = 0; k < length; ++k)
                cs += lower(op == 'I' ? alignment.query[query + k] : alignment.target[target + k]);
        }
        last = op;
    });
    end_matches();
    return cs;
}

} // namespace cli
