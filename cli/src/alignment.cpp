// SPDX-License-Identifier: BSD-3-Clause
// Walks along the path of an alignment; all counts come from the letters, not from the CIGAR style.
#include "alignment.hpp"

#include <cctype>

namespace cli {

std::string status_text(nwgpu_status status)
{
    std::string name = nwgpu_status_name(status);
    for (std::string_view const prefix : {"NWGPU_ERROR_", "NWGPU_"})
        if (name.starts_with(prefix))
            name.erase(0, prefix.size());
    for (char & letter : name)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return name;
}

std::string cigar_text(std::span<std::uint32_t const> cigar)
{
    constexpr std::size_t run_text = 10; // 2^28 - 1 has nine digits
    std::string text(run_text * cigar.size() + 1, '\0');
    text.resize(nwgpu_cigar_to_text(cigar.data(), cigar.size(), text.data(), text.size() + 1));
    return text;
}

LetterEquality::LetterEquality(bool dna)
{
    std::string_view const letters = dna ? "ACGT" : "ABCDEFGHIJKLMNOPQRSTUVWXYZ*";
    for (std::size_t i = 0; i < letters.size(); ++i) {
        auto const letter = static_cast<unsigned char>(letters[i]);
        codes_[letter] = codes_[std::tolower(letter)] = static_cast<std::uint8_t>(i + 1);
    }
    if (dna)
        codes_['U'] = codes_['u'] = codes_['T'];
}

PathCounts count_path(Alignment const & alignment, LetterEquality const & equal)
{
    PathCounts counts;
    char last = 'M';
    for_each_column(alignment, [&](char op, std::uint64_t query, std::uint64_t target) {
        if (op == 'M')
            ++(equal(alignment.query[query], alignment.target[target]) ? counts.equal : counts.different);
        else
            ++(op == 'I' ? counts.inserted : counts.deleted);
        counts.gaps += op != 'M' && op != last;
        last = op;
    });
    return counts;
}

std::string md_text(Alignment const & alignment, LetterEquality const & equal)
{
    std::string md;
    std::uint64_t matches = 0;
    bool deleting = false;
    for_each_column(alignment, [&](char op, std::uint64_t query, std::uint64_t target) {
        if (op == 'I')
            return; // MD does not show insertions
        if (op == 'M' && equal(alignment.query[query], alignment.target[target])) {
            ++matches;
        } else {
            if (op == 'M' || !deleting) {
                md += std::to_string(matches);
                md += op == 'D' ? "^" : "";
                matches = 0;
            }
            md += static_cast<char>(std::toupper(alignment.target[target]));
        }
        deleting = op == 'D';
    });
    return md + std::to_string(matches);
}

std::string cs_text(Alignment const & alignment, LetterEquality const & equal)
{
    std::string cs;
    std::uint64_t matches = 0;
    char last = 'M';
    auto const lower = [](std::uint8_t letter) { return static_cast<char>(std::tolower(letter)); };
    auto const end_matches = [&] {
        if (matches > 0)
            cs += ':' + std::to_string(matches);
        matches = 0;
    };
    for_each_column(alignment, [&](char op, std::uint64_t query, std::uint64_t target) {
        if (op == 'M' && equal(alignment.query[query], alignment.target[target])) {
            ++matches;
        } else {
            end_matches();
            if (op == 'M')
                cs += {'*', lower(alignment.target[target]), lower(alignment.query[query])};
            else if (op == 'I')
                (last == 'I' ? cs : cs += '+') += lower(alignment.query[query]);
            else
                (last == 'D' ? cs : cs += '-') += lower(alignment.target[target]);
        }
        last = op;
    });
    end_matches();
    return cs;
}

} // namespace cli
