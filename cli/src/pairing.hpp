// SPDX-License-Identifier: BSD-3-Clause
// Which query goes with which target: reads both inputs and hands out batches of pairs, in output order.
#pragma once

#include "options.hpp"
#include "sequence_reader.hpp"

#include <nwgpu/nwgpu.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

namespace cli {

struct Batch {
    std::shared_ptr<SequenceSet const> queries, targets;
    std::vector<nwgpu_pair> pairs;
    // So many pairs, one after the other, compete for one line of output (targets with --pair best, strands).
    std::uint64_t group_size = 1;
    // Queries from this index on are the reverse complements of those before, in the same order.
    std::uint64_t forward_count = 0;
    std::uint64_t first_query = 0; // number, in the input, of the query with index 0
    bool goes_on = false;          // the last query has more pairs, in the next batch
    double fraction = -1;          // of the input read after this batch; negative when unknown
};

std::uint64_t count_cells(Batch const & batch);

struct PairingSetup {
    bool both_strands;
    std::uint64_t batch_letters; // of a batch, about; the first ones have less
};

class Pairing {
public:
    explicit Pairing(PairingSetup const & setup) : both_strands_(setup.both_strands), most_letters_(setup.batch_letters)
    {}
    virtual ~Pairing() = default;

    // The next pairs; false at the end.  A Failure in the input is thrown after the pairs before it were handed out.
    bool next(Batch & batch);
    // Every target, when all were read at the start; else nullptr.
    virtual SequenceSet const * all_targets() const { return nullptr; }

protected:
    // Share of the input read, or a negative number when unknown.
    virtual double fraction() const = 0;
    // Adds pairs, of about batch_letters() letters, and their queries to `queries` or, where it has them already, to
    // batch.queries.
    virtual void fill(Batch & batch, SequenceSet & queries) = 0;
    // Makes `queries` the batch's own, with reverse complements where they are asked for.
    void set_queries(Batch & batch, SequenceSet queries) const;

    std::uint64_t batch_letters() const { return batch_letters_; }

    bool const both_strands_;

private:
    std::exception_ptr failure_;
    std::uint64_t const most_letters_;
    std::uint64_t batch_letters_ = std::min(std::uint64_t{1} << 19, most_letters_);
};

// Chooses by the options and by the number of records.  The readers must outlive the pairing.
// keep_targets: read all targets at the start, because a header needs them.  group_queries: the pairs of a query come
// one after the other, whatever the list's order.
std::unique_ptr<Pairing> make_pairing(AlignOptions const & options, SequenceReader & queries, SequenceReader & targets,
                                      bool keep_targets, bool group_queries, std::uint64_t batch_letters);

} // namespace cli
