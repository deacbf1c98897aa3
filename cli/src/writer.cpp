// SPDX-License-Identifier: BSD-3-Clause
// From the name of a format to its writer.
#include "writer.hpp"

#include "failure.hpp"

#include <filesystem>

namespace cli {

void Writer::admit(std::string const &, std::uint64_t, std::uint64_t) {}

std::string output_format(OutputOptions const & options, std::string const & otherwise)
{
    if (!options.format.empty())
        return options.format;
    for (std::string const format : {"tsv", "paf", "sam", "bam", "cram", "cigar", "pair"})
        if (options.path.ends_with("." + format))
            return format;
    return otherwise;
}

bool is_sam_format(std::string const & format) { return format == "sam" || format == "bam" || format == "cram"; }

void check_not_input(OutputOptions const & options, std::initializer_list<std::string> inputs)
{
    for (std::string const & input : inputs) {
        std::error_code missing; // a file that is not there is not the same as any other
        if (std::filesystem::is_regular_file(options.path, missing) &&
            std::filesystem::equivalent(options.path, input, missing))
            throw Failure(text("-o ", options.path, " is an input file"));
    }
}

std::unique_ptr<Writer> make_writer(WriterSetup const & setup)
{
    if (setup.score_only && setup.format != "tsv")
        throw Failure("--score-only goes with --format tsv: " + setup.format + " needs alignments");
    if (setup.format == "paf")
        return make_paf_writer(setup);
    if (setup.format == "pair")
        return make_pair_writer(setup);
    if (is_sam_format(setup.format))
        return make_sam_writer(setup);
    return make_table_writer(setup);
}

} // namespace cli
