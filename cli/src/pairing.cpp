// SPDX-License-Identifier: BSD-3-Clause
// The three ways to pair: in step (zip), each with each (all, best), and by a list of names.
// A batch holds some megabytes of letters, so memory stays bounded; the first ones hold less, so that aligning, and
// writing, begin early.
#include "pairing.hpp"

#include "failure.hpp"
#include "records_ahead.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace cli {

namespace {

std::shared_ptr<SequenceSet const> read_all(SequenceReader & reader)
{
    auto set = std::make_shared<SequenceSet>();
    reader.read_all(*set);
    return set;
}

class ZipPairing : public Pairing {
public:
    ZipPairing(SequenceReader & queries, SequenceReader & targets, PairingSetup const & setup) :
        Pairing(setup),
        block_records_(setup.size.parse_in_blocks ? records_of_block(queries, targets, setup.size.letters) : 0),
        queries_(queries, block_records_, store_),
        targets_(targets, block_records_, store_, list_)
    {}

protected:
    double fraction() const override { return queries_.fraction(); }

    void fill(Batch & batch, std::shared_ptr<SequenceSet> & queries) override
    {
        batch.first_query = batch.first_target = done_;
        batch.own_targets = true;
        if (take_chunks(batch, queries))
            return;
        std::shared_ptr<SequenceSet> const targets = store_.make();
        batch.targets = targets;
        while (!is_full()) {
            std::uint64_t const most = pairs_at_hand();
            if (most == 0)
                return;
            std::uint64_t count = 0;
            for (; count < most && !is_full(); ++count) {
                add(queries_.length(count), targets_.length(count));
                batch.pairs.push_back({queries->size() + count, targets->size() + count});
            }
            queries_.take(count, *queries);
            targets_.take(count, *targets);
            done_ += count;
        }
    }

private:
    // So that a block of each file makes a batch of so many letters.
    static std::uint64_t records_of_block(SequenceReader & queries, SequenceReader & targets, std::uint64_t letters)
    {
        std::uint64_t const pair = queries.first().length(0) + targets.first().length(0);
        return letters / std::max<std::uint64_t>(pair, 64);
    }

    // Makes what lies at hand of both files the batch, without a copy, where it is equally many records.
    bool take_chunks(Batch & batch, std::shared_ptr<SequenceSet> & queries)
    {
        if (block_records_ == 0)
            return false;
        std::uint64_t const count = pairs_at_hand();
        if (count == 0 || count != queries_.at_hand() || !queries_.whole_chunk() || count != targets_.at_hand() ||
            !targets_.whole_chunk())
            return false;
        queries = queries_.take_chunk();
        batch.targets = targets_.take_chunk();
        batch.pairs.resize(count);
        for (std::uint64_t i = 0; i < count; ++i)
            batch.pairs[i] = {i, i};
        done_ += count;
        return true;
    }

    // 0 at the end.
    std::uint64_t pairs_at_hand()
    {
        std::uint64_t const queries = queries_.at_hand();
        std::uint64_t const targets = targets_.at_hand();
        if ((queries == 0) == (targets == 0))
            return std::min(queries, targets);
        auto const & shorter = queries > 0 ? targets_ : queries_;
        auto const & longer = queries > 0 ? queries_ : targets_;
        throw Failure(
            text(shorter.path(), ": ends after record ", done_, ", but ", longer.path(), " has more (--pair zip)"));
    }

    std::uint64_t const block_records_; // 0: not parsed in blocks
    RecordsAhead queries_, targets_;
    std::uint64_t done_ = 0;
};

class CrossPairing : public Pairing {
public:
    CrossPairing(SequenceReader & queries, SequenceReader & targets, bool best, PairingSetup const & setup) :
        Pairing(setup), queries_(queries), targets_(read_all(targets)), best_(best)
    {
        tell_targets(*targets_);
    }

protected:
    double fraction() const override { return queries_.fraction(); }

    // A query may go on in the next batch, unless its targets compete.
    void fill(Batch & batch, std::shared_ptr<SequenceSet> & own) override
    {
        SequenceSet & queries = *own;
        batch.first_query = done_;
        batch.targets = targets_;
        batch.group_size = best_ ? targets_->size() : 1;
        while (!is_full()) {
            if (next_target_ > 0)
                queries.add_copy(unfinished_, 0);
            else if (!queries_.read(queries))
                return;
            std::uint64_t const query = queries.size() - 1;
            while (next_target_ < targets_->size() && (best_ || !is_full())) {
                add(queries.length(query), targets_->length(next_target_));
                batch.pairs.push_back({query, next_target_++});
            }
            if (next_target_ < targets_->size()) {
                unfinished_ = SequenceSet();
                unfinished_.add_copy(queries, query);
                batch.goes_on = true;
                return;
            }
            next_target_ = 0;
            ++done_;
        }
    }

