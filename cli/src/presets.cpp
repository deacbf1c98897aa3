// SPDX-License-Identifier: BSD-3-Clause
// The table of presets; the manual page shows the same numbers.
#include "presets.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace cli {

namespace {

struct Preset {
    std::string_view name, mode;
    std::int32_t match, mismatch, gap_open, gap_extend;
    bool both_strands = false;
    std::string_view dna_matrix{}, protein_matrix{}; // in place of match and mismatch
    std::int32_t scale = 1;                          // of the matrix's scores
    bool reads = false;                              // for records that programs of reads take
};
// minimap2 has two pieces of gap costs; these are the first ones.  EMBOSS has half points: all is doubled.
constexpr std::array<Preset, 10> presets{{
    {"edit", "global", 0, 1, 0, 1},
    {"needle", "overlap", 0, 0, 19, 1, false, "EDNAFULL", "BLOSUM62", 2},
    {"water", "local", 0, 0, 19, 1, false, "EDNAFULL", "BLOSUM62", 2},
    {"blastn", "local", 2, 3, 5, 2, true},
    {"blastp", "local", 0, 0, 11, 1, false, "", "BLOSUM62"},
    {"minimap2", "local", 2, 4, 4, 2, true},
    {"wfa", "global", 0, 4, 6, 2},
    {"hifi", "local", 1, 4, 6, 2, true, "", "", 1, true},
    {"ont", "local", 2, 4, 4, 2, true, "", "", 1, true},
    {"sr", "local", 2, 8, 12, 2, true, "", "", 1, true},
}};

} // namespace

std::vector<std::string> preset_names()
{
    std::vector<std::string> names;
    for (Preset const & preset : presets)
        names.emplace_back(preset.name);
    return names;
}

AlignOptions with_preset(AlignOptions options, AlphabetKind kind, bool sam)
{
    auto const preset = std::ranges::find(presets, options.preset, &Preset::name);
    if (preset == presets.end())
        return options;
    bool const dna = kind == AlphabetKind::dna;
    ScoringOptions & scoring = options.scoring;
    std::string_view const matrix = dna ? preset->dna_matrix : preset->protein_matrix;
    if (scoring.matrix.empty() && !scoring.match && !scoring.mismatch) {
        scoring.matrix = matrix;
        scoring.scale = preset->scale;
    }
    if (scoring.matrix.empty()) {
        scoring.match = scoring.match.value_or(preset->match);
        scoring.mismatch = scoring.mismatch.value_or(preset->mismatch);
    }
    scoring.gap_open = scoring.gap_open.value_or(preset->gap_open);
    scoring.gap_extend = scoring.gap_extend.value_or(preset->gap_extend);
    if (options.engine.mode.empty() && options.engine.free_ends.empty())
        options.engine.mode = preset->mode;
    if (options.engine.cigar_style.empty() && preset->reads && sam)
        options.engine.cigar_style.assign(1, 'm'); // programs that weigh qualities by neighbours tear runs apart at X
    if (!options.one_strand)
        options.both_strands = options.both_strands || (preset->both_strands && dna);
    return options;
}

} // namespace cli
