// SPDX-License-Identifier: BSD-3-Clause
// VCF: what to change in the targets to get the queries.  One query a target, so that positions ascend.
#include "failure.hpp"
#include "text_output.hpp"
#include "variants.hpp"
#include "writer.hpp"

namespace cli {

namespace {

class VcfWriter : public Writer {
public:
    explicit VcfWriter(WriterSetup const & setup) :
        out_(setup.output.path, setup.format, setup.threads),
        targets_(setup.targets),
        command_line_(setup.output.command_line)
    {
        if (!setup.scoring.alphabet().dna())
            throw Failure("vcf is for DNA: use --format tsv, paf or maf");
    }

    void begin() override
    {
        seen_.resize(targets_->size());
        std::string header = text("##fileformat=VCFv4.3\n##source=nwgpu ", nwgpu_version_string(),
                                  "\n##commandline=", command_line_, '\n');
        targets_->for_each([&](std::string_view name, std::uint64_t length) {
            header += text("##contig=<ID=", name, ",length=", length, ">\n");
        });
        header +=
            "##INFO=<ID=QNAME,Number=1,Type=String,Description=\"The query\">\n"
            "##INFO=<ID=STRAND,Number=1,Type=String,Description=\"+, or - where its reverse complement was aligned\">\n"
            "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n";
        out_.write(header);
    }

    void write(Alignment const & a) override
    {
        if (!a.has_path || !a.good())
            return;
        if (seen_[a.target_number])
            throw Failure(text("target '", a.target_name, "' has a second alignment, with query '", a.query_name,
                               "': one VCF tells of one query a target (--pair zip, or one run a query)"));
        seen_[a.target_number] = true;
        for (Variant const & variant : find_variants(a))
            write_variant(a, variant);
    }

    void flush() override { out_.flush(); }
    void close() override { out_.close(); }

private:
    // A gap is shown with the letter before it, at the begin of the target with the one behind it.
    void write_variant(Alignment const & a, Variant variant)
    {
        if (variant.from.empty() || variant.to.empty()) {
            bool const first = variant.position == 0;
            std::uint64_t const at = first ? variant.end() : variant.position - 1;
            if (at >= a.target.size())
                return; // nothing of the target is left
            auto letter = static_cast<char>(a.target[at] & ~32);
            letter = letter == 'U' ? 'T' : letter;
            for (std::string * const allele : {&variant.from, &variant.to})
                allele->insert(first ? allele->size() : 0, 1, letter);
            variant.position -= !first;
        }
        std::string query(a.query_name);
        for (char & letter : query)
            letter = letter == ';' || letter == '=' || letter == ',' ? '_' : letter;
        out_.write(text(a.target_name, '\t', variant.position + 1, "\t.\t", variant.from, '\t', variant.to,
                        "\t.\t.\tQNAME=", query, ";STRAND=", a.reverse ? '-' : '+', '\n'));
    }

    TextOutput out_;
    std::shared_ptr<TargetList const> const targets_;
    std::string const command_line_;
    std::vector<bool> seen_; // by target
};

} // namespace

std::unique_ptr<Writer> make_vcf_writer(WriterSetup const & setup) { return std::make_unique<VcfWriter>(setup); }

} // namespace cli