    SequenceReader & queries_;
    std::shared_ptr<SequenceSet const> targets_;
    bool const best_;
    std::uint64_t done_ = 0, next_target_ = 0;
    SequenceSet unfinished_;
};

// Each two records of one file, once.
class SelfPairing : public Pairing {
public:
    SelfPairing(SequenceReader & reader, PairingSetup const & setup) : Pairing(setup), records_(read_all(reader))
    {
        set_queries(queries_, std::make_shared<SequenceSet>(*records_));
        tell_targets(*records_);
    }

protected:
    double fraction() const override
    {
        return static_cast<double>(query_) / static_cast<double>(std::max<std::uint64_t>(records_->size(), 1));
    }

    void fill(Batch & batch, std::shared_ptr<SequenceSet> &) override
    {
        batch.queries = queries_.queries;
        batch.forward_count = queries_.forward_count;
        batch.targets = records_;
        while (!is_full() && query_ + 1 < records_->size()) {
            add(records_->length(query_), records_->length(target_));
            batch.pairs.push_back({query_, target_});
            if (++target_ == records_->size())
                target_ = ++query_ + 1;
        }
        batch.goes_on = !batch.pairs.empty() && target_ > query_ + 1;
    }

private:
    std::shared_ptr<SequenceSet const> records_;
    Batch queries_; // its pairs stay empty
    std::uint64_t query_ = 0, target_ = 1;
};

// Lines of two names; both inputs are kept in memory.
class ListPairing : public Pairing {
public:
    ListPairing(SequenceReader & queries, SequenceReader & targets, std::string const & list, bool group_queries,
                PairingSetup const & setup) :
        Pairing(setup), lines_(list), targets_(read_all(targets))
    {
        SequenceSet all;
        queries.read_all(all);
        query_index_ = index_names(all, queries.path());
        target_index_ = index_names(*targets_, targets.path());
        set_queries(queries_, std::make_shared<SequenceSet>(std::move(all)));
        if (group_queries)
            group();
        tell_targets(*targets_);
    }

protected:
    double fraction() const override { return lines_.fraction(); }

    void fill(Batch & batch, std::shared_ptr<SequenceSet> &) override
    {
        batch.queries = queries_.queries;
        batch.forward_count = queries_.forward_count;
        batch.targets = targets_;
        nwgpu_pair pair{};
        while (!is_full() && next_pair(pair)) {
            add(batch.queries->length(pair.query), targets_->length(pair.target));
            batch.pairs.push_back(pair);
        }
        batch.goes_on = !grouped_.empty() && next_ < grouped_.size() && !batch.pairs.empty() &&
                        grouped_[next_].query == batch.pairs.back().query;
    }

private:
    using Index = std::unordered_map<std::string, std::uint64_t>;

    bool next_pair(nwgpu_pair & pair)
    {
        if (grouped_.empty())
            return read_pair(pair);
        if (next_ < grouped_.size())
            pair = grouped_[next_++];
        else if (next_++ == grouped_.size() && failure_)
            std::rethrow_exception(failure_);
        return next_ <= grouped_.size();
    }

    bool read_pair(nwgpu_pair & pair)
    {
        std::string_view line;
        do
            if (!lines_.next(line))
                return false;
        while (line.empty() || line.front() == '#');
        std::size_t const tab = line.find('\t');
        if (tab == line.npos || line.find('\t', tab + 1) != line.npos)
            fail("a line must be a query name, a tab and a target name");
        pair = {find(query_index_, std::string(line.substr(0, tab)), "query"),
                find(target_index_, std::string(line.substr(tab + 1)), "target")};
        return true;
    }

    // All pairs, those of a query together, queries in the order in which the list names them first.
    void group()
    {
        std::vector<std::uint64_t> rank(queries_.queries->size());
        nwgpu_pair pair{};
        try {
            while (read_pair(pair)) {
                grouped_.push_back(pair);
                if (rank[pair.query] == 0)
                    rank[pair.query] = grouped_.size();
            }
        } catch (Failure const &) { // after the pairs before it
            if (grouped_.empty())
                throw;
            failure_ = std::current_exception();
        }
        std::ranges::stable_sort(grouped_, {}, [&](nwgpu_pair const & each) { return rank[each.query]; });
    }

    static Index index_names(SequenceSet const & set, std::string const & path)
    {
        Index index;
        for (std::uint64_t i = 0; i < set.size(); ++i)
            if (!index.emplace(set.name(i), i).second)
                throw Failure(text(path, ": two records are named '", set.name(i), "'; --pairs needs unique names"));
        return index;
    }

