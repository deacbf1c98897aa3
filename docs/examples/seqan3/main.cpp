// SPDX-License-Identifier: BSD-3-Clause
// Reads from a FASTA file, each aligned as a whole with any part of a reference, written as SAM:
//   pipeline reference.fa reads.fa out.sam
// But for the namespace in front of align_pairwise, and the CIGARs, this is a SeqAn3 program.
#include <nwgpu/seqan3/align_pairwise.hpp>

#include <seqan3/alphabet/nucleotide/dna5.hpp>
#include <seqan3/io/sam_file/output.hpp>
#include <seqan3/io/sequence_file/input.hpp>

#include <iostream>
#include <tuple>
#include <vector>

namespace align_cfg = seqan3::align_cfg;
using seqan3::operator""_cigar_operation;

struct dna_traits : seqan3::sequence_file_input_default_traits_dna {
    using sequence_alphabet = seqan3::dna5;
};

int main(int argc, char ** argv)
try {
    if (argc != 4) {
        std::cerr << "usage: pipeline reference.fa reads.fa out.sam\n";
        return 1;
    }
    seqan3::sequence_file_input<dna_traits> reference_file{argv[1]};
    auto const reference = *reference_file.begin();
    std::vector<std::string> const names{reference.id()};
    std::vector<std::size_t> const lengths{reference.sequence().size()};

    std::vector<std::string> ids;
    std::vector<std::pair<seqan3::dna5_vector, seqan3::dna5_vector>> pairs; // reference, read
    for (auto & record : seqan3::sequence_file_input<dna_traits>{argv[2]}) {
        ids.push_back(record.id());
        pairs.emplace_back(reference.sequence(), record.sequence());
    }

    auto const config = align_cfg::method_global{align_cfg::free_end_gaps_sequence1_leading{true},
                                                 align_cfg::free_end_gaps_sequence2_leading{false},
                                                 align_cfg::free_end_gaps_sequence1_trailing{true},
                                                 align_cfg::free_end_gaps_sequence2_trailing{false}} |
                        align_cfg::scoring_scheme{
                            seqan3::nucleotide_scoring_scheme{seqan3::match_score{2}, seqan3::mismatch_score{-4}}} |
                        align_cfg::gap_cost_affine{align_cfg::open_score{-4}, align_cfg::extension_score{-2}} |
                        align_cfg::parallel{2};

    using fields = seqan3::fields<seqan3::field::id, seqan3::field::seq, seqan3::field::ref_id,
                                  seqan3::field::ref_offset, seqan3::field::cigar, seqan3::field::mapq>;
    seqan3::sam_file_output out{argv[3], names, lengths, fields{}};
    for (auto && result : nwgpu::seqan3::align_pairwise(pairs, config, nwgpu::seqan3::cigar_options{})) {
        auto const i = result.sequence2_id();
        out.emplace_back(ids[i], pairs[i].second, names[0],
                         static_cast<std::int32_t>(result.sequence1_begin_position()), nwgpu::seqan3::cigar(result),
                         std::uint8_t{60});
    }
} catch (std::exception const & error) {
    std::cerr << error.what() << '\n';
    return 1;
}
