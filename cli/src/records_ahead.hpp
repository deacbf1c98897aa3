// SPDX-License-Identifier: BSD-3-Clause
// The records of a file, read and checked by a thread of its own, some hundred kilobytes, or a record, ahead of what is
// taken: two files are read at a time.  Short records of a file may be parsed by several threads, each of which has a
// block of it.
#pragma once

#include "background.hpp"
#include "sequence_reader.hpp"
#include "set_store.hpp"
#include "target_list.hpp"
#include "task_threads.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cli {

class RecordsAhead {
public:
    // block_records: of a block that a thread parses; 0: one thread parses one record after the other.  The reader must
    // outlive it.  What is not a regular file is read when it is asked for: its next record may never come.
    // store: of whose sets chunks are.  list, where it is told, gets the names of all records: they are read as far
    // ahead as that takes.
    RecordsAhead(SequenceReader & reader, std::uint64_t block_records, SetStore store,
                 std::shared_ptr<TargetList> list = nullptr) :
        reader_(reader), store_(std::move(store)), block_records_(block_records), list_(std::move(list))
    {
        if (list_ && !(reader_.is_regular() && ahead_.begin()))
            read_all();
    }

    // How many records are at hand, at least one; 0 at the end of the file.  Throws as the reader does.
    std::uint64_t at_hand()
    {
        if (!reader_.is_regular() && next_ == chunk_.records->size())
            read_one();
        while (reader_.is_regular() && next_ == chunk_.records->size()) {
            if (chunk_.failure)
                std::rethrow_exception(chunk_.failure);
            std::optional<Chunk> chunk = ahead_.next();
            if (!chunk)
                return 0;
            chunk_ = std::move(*chunk);
            next_ = 0;
        }
        return chunk_.records->size() - next_;
    }
    // Of the record that comes i records after the next one; at hand.
    std::uint64_t length(std::uint64_t i) const { return chunk_.records->length(next_ + i); }
    // Appends so many records, which are at hand; without a copy where they are all that there are.
    void take(std::uint64_t count, SequenceSet & into)
    {
        if (into.empty() && next_ == 0 && count == chunk_.records->size()) {
            std::swap(into, *chunk_.records);
            return;
        }
        into.add_copies(*chunk_.records, next_, count);
        next_ += count;
    }
    // Whether what is at hand is a set of its own, of which nothing was taken.
    bool whole_chunk() const { return next_ == 0; }
    std::shared_ptr<SequenceSet> take_chunk() { return std::exchange(chunk_.records, store_.make()); }
    std::string const & path() const { return reader_.path(); }
    double fraction() const { return reader_.is_regular() ? chunk_.fraction : reader_.fraction(); }

private:
    static constexpr std::uint64_t letters = 1 << 18; // of a chunk, and one record more
    static constexpr std::size_t most_blocks = 6;     // that are parsed at a time, or wait for those before them
    static constexpr std::size_t blocks_ahead = 4;    // that wait to be taken

    struct Chunk {
        std::shared_ptr<SequenceSet> records;
        std::exception_ptr failure; // behind them
        double fraction = 0;
    };
    struct ParsedBlock {
        std::shared_ptr<SequenceSet> records;
        SequenceReader::Parsed parsed;
    };

    // By one thread, as are all that follow.
    std::optional<Chunk> read_chunk()
    {
        if (ended_)
            return std::nullopt;
        Chunk chunk;
        try {
            if (block_records_ == 0 || reader_.has_first() || !take_block(chunk))
                parse_chunk(chunk);
        } catch (...) {
            chunk.failure = std::current_exception();
            ended_ = true;
        }
        if (!chunk.records)
            chunk.records = store_.make();
        chunk.fraction = reader_.fraction();
        bool const is_end = chunk.records->empty() && !chunk.failure;
        if (list_) {
            list_->add(*chunk.records);
            if (is_end || chunk.failure)
                list_->end(chunk.failure);
        }
        return is_end ? std::nullopt : std::optional(std::move(chunk));
    }

    void read_all()
    {
        reader_.read_all(*chunk_.records);
        list_->add(*chunk_.records);
        list_->end();
        ended_ = true;
    }

    void parse_chunk(Chunk & chunk)
    {
        chunk.records = store_.make();
        SequenceSet & records = *chunk.records;
        records.reserve(letters + letters / 8);
        bool const in_blocks = block_records_ > 0; // the others: this is the first record
        while (records.total_letters() + records.size() < letters && reader_.read(records) && !in_blocks) {
        }
    }

    // False where there is no block, now and later.
    bool take_block(Chunk & chunk)
    {
        while (blocks_.size() < most_blocks) {
            std::optional<Block> block = reader_.cut(block_records_, take_unused());
            if (!block)
                break;
            blocks_.push_back(parsers_.submit(std::packaged_task<ParsedBlock()>(
                [this, block = std::move(*block)]() mutable { return parse_block(std::move(block)); })));
        }
        if (blocks_.empty()) {
            block_records_ = 0;
            return false;
        }
        ParsedBlock block = blocks_.front().get();
        blocks_.pop_front();
        chunk.records = std::move(block.records);
        if (std::size_t const rest = block.parsed.rest; rest < block.parsed.block.size) {
            unread(block.parsed);
            if (chunk.records->empty())
                return false;
        }
        unused_.push_back(std::move(block.parsed.block.memory));
        return true;
    }

    std::vector<char> take_unused()
    {
        if (unused_.empty())
            return {};
        std::vector<char> bytes = std::move(unused_.back());
        unused_.pop_back();
        return bytes;
    }

    ParsedBlock parse_block(Block block)
    {
        ParsedBlock parsed{store_.make(), {}};
        parsed.records->reserve(block.size);
        parsed.parsed = reader_.parse_block(std::move(block), *parsed.records);
        return parsed;
    }

    // From here on the reader parses one record after the other: it tells what is wrong, or reads what was cut off in
    // the wrong place.
    void unread(SequenceReader::Parsed & parsed)
    {
        std::string bytes(parsed.block.bytes().substr(parsed.rest));
        for (; !blocks_.empty(); blocks_.pop_front())
            bytes += blocks_.front().get().parsed.block.bytes();
        block_records_ = 0;
        reader_.unread(bytes, parsed.lines_before_rest);
    }

    void read_one()
    {
        chunk_.records->clear();
        next_ = 0;
        reader_.read(*chunk_.records);
    }

    SequenceReader & reader_;
    SetStore store_;
    Chunk chunk_{store_.make(), nullptr, 0};
    std::uint64_t next_ = 0;      // of its records
    std::uint64_t block_records_; // of those that follow
    std::shared_ptr<TargetList> const list_;
    bool ended_ = false;                          // no chunk is left
    std::deque<std::future<ParsedBlock>> blocks_; // in order
    std::vector<std::vector<char>> unused_;       // memory of blocks
    // Behind what their threads use.
    TaskThreads<ParsedBlock> parsers_{most_blocks, 1};
    ReadAhead<Chunk> ahead_{[this] { return read_chunk(); }, list_ ? std::numeric_limits<std::size_t>::max()
                                                             : block_records_ > 0 ? blocks_ahead
                                                                                  : 1};
};

} // namespace cli
