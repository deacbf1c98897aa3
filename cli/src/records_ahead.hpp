// SPDX-License-Identifier: BSD-3-Clause
// The records of a file, read and checked by a thread of its own, some hundred kilobytes, or a record, ahead of what is
// taken: two files are read at a time.
#pragma once

#include "background.hpp"
#include "sequence_reader.hpp"

#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace cli {

class RecordsAhead {
public:
    // The reader must outlive it.  What is not a regular file is read when it is asked for: its next record may never
    // come.
    explicit RecordsAhead(SequenceReader & reader) : reader_(reader) {}

    // How many records are at hand, at least one; 0 at the end of the file.  Throws as the reader does.
    std::uint64_t at_hand()
    {
        if (!reader_.is_regular() && next_ == chunk_.records.size())
            read_one();
        while (reader_.is_regular() && next_ == chunk_.records.size()) {
            if (chunk_.failure)
                std::rethrow_exception(chunk_.failure);
            give_back();
            std::optional<Chunk> chunk = ahead_.next();
            if (!chunk)
                return 0;
            chunk_ = std::move(*chunk);
        }
        return chunk_.records.size() - next_;
    }
    // Of the record that comes i records after the next one; at hand.
    std::uint64_t length(std::uint64_t i) const { return chunk_.records.length(next_ + i); }
    // Appends so many records, which are at hand.
    void take(std::uint64_t count, SequenceSet & into)
    {
        into.add_copies(chunk_.records, next_, count);
        next_ += count;
    }
    std::string const & path() const { return reader_.path(); }
    double fraction() const { return reader_.is_regular() ? chunk_.fraction : reader_.fraction(); }

private:
    static constexpr std::uint64_t letters = 1 << 18; // of a chunk, and one record more

    struct Chunk {
        SequenceSet records;
        std::exception_ptr failure; // behind them
        double fraction = 0;
    };

    std::optional<Chunk> read_chunk()
    {
        if (failed_)
            return std::nullopt;
        Chunk chunk;
        {
            std::lock_guard const lock(mutex_);
            chunk.records = std::exchange(used_, SequenceSet());
        }
        chunk.records.reserve(letters + letters / 8);
        try {
            while (chunk.records.total_letters() + chunk.records.size() < letters && reader_.read(chunk.records)) {
            }
        } catch (...) {
            chunk.failure = std::current_exception();
            failed_ = true;
        }
        chunk.fraction = reader_.fraction();
        return chunk.records.empty() && !chunk.failure ? std::nullopt : std::optional(std::move(chunk));
    }

    void read_one()
    {
        chunk_.records.clear();
        next_ = 0;
        reader_.read(chunk_.records);
    }

    // Memory that was touched before: fresh pages take longer than the letters.
    void give_back()
    {
        std::lock_guard const lock(mutex_);
        bool const usual = chunk_.records.total_letters() < 4 * letters; // long records leave nothing behind
        used_ = usual ? std::move(chunk_.records) : SequenceSet();
        used_.clear();
        chunk_.records = SequenceSet();
        next_ = 0;
    }

    SequenceReader & reader_;
    std::mutex mutex_;
    SequenceSet used_; // empty
    Chunk chunk_;
    std::uint64_t next_ = 0; // of its records
    bool failed_ = false;
    // Last, because its thread uses the others.
    ReadAhead<Chunk> ahead_{[this] { return read_chunk(); }};
};

} // namespace cli
