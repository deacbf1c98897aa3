// SPDX-License-Identifier: BSD-3-Clause
// A gzip file inflated by several threads: each begins at a block that it finds in a stretch of the file, before
// anybody knows what comes before that (Kerbiriou, Chikhi, "Parallel decompression of gzip-compressed files and random
// access to DNA sequences", 2019, has the idea; Knespel, Brunst, "Rapidgzip", 2023, that of the search).
#pragma once

#include "byte_source.hpp"
#include "decompressors.hpp"
#include "gzip/inflater.hpp"
#include "task_threads.hpp"

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace cli {

class ParallelGzip : public ByteSource {
public:
    static constexpr std::size_t usual_stretch = std::size_t{1} << 19;

    // Of a regular file, by so many threads beside the caller's; a stretch has that many bytes, a few thousand or more.
    ParallelGzip(std::string path, std::size_t threads, Crc32 * crc, std::size_t stretch_bytes = usual_stretch);

    std::size_t read(char * to, std::size_t size) override;
    std::size_t position() const override { return static_cast<std::size_t>(stretch_->inflater.bit() / 8); }

private:
    struct Stretch {
        std::vector<std::uint8_t> packed;
        Symbols symbols;
        bool found = false;      // a place to begin
        std::uint64_t begin = 0; // bit of the file
        Inflater inflater;       // behind the last symbol
        Inflater::Stop stop = Inflater::Stop::input;
    };
    using StretchPointer = std::unique_ptr<Stretch>;

    struct File {
        explicit File(std::string const & path);
        ~File();
        File(File const &) = delete;
        File & operator=(File const &) = delete;

        int const descriptor;
        std::uint64_t const size; // now: what comes later is not read
    };

    Piece read_piece(std::uint64_t place, std::size_t size, std::vector<std::uint8_t> & memory) const;
    void inflate(std::uint64_t number, Stretch & stretch) const;
    bool follows(Stretch & next) const;
    StretchPointer take_unused();
    void begin_more();
    bool take_next();
    void go_on();
    void check_member(Symbols::MemberEnd const & end);

    std::string const path_;
    File const file_;
    Crc32 * const crc_;
    std::size_t const stretch_bytes_, most_ahead_;

    StretchPointer stretch_;  // that is read
    std::size_t taken_ = 0;   // of its symbols
    std::size_t checked_ = 0; // of the members that end in it
    Window window_;           // before it
    std::uint32_t member_crc_ = 0, member_size_ = 0;

    std::uint64_t next_ = 0;                        // that no thread has begun
    std::deque<std::future<StretchPointer>> ahead_; // those behind the candidate, in order
    StretchPointer candidate_;                      // to follow, where it begins when the one that is read ends
    std::vector<StretchPointer> unused_;
    TaskThreads<StretchPointer> threads_; // behind what they use
};

} // namespace cli
