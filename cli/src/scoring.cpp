// SPDX-License-Identifier: BSD-3-Clause
// Defaults: DNA +2/-4, gap 4 + 2k (as minimap2); protein BLOSUM62, gap 11 + k (as BLASTP).  An ambiguous letter of DNA
// costs 1 against any letter, itself included, as in minimap2.
#include "scoring.hpp"

#include "failure.hpp"
#include "line_source.hpp"

#include <algorithm>
#include <charconv>

namespace cli {

namespace {

// A built-in matrix wins over a file of the same name; ./NAME means the file.
nwgpu::Matrix load_matrix(std::string const & name)
{
    try {
        return nwgpu::Matrix(name);
    } catch (nwgpu::Error const & error) {
        if (error.status() != NWGPU_ERROR_NOT_FOUND)
            throw;
    }
    std::string content;
    std::string_view line;
    try {
        LineSource lines(name);
        while (lines.next(line))
            content.append(line) += '\n';
        return nwgpu::Matrix::parse(content);
    } catch (nwgpu::Error const & error) {
        throw Failure(text("--matrix ", name, ": ", error.what()));
    } catch (Failure const & failure) {
        std::string known;
        for (std::uint64_t i = 0; i < nwgpu_matrix_count(); ++i)
            known += text(" ", nwgpu::describe_matrix(i).name);
        throw Failure(text("--matrix ", failure.what(), " (nor is it a built-in matrix:", known, ")"));
    }
}

// What the letters of a matrix tell; nothing of one such as "A C", which may be either.
AlphabetKind kind_of(nwgpu::Matrix const & matrix)
{
    auto const has = [&](char letter) { return matrix.letters().find(letter) != std::string_view::npos; };
    if (has('E') || has('F') || has('I') || has('L') || has('P') || has('Q'))
        return AlphabetKind::protein;
    return has('A') && has('C') && has('G') && has('T') ? AlphabetKind::dna : AlphabetKind::detect;
}

} // namespace

Scoring::Scoring(ScoringOptions const & options, AlphabetKind detected)
{
    alphabet_.kind = options.dna ? AlphabetKind::dna : options.protein ? AlphabetKind::protein : detected;
    alphabet_.mask = options.mask;
    bool const letters = options.match || options.mismatch || alphabet_.dna();
    if (!options.matrix.empty())
        use_matrix(options, options.matrix);
    else if (letters)
        use_letters(options);
    else
        use_matrix(options, "BLOSUM62");
    values_.gap_open = options.gap_open.value_or(matrix_name_.empty() ? 4 : 11);
    values_.gap_extend = options.gap_extend.value_or(matrix_name_.empty() ? 2 : 1);
    values_.letter_codes = alphabet_.codes.data();
    unambiguous_ = values_;
    if (matrix_name_.empty() && alphabet_.dna())
        use_ambiguous(options.ambiguous);
    else if (!options.ambiguous.empty())
        throw Failure(
            "--ambiguous is for DNA scored by match and mismatch: a matrix has its own scores of such letters");
}

void Scoring::use_matrix(ScoringOptions const & options, std::string const & name)
{
    nwgpu::Matrix const matrix = load_matrix(name);
    AlphabetKind const kind = kind_of(matrix);
    if ((options.dna && kind == AlphabetKind::protein) || (options.protein && kind == AlphabetKind::dna))
        throw Failure(text("--matrix ", name, " is of ", options.dna ? "proteins" : "DNA", ", but --",
                           options.dna ? "dna" : "protein", " says something else"));
    if (kind != AlphabetKind::detect)
        alphabet_.kind = kind;
    matrix_name_ = name;
    scale_ = options.scale;
    matrix_.assign(matrix.scores().begin(), matrix.scores().end());
    for (std::int32_t & score : matrix_)
        score *= scale_;
    values_.alphabet_size = matrix.alphabet_size();
    values_.matrix = matrix_.data();
    std::ranges::copy(matrix.letter_codes(), alphabet_.codes.begin());
    alphabet_.name = "matrix " + name;
}

void Scoring::use_letters(ScoringOptions const & options)
{
    values_.match = options.match.value_or(2);
    values_.mismatch = options.mismatch.value_or(4);
    std::copy_n(nwgpu_alphabet_letter_codes(alphabet_.dna() ? "dna" : "protein"), 256, alphabet_.codes.begin());
    alphabet_.name = alphabet_.dna() ? "DNA alphabet" : "protein alphabet";
}

// Letters other than A, C, G and T get a score of their own, so all become a matrix.
void Scoring::use_ambiguous(std::string const & given)
{
    if (given == "match")
        return;
    std::int32_t cost = std::min(1, values_.mismatch);
    if (!given.empty()) {
        auto const parsed = std::from_chars(given.data(), given.data() + given.size(), cost);
        if (parsed.ec != std::errc() || parsed.ptr != given.data() + given.size() || cost < 0 || cost > 1 << 30)
            throw Failure(text("--ambiguous ", given, ": must be a cost such as 1, or match"));
    }
    std::uint32_t size = 0;
    for (std::uint8_t const code : alphabet_.codes)
        size = std::max<std::uint32_t>(size, code == 255 ? 0 : code + 1);
    for (std::uint32_t row = 0; row < size; ++row)
        for (std::uint32_t column = 0; column < size; ++column)
            matrix_.push_back(std::max(row, column) >= base_codes ? -cost
                              : row == column                     ? values_.match
                                                                  : -values_.mismatch);
    ambiguous_ = std::to_string(cost);
    values_.alphabet_size = size;
    values_.matrix = matrix_.data();
}

std::int32_t Scoring::pair_score(std::uint8_t query, std::uint8_t target) const
{
    std::uint8_t const row = alphabet_.codes[query], column = alphabet_.codes[target];
    if (!matrix_.empty())
        return matrix_[std::size_t{row} * values_.alphabet_size + column];
    return row == column ? values_.match : -values_.mismatch;
}

std::int32_t Scoring::best_pair() const { return matrix_name_.empty() ? values_.match : std::ranges::max(matrix_); }

std::string Scoring::describe() const
{
    std::string const pairs =
        !matrix_name_.empty() ? matrix_name_ : text("match ", values_.match, ", mismatch ", values_.mismatch);
    return text(alphabet_.dna() ? "DNA, " : "protein, ", pairs, scale_ == 1 ? "" : text(" times ", scale_),
                ambiguous_.empty() ? "" : ", ambiguous " + ambiguous_, ", gap of k: ", values_.gap_open, " + k*",
                values_.gap_extend);
}

} // namespace cli
