// SPDX-License-Identifier: BSD-3-Clause
// Which query goes with which target: reads both inputs and hands out batches of pairs, in output order.
#pragma once

#include "options.hpp"
#include "sequence_reader.hpp"
#include "set_store.hpp"
#include "target_list.hpp"

#include <nwgpu/nwgpu.h>

#include <algorithm>
#include <cstdint>
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
    std::uint64_t first_query = 0;                 // number, in the input, of the query with index 0
    std::uint64_t first_target = 0;                // the same of the target
    bool goes_on = false;                          // the last query has more pairs, in the next batch
    bool began_before = false;                     // the first query had more pairs, in the batch before
    bool own_queries = false, own_targets = false; // no other batch has them
    std::uint64_t letters = 0;                     // of its pairs, about; 0 where only own sets have any
    double fraction = -1;                          // of the input read after this batch; negative when unknown
    bool is_last = false;                          // the input ended before it was full
    // With --circular: the batch as it was read, whose numbers, names and tags hold, and, of each pair, how many
    // letters were moved from the begin to the end.
    std::shared_ptr<Batch const> given;
    std::vector<std::uint64_t> rotations;
};

std::uint64_t count_cells(Batch const & batch);

// What pairs have together.
struct PairSum {
    std::uint64_t pairs = 0, letters = 0, cells = 0;

    void add(std::uint64_t m, std::uint64_t n)
    {
        ++pairs;
        letters += m + n;
        cells += m * n;
    }
    // On average.
    double cells_of_pair() const
    {
        return static_cast<double>(cells) / static_cast<double>(std::max<std::uint64_t>(1, pairs));
    }
};

// Of a batch, about: so many letters, the first ones fewer; where pairs are very long, so many pairs at least.
struct BatchSize {
    std::uint64_t letters = 0, least_pairs = 1;
    bool parse_in_blocks = false; // by several threads; all batches are of this size then
    // So many batches are aligned at the same time: the last ones are smaller, so that all end together.
    std::uint64_t at_a_time = 1;
    std::uint64_t cells = UINT64_MAX; // no more pairs where these have so many, unless pairs are long
    // Where pairs have so many cells on average, so many letters instead: the more pairs there are, the closer are the
    // lengths of those that lie side by side, and the fewer threads wait at the end.  0: `letters` in any case.
    double cells_of_long = 0;
    std::uint64_t letters_of_long = 0;

    bool are_long(PairSum const & sum) const { return cells_of_long > 0 && sum.cells_of_pair() >= cells_of_long; }
};

struct PairingSetup {
    bool both_strands;
    bool list_targets; // because a header needs them
    BatchSize size;
};

class Pairing {
public:
    explicit Pairing(PairingSetup const & setup) :
        both_strands_(setup.both_strands),
        store_(kept_letters(setup.size)),
        list_(setup.list_targets ? std::make_shared<TargetList>() : nullptr),
        size_(setup.size)
    {}
    virtual ~Pairing() = default;

    // The next pairs; false at the end.  A Failure in the input is thrown after the pairs before it were handed out.
    bool next(Batch & batch);
    // Of the batches from now on, while no other thread is in here.  Not where blocks are parsed.
    void resize(BatchSize const & size);
    // Of every target, where it was asked for.
    std::shared_ptr<TargetList const> target_list() const { return list_; }

protected:
    // Share of the input read, or a negative number when unknown.
    virtual double fraction() const = 0;
    // Adds pairs until the batch is full, and their queries to `queries`, which is empty or another set then, or, where
    // it has them already, to batch.queries.
    virtual void fill(Batch & batch, std::shared_ptr<SequenceSet> & queries) = 0;
    // Makes `queries` the batch's, with reverse complements where they are asked for.
    void set_queries(Batch & batch, std::shared_ptr<SequenceSet> queries) const;

    void add(std::uint64_t m, std::uint64_t n) { sum_.add(m, n); }
    bool is_full() const
    {
        return sum_.pairs >= size_.least_pairs &&
               (sum_.letters >= std::min(batch_letters_, most_letters()) || sum_.cells >= most_cells());
    }

    // Where all targets are in memory.
    void tell_targets(SequenceSet const & targets) const
    {
        if (!list_)
            return;
        list_->add(targets);
        list_->end();
    }

    bool const both_strands_;
    SetStore store_;
    std::shared_ptr<TargetList> const list_; // null where it is not asked for

private:
    // Of a set that is used again.
    static std::uint64_t kept_letters(BatchSize const & size)
    {
        return std::max(SetStore::least_kept, 2 * std::max(size.letters, size.letters_of_long));
    }
    std::uint64_t most_letters() const;
    std::uint64_t most_cells() const;
    std::uint64_t first_cells() const { return size_.at_a_time > 1 ? std::min(least_cells, size_.cells) : size_.cells; }
    void see_how_much_is_left(double fraction);

    std::exception_ptr failure_;
    bool goes_on_ = false; // as the last batch says
    static constexpr std::uint64_t least_letters = 1 << 19, least_cells = 1'000'000'000;
    BatchSize size_;
    PairSum sum_, all_; // of the batch that is filled, and of all
    // Of a batch, at most: more from batch to batch, less as the input comes to its end.
    std::uint64_t batch_letters_ = std::min(least_letters, size_.letters), letters_of_rest_ = UINT64_MAX;
    std::uint64_t batch_cells_ = first_cells(), cells_of_rest_ = UINT64_MAX;
};

// Chooses by the options and by the number of records.  The readers must outlive the pairing.
// group_queries: the pairs of a query come one after the other, whatever the list's order.
std::unique_ptr<Pairing> make_pairing(AlignOptions const & options, SequenceReader & queries, SequenceReader & targets,
                                      bool list_targets, bool group_queries, BatchSize const & size);

} // namespace cli
