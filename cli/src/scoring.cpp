// SPDX-License-Identifier: BSD-3-Clause
// Defaults: DNA +2/-4, gap 4 + 2k (as minimap2); protein BLOSUM62, gap 11 + k (as BLASTP).
#include "scoring.hpp"

#include "failure.hpp"
#include "line_source.hpp"

#include <algorithm>

namespace cli {

namespace {

// A built-in matrix wins over a file of the same name; ./NAME means the file.
nwgpu_matrix * load_matrix(std::string const & name)
{
    nwgpu_matrix * matrix = nullptr;
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_status status = nwgpu_matrix_named(name.c_str(), &matrix, &error);
    if (status == NWGPU_OK)
        return matrix;
    std::string content, line;
    try {
        LineSource lines(name);
        while (lines.next(line))
            content += line + '\n';
    } catch (Failure const & failure) {
        std::string known;
        for (std::size_t i = 0; nwgpu_matrix_name(i) != nullptr; ++i)
            known += text(" ", nwgpu_matrix_name(i));
        throw Failure(text("--matrix ", failure.what(), " (nor is it a built-in matrix:", known, ")"));
    }
    status = nwgpu_matrix_parse(content.data(), content.size(), &matrix, &error);
    if (status != NWGPU_OK)
        throw Failure(text("--matrix ", name, ": ", error.message));
    return matrix;
}

} // namespace

Scoring::Scoring(ScoringOptions const & options, AlphabetKind detected)
{
    alphabet_.kind = options.dna ? AlphabetKind::dna : options.protein ? AlphabetKind::protein : detected;
    alphabet_.mask = options.mask;
    bool const letters = options.match || options.mismatch || alphabet_.dna();
    values_.struct_size = sizeof values_;
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
    matrix_.reset(load_matrix(name));
    matrix_name_ = name;
    values_.alphabet_size = nwgpu_matrix_size(matrix_.get());
    values_.matrix = nwgpu_matrix_scores(matrix_.get());
    std::copy_n(nwgpu_matrix_codes(matrix_.get()), 256, alphabet_.codes.begin());
    alphabet_.name = "matrix " + name;
}

void Scoring::use_letters(ScoringOptions const & options)
{
    values_.match = options.match.value_or(2);
    values_.mismatch = options.mismatch.value_or(4);
    std::copy_n(nwgpu_alphabet_codes(alphabet_.dna() ? "dna" : "protein"), 256, alphabet_.codes.begin());
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
