// SPDX-License-Identifier: BSD-3-Clause
// One aligned pair as the writers see it, and what can be told from its path: counts, MD and cs.
#pragma once

#include <nwgpu/nwgpu.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cli {

// Of an alignment that there is: what the user's limits (--min-score and the like) say of it.
enum class Verdict { good, low_score, low_identity, low_coverage };

struct Alignment {
    std::string_view query_name, target_name, quality; // quality: "" when there is none
    std::span<std::uint8_t const> query, target;       // whole; the query as it was aligned
    bool ambiguous = true; // perhaps a letter of either is other than A, C, G, T and U: the same letter may differ then
    bool reverse = false;  // the query was aligned as its reverse complement
    std::uint64_t query_number = 0;        // of the record in its input
    std::uint64_t target_number = 0;       // the same of the target
    std::optional<std::uint64_t> rotation; // with --circular: letters that were moved from the begin to the end

    nwgpu_status status = NWGPU_OK;
    std::int64_t score = 0;
    bool has_path = false; // the fields below hold; false with --score-only and for failed pairs
    std::uint64_t query_begin = 0, query_end = 0, target_begin = 0, target_end = 0;
    std::span<std::uint32_t const> cigar;

    std::optional<std::int64_t> second_score; // the best of those that lost against this one
    Verdict verdict = Verdict::good;
    std::uint8_t mapq = 255; // nothing competed
    bool secondary = false;  // another alignment of the query is better
    bool redundant = false;  // has no place, and another record says so, or the query has one
    std::string_view tags;   // of the query, as BAM holds them
    bool good() const { return ok() && verdict == Verdict::good; }
    // Whether the query has a place in the target.
    bool placed() const { return has_path && good() && target_end > target_begin; }
    bool ok() const { return status == NWGPU_OK; }
    bool below_min_score() const { return status == NWGPU_BELOW_MIN_SCORE; } // of no known score
    bool failed() const { return !ok() && !below_min_score(); }
    // Query positions on the strand that the input has, as PAF and tsv give them.
    std::uint64_t input_query_begin() const { return reverse ? query.size() - query_end : query_begin; }
    std::uint64_t input_query_end() const { return reverse ? query.size() - query_begin : query_end; }
};

// "ok", "memory_limit", "low_score": what the tsv column `status` has.
std::string status_text(Alignment const & alignment);
// Appended to lines.
void append_status(std::string & line, Alignment const & alignment);
void append_cigar(std::string & line, Alignment const & alignment); // "2=1I4="; "*" for none

// Whether two letters count as equal in NM, MD, cs and identity.  DNA: both the same of A, C, G and T (= U), so
// that N against N is a difference, as the SAM specification says.  Protein: the same letter.
class LetterEquality {
public:
    explicit LetterEquality(bool dna);
    bool operator()(std::uint8_t a, std::uint8_t b) const { return (codes_[a] != 0) & (codes_[a] == codes_[b]); }
    // How many of so many letters are equal.
    std::uint64_t count(std::uint8_t const * a, std::uint8_t const * b, std::uint64_t length) const;
    bool dna() const { return dna_; }

private:
    std::uint8_t codes_[256] = {};
    bool const dna_;
};

struct PathCounts {
    std::uint64_t equal = 0, different = 0, inserted = 0, deleted = 0, gaps = 0;

    std::uint64_t columns() const { return equal + different + inserted + deleted; }
    std::uint64_t edits() const { return different + inserted + deleted; } // NM
};

PathCounts count_path(Alignment const & alignment, LetterEquality const & equal);

struct MdAndEdits {
    std::string md;
    std::uint64_t edits = 0; // as count_path() counts them
};
// MD writes U as T, as SEQ does.
MdAndEdits md_and_edits(Alignment const & alignment, LetterEquality const & equal);
std::string cs_text(Alignment const & alignment, LetterEquality const & equal);

// Calls step(op, query position, target position, columns) for every run; op is 'I', 'D' or 'M' (both letters).
template <typename Step>
void for_each_run(Alignment const & alignment, Step && step)
{
    std::uint64_t query = alignment.query_begin, target = alignment.target_begin;
    for (std::uint32_t const run : alignment.cigar) {
        std::uint32_t const code = run & 15, length = run >> 4;
        char const op = code == 1 ? 'I' : code == 2 ? 'D' : 'M';
        step(op, query, target, std::uint64_t{length});
        query += op != 'D' ? length : 0;
        target += op != 'I' ? length : 0;
    }
}

// The same for every column.
template <typename Step>
void for_each_column(Alignment const & alignment, Step && step)
{
    for_each_run(alignment, [&](char op, std::uint64_t query, std::uint64_t target, std::uint64_t length) {
        for (std::uint64_t k = 0; k < length; ++k)
            step(op, query + (op != 'D' ? k : 0), target + (op != 'I' ? k : 0));
    });
}

} // namespace cli
