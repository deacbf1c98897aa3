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
        sequences_(*setup.targets),
        identities_(sequences_.size() * sequences_.size(), std::numeric_limits<double>::quiet_NaN())
    {
        for (std::uint64_t i = 0; i < sequences_.size(); ++i)
            identities_[i * sequences_.size() + i] = 1;
    }

    void write(Alignment const & a) override
    {
        if (!a.has_path || !a.good())
            return;
        PathCounts const counts = count_path(a, equal_);
        double const identity =
            counts.columns() == 0 ? 0 : static_cast<double>(counts.equal) / static_cast<double>(counts.columns());
        identities_[a.query_number * sequences_.size() + a.target_index] = identity;
        identities_[a.target_index * sequences_.size() + a.query_number] = identity;
    }

    void flush() override {}

    void close() override
    {
        std::uint64_t const size = sequences_.size();
        std::string line = phylip_ ? text(size) : "";
        for (std::uint64_t i = 0; i < size && !phylip_; ++i)
            line.append(1, '\t').append(sequences_.name(i));
        out_.write(line + '\n');
        for (std::uint64_t i = 0; i < size; ++i) {
            line = text(sequences_.name(i), phylip_ ? " " : "");
            for (std::uint64_t j = 0; j < size; ++j) {
                double const identity = identities_[i * size + j];
                char number[32];
                std::snprintf(number, sizeof number, "%c%.6f", phylip_ ? ' ' : '\t', phylip_ ? 1 - identity : identity);
                line += std::isnan(identity) ? std::string(1, number[0]) + "nan" : number;
            }
            out_.write(line + '\n');
        }
        out_.close();
    }

private:
    TextOutput out_;
    bool const phylip_;
    LetterEquality const equal_;
    SequenceSet const & sequences_;
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
