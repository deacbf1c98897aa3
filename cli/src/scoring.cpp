// SPDX-License-Identifier: BSD-3-Clause
// Defaults: DNA +2/-4, gap 4 + 2k (as minimap2); protein BLOSUM62, gap 11 + k (as BLASTP).
#include "scoring.hpp"

#include "failure.hpp"
#include "line_source.hpp"

#include <algorithm>

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
    std::string content, line;
    try {
        LineSource lines(name);
        while (lines.next(line))
            content += line + '\n';
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

} // namespace

Scoring::Scoring(ScoringOptions const & options, AlphabetKind detected)
{
    alphabet_.kind = options.dna ? AlphabetKind::dna : options.protein ? AlphabetKind::protein : detected;
    alphabet_.mask = options.mask;
    bool const letters = options.match || options.mismatch || alphabet_.dna();
    if (!options.matrix.empty())
        use_matrix(options.matrix);
    else if (letters)
        use_letters(options);
    else
        use_matrix("BLOSUM62");
    values_.gap_open = options.gap_open.value_or(matrix_ ? 11 : 4);
    values_.gap_extend = options.gap_extend.value_or(matrix_ ? 1 : 2);
    values_.letter_codes = alphabet_.codes.data();
}

void Scoring::use_matrix(std::string const & name)
{
    matrix_ = load_matrix(name);
    matrix_name_ = name;
    values_.alphabet_size = matrix_->alphabet_size();
    values_.matrix = matrix_->scores().data();
    std::ranges::copy(matrix_->letter_codes(), alphabet_.codes.begin());
    alphabet_.name = "matrix " + name;
}

void Scoring::use_letters(ScoringOptions const & options)
{
    values_.match = options.match.value_or(2);
    values_.mismatch = options.mismatch.value_or(4);
    std::copy_n(nwgpu_alphabet_letter_codes(alphabet_.dna() ? "dna" : "protein"), 256, alphabet_.codes.begin());
    alphabet_.name = alphabet_.dna() ? "DNA alphabet" : "protein alphabet";
}

std::int32_t Scoring::pair_score(std::uint8_t query, std::uint8_t target) const
{
    std::uint8_t const row = alphabet_.codes[query], column = alphabet_.codes[target];
    if (matrix_)
        return values_.matrix[std::size_t{row} * values_.alphabet_size + column];
    return row == column ? values_.match : -values_.mismatch;
}

std::string Scoring::describe() const
{
    std::string const pairs = matrix_ ? matrix_name_ : text("match ", values_.match, ", mismatch ", values_.mismatch);
    return text(alphabet_.dna() ? "DNA, " : "protein, ", pairs, ", gap of k: ", values_.gap_open, " + k*",
                values_.gap_extend);
}

} // namespace cli
