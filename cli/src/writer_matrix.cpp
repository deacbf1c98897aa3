// SPDX-License-Identifier: BSD-3-Clause
// Of all pairs of one file: phylip, a matrix of distances (1 less the identity) with whole names; matrix, a table of
// identities.  nan is what no alignment tells.
#include "failure.hpp"
#include "text_output.hpp"
#include "writer.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

namespace cli {

namespace {

class MatrixWriter : public Writer {
public:
    explicit MatrixWriter(WriterSetup const & setup) :
        out_(setup.output.path, setup.format, setup.threads),
        phylip_(setup.format.name == "phylip"),
        equal_(setup.scoring.alphabet().dna()),
        size_(setup.targets->size()),
        sequences_(setup.targets),
        identities_(size_ * size_, std::numeric_limits<double>::quiet_NaN())
    {
        for (std::uint64_t i = 0; i < size_; ++i)
            identities_[i * size_ + i] = 1;
    }

    void write(Alignment const & a) override
    {
        if (!a.has_path || !a.good())
            return;
        PathCounts const counts = count_path(a, equal_);
        double const identity =
            counts.columns() == 0 ? 0 : static_cast<double>(counts.equal) / static_cast<double>(counts.columns());
        identities_[a.query_number * size_ + a.target_number] = identity;
        identities_[a.target_number * size_ + a.query_number] = identity;
    }

    void flush() override {}

    void close() override
    {
        std::string line = phylip_ ? text(size_) : "";
        sequences_->for_each([&](std::string_view name, std::uint64_t) {
            if (!phylip_)
                line.append(1, '\t').append(name);
        });
        out_.write(line + '\n');
        std::uint64_t i = 0;
        sequences_->for_each([&](std::string_view name, std::uint64_t) {
            line = text(name, phylip_ ? " " : "");
            for (std::uint64_t j = 0; j < size_; ++j) {
                double const identity = identities_[i * size_ + j];
                char number[32];
                std::snprintf(number, sizeof number, "%c%.6f", phylip_ ? ' ' : '\t', phylip_ ? 1 - identity : identity);
                line += std::isnan(identity) ? std::string(1, number[0]) + "nan" : number;
            }
            out_.write(line + '\n');
            ++i;
        });
        out_.close();
    }

private:
    TextOutput out_;
    bool const phylip_;
    LetterEquality const equal_;
    std::uint64_t const size_; // sequences
    std::shared_ptr<TargetList const> const sequences_;
    std::vector<double> identities_; // row by row
};

} // namespace

std::unique_ptr<Writer> make_matrix_writer(WriterSetup const & setup)
{
    if (!setup.self)
        throw Failure(setup.format.name + " goes with --pair self");
    return std::make_unique<MatrixWriter>(setup);
}

} // namespace cli
