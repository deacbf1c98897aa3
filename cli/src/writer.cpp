// SPDX-License-Identifier: BSD-3-Clause
// From the name of a format to its writer.
#include "writer.hpp"

#include "failure.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace cli {

void Writer::check_query(std::string_view, std::uint64_t) const {}

void Writer::admit(SequenceSet const &, std::uint64_t, std::uint64_t) {}

void Writer::write_all(std::span<Alignment const> alignments)
{
    for (Alignment const & alignment : alignments)
        write(alignment);
}

std::unique_ptr<Writer::Made> Writer::make(std::span<Alignment const>) const { return nullptr; }

void Writer::write(Made &) {}

namespace {

struct NamedSuffix {
    std::string_view suffix, format;
};
// The first suffix of a format is its name.
constexpr std::array<NamedSuffix, 25> suffixes{{
    {"tsv", "tsv"},     {"paf", "paf"},       {"sam", "sam"},    {"bam", "bam"},     {"cram", "cram"},
    {"cigar", "cigar"}, {"pair", "pair"},     {"m8", "m8"},      {"json", "json"},   {"jsonl", "json"},
    {"ndjson", "json"}, {"fasta", "fasta"},   {"fa", "fasta"},   {"afa", "fasta"},   {"maf", "maf"},
    {"vcf", "vcf"},     {"phylip", "phylip"}, {"phy", "phylip"}, {"dist", "phylip"}, {"matrix", "matrix"},
    {"blast", "m8"},    {"srspair", "pair"},  {"svg", "svg"},    {"png", "png"},     {"html", "html"},
}};

} // namespace

std::vector<std::string> format_names()
{
    std::vector<std::string> names;
    for (auto const & [suffix, format] : suffixes)
        if (suffix == format)
            names.emplace_back(format);
    return names;
}

OutputFormat output_format(OutputOptions const & options, std::string const & otherwise)
{
    std::filesystem::path name = std::filesystem::path(options.path).filename();
    bool const packed = name.extension() == ".gz" || name.extension() == ".bgz";
    if (packed)
        name.replace_extension();
    std::string const suffix = name.has_extension() ? name.extension().string().substr(1) : "";
    auto const named = std::ranges::find(suffixes, suffix, &NamedSuffix::suffix);
    OutputFormat format{options.format, packed};
    if (format.name.empty() && named != suffixes.end())
        format.name = named->format;
    if (format.name.empty() && (packed || !suffix.empty()))
        throw Failure(text("-o ", options.path, ": its suffix names no format; add --format, or a suffix that does"));
    if (format.name.empty())
        format.name = otherwise;
    if (packed && (format.name == "bam" || format.name == "cram"))
        throw Failure(text("-o ", options.path, ": ", format.name, " is compressed already: leave the .gz out"));
    if (options.compression_level && !packed && format.name != "bam" && format.name != "cram")
        throw Failure(text("--compression-level goes with --format bam and cram, and with files named .gz, not with ",
                           format.name, " as it is"));
    constexpr int bam_level = 1; // five times as quick as htslib's usual level, for a tenth more bytes
    if (options.compression_level || format.name == "bam")
        format.level = std::to_string(options.compression_level.value_or(bam_level));
    return format;
}

std::string shown_output(OutputOptions const & options)
{
    return options.path == "-" ? "standard output" : options.path;
}

bool is_sam_format(std::string const & format) { return format == "sam" || format == "bam" || format == "cram"; }

bool needs_targets(std::string const & format)
{
    return is_sam_format(format) || format == "vcf" || format == "phylip" || format == "matrix";
}

bool is_ranked_format(std::string const & format) { return is_sam_format(format) || format == "paf"; }

void check_format_options(OutputOptions const & options, std::string const & format)
{
    if (options.cs && format != "paf")
        throw Failure("--cs goes with --format paf, not " + format);
    if (options.sort && !is_sam_format(format))
        throw Failure("--sort goes with --format sam, bam and cram, not " + format);
    if (!options.columns.empty() && format != "tsv" && format != "json")
        throw Failure("--columns goes with --format tsv and json, not " + format);
    if (!options.read_group.empty() && !is_sam_format(format))
        throw Failure("--rg goes with --format sam, bam and cram, not " + format);
}

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
    if (setup.score_only && setup.format.name != "tsv" && setup.format.name != "json")
        throw Failure("--score-only goes with --format tsv and json: " + setup.format.name + " needs alignments");
    if (setup.format.name == "paf")
        return make_paf_writer(setup);
    if (setup.format.name == "pair")
        return make_pair_writer(setup);
    if (setup.format.name == "svg" || setup.format.name == "png" || setup.format.name == "html")
        return make_picture_writer(setup);
    if (setup.format.name == "fasta" || setup.format.name == "maf")
        return make_letters_writer(setup);
    if (setup.format.name == "phylip" || setup.format.name == "matrix")
        return make_matrix_writer(setup);
    if (setup.format.name == "vcf")
        return make_vcf_writer(setup);
    if (is_sam_format(setup.format.name))
        return make_sam_writer(setup);
    return make_table_writer(setup);
}

} // namespace cli