    [[noreturn]] void fail(std::string const & message) const
    {
        throw Failure(text(lines_.path(), ":", lines_.line_number(), ": ", message));
    }

    std::uint64_t find(Index const & index, std::string const & name, char const * what) const
    {
        auto const found = index.find(name);
        if (found == index.end())
            fail(text("no ", what, " is named '", name, "'"));
        return found->second;
    }

    LineSource lines_;
    std::shared_ptr<SequenceSet const> targets_;
    Batch queries_; // its pairs stay empty
    Index query_index_, target_index_;
    std::vector<nwgpu_pair> grouped_; // empty: lines are read as they are needed
    std::size_t next_ = 0;            // of grouped_
    std::exception_ptr failure_;      // after the last one
};

} // namespace

std::uint64_t count_cells(Batch const & batch)
{
    std::uint64_t cells = 0;
    for (nwgpu_pair const & pair : batch.pairs)
        cells += batch.queries->length(pair.query) * batch.targets->length(pair.target);
    return cells;
}

bool Pairing::next(Batch & batch)
{
    if (failure_)
        std::rethrow_exception(std::exchange(failure_, nullptr));
    batch = Batch();
    sum_ = {};
    std::shared_ptr<SequenceSet> queries = store_.make();
    try {
        fill(batch, queries);
    } catch (Failure const &) {
        if (batch.pairs.empty())
            throw;
        failure_ = std::current_exception();
    }
    batch.own_queries = !batch.queries;
    if (batch.own_queries)
        set_queries(batch, queries);
    batch.began_before = std::exchange(goes_on_, batch.goes_on);
    if (both_strands_) {
        std::vector<nwgpu_pair> both;
        both.reserve(2 * batch.pairs.size());
        for (nwgpu_pair const & pair : batch.pairs) {
            both.push_back(pair);
            both.push_back({pair.query + batch.forward_count, pair.target});
        }
        batch.pairs = std::move(both);
        batch.group_size *= 2;
    }
    batch.letters = sum_.letters;
    batch.is_last = !is_full();
    batch.fraction = fraction();
    batch_letters_ = std::min(2 * batch_letters_, std::max(size_.letters, size_.letters_of_long));
    batch_cells_ = std::max(batch_cells_, std::min(2 * batch_cells_, size_.cells));
    see_how_much_is_left(batch.fraction);
    return !batch.pairs.empty();
}

void Pairing::resize(BatchSize const & size)
{
    size_ = size;
    store_.keep(kept_letters(size));
    batch_cells_ = first_cells();
    letters_of_rest_ = cells_of_rest_ = UINT64_MAX;
}

std::uint64_t Pairing::most_letters() const
{
    return size_.are_long(sum_) ? size_.letters_of_long : std::min(size_.letters, letters_of_rest_);
}

std::uint64_t Pairing::most_cells() const
{
    return size_.are_long(sum_) ? UINT64_MAX : std::min(batch_cells_, cells_of_rest_);
}

// Half of the rest is dealt out next.
void Pairing::see_how_much_is_left(double fraction)
{
    all_.letters += sum_.letters;
    all_.cells += sum_.cells;
    if (fraction <= 0 || size_.at_a_time == 1)
        return;
    double const times = (1 - fraction) / fraction / static_cast<double>(2 * size_.at_a_time);
    auto const share = [=](std::uint64_t all) { return static_cast<std::uint64_t>(times * static_cast<double>(all)); };
    letters_of_rest_ = std::max(least_letters, share(all_.letters));
    cells_of_rest_ = std::max(least_cells, share(all_.cells));
}

void Pairing::set_queries(Batch & batch, std::shared_ptr<SequenceSet> queries) const
{
    batch.forward_count = queries->size();
    if (both_strands_)
        add_reverse_complements(*queries);
    batch.queries = std::move(queries);
}

std::unique_ptr<Pairing> make_pairing(AlignOptions const & options, SequenceReader & queries, SequenceReader & targets,
                                      bool list_targets, bool group_queries, BatchSize const & size)
{
    PairingSetup const setup{options.both_strands, list_targets, size};
    if (!options.pairs_file.empty())
        return std::make_unique<ListPairing>(queries, targets, options.pairs_file, group_queries, setup);
    if (options.pair == "self")
        return std::make_unique<SelfPairing>(queries, setup);
    if (options.pair == "zip")
        return std::make_unique<ZipPairing>(queries, targets, setup);
    if (options.pair.empty() && !targets.only_one() && !queries.only_one())
        throw Failure(text(options.query, " and ", options.target,
                           " have several records each: say --pair zip, all or best, or --pairs TSV"));
    return std::make_unique<CrossPairing>(queries, targets, options.pair == "best", setup);
}

} // namespace cli
