// SPDX-License-Identifier: BSD-3-Clause
// The list of real pairs and a small FASTA reader for them.
#include "real_data.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace performance {

namespace {

std::vector<RealPair> all_pairs()
{
    std::string const hiv = "genomes/hiv1_five_strains.fa", hla = "genomes/human_HLA_DRB1_12_haplotypes.fa";
    std::string const human = "genomes/human_hg38_chm13_51kb.fa", lpa = "genomes/human_LPA_14_haplotypes.fa";
    std::string const proteins = "proteins/sw_benchmark_queries_20.faa";
    return {
        {"hiv1", Scheme::dna, {hiv, 0}, {hiv, 1}, 9719},
        {"mitochondria", Scheme::dna, {"genomes/mt_human.fa", 0}, {"genomes/mt_orang.fa", 0}, 16569},
        {"hla-drb1", Scheme::dna, {hla, 0}, {hla, 2}, 15600},
        {"sars",
         Scheme::dna,
         {"genomes/MN908947.3_sars_cov_2.fa", 0},
         {"genomes/AY274119.3_sars_cov_1_Tor2.fa", 0},
         29903},
        {"human-51k", Scheme::dna, {human, 0}, {human, 1}, 51025},
        {"herpes",
         Scheme::dna,
         {"genomes/NC_001806.2_herpes_simplex_1.fa", 0},
         {"genomes/NC_001798.2_herpes_simplex_2.fa", 0},
         154675},
        {"lpa", Scheme::dna, {lpa, 0}, {lpa, 1}, 330243},
        {"swissprot", Scheme::protein, {proteins, 18}, {proteins, 19}, 5500},
    };
}

std::filesystem::path folder()
{
    char const * name = std::getenv("NWGPU_PERF_DATA");
    return name ? name : "";
}

} // namespace

std::vector<RealPair> real_pairs()
{
    std::vector<RealPair> found;
    if (folder().empty())
        return found;
    for (RealPair & pair : all_pairs())
        if (exists(folder() / pair.query.file) && exists(folder() / pair.target.file))
            found.push_back(std::move(pair));
    return found;
}

std::vector<std::string> real_files()
{
    std::vector<std::string> files;
    for (RealPair const & pair : all_pairs())
        for (std::string const & file : {pair.query.file, pair.target.file})
            if (std::find(files.begin(), files.end(), file) == files.end())
                files.push_back(file);
    return files;
}

std::string read_record(RealRecord const & record)
{
    std::ifstream stream{folder() / record.file};
    std::string line, sequence;
    std::size_t headers = 0;
    while (std::getline(stream, line)) {
        if (!line.empty() && line[0] == '>') {
            if (++headers > record.index + 1)
                break;
        } else if (headers == record.index + 1) {
            for (unsigned char letter : line)
                if (std::isalpha(letter))
                    sequence += static_cast<char>(std::toupper(letter));
        }
    }
    if (sequence.empty())
        throw std::runtime_error("no record " + std::to_string(record.index) + " in " + record.file);
    bool const protein = record.file.rfind("proteins/", 0) == 0;
    if (sequence.find_first_not_of(protein ? "ARNDCQEGHILKMFPSTWYV" : "ACGT") != std::string::npos)
        throw std::runtime_error("letters that not every peer takes in " + record.file);
    return sequence;
}

} // namespace performance
