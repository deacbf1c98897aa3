// SPDX-License-Identifier: BSD-3-Clause
// SeqAn 2: inter-sequence SIMD over a batch, 16-bit scores, AVX-512 where the machine has it (this file is compiled
// with -march=native).  The target is the horizontal sequence.  Its paths are gapped rows, not CIGARs; those rows are
// what is timed.  Gap "open" is the score of the first letter.
#define SEQAN_SIMD_ENABLED
#include "peer.hpp"
#include "scheme.hpp"

#include <seqan/align.h>
#include <seqan/align_parallel.h>
#include <seqan/sequence.h>

#include <stdexcept>

namespace performance {

namespace {

using Sequence = seqan::String<seqan::Dna>;
using Sequences = seqan::StringSet<Sequence>;
using Rows = seqan::StringSet<seqan::Gaps<Sequence>>;
using Scoring = seqan::Score<std::int16_t, seqan::Simple>;
using GlobalEnds = seqan::AlignConfig<false, false, false, false>;
using FreeTargetEnds = seqan::AlignConfig<true, false, false, true>; // gaps at both ends of the vertical row

class Seqan2Session final : public Session {
public:
    Seqan2Session(Task const & task, Pairs const & pairs) : task_{task}
    {
        Costs const c = costs(task.scheme);
        scoring_ = Scoring{static_cast<std::int16_t>(c.match), static_cast<std::int16_t>(c.mismatch),
                           static_cast<std::int16_t>(-c.extend), static_cast<std::int16_t>(-(c.open + c.extend))};
        seqan::setNumThreads(parallel_, task.threads);
        for (std::size_t i = 0; i < pairs.queries.size(); ++i) {
            seqan::appendValue(queries_, Sequence{pairs.queries[i].c_str()});
            seqan::appendValue(targets_, Sequence{pairs.targets[i].c_str()});
        }
    }

    std::int64_t align(std::vector<Alignment> * keep) override
    {
        if (task_.output == Output::cigar)
            return align_rows(keep);
        return task_.threads > 1 ? align_scores(parallel_, keep) : align_scores(serial_, keep);
    }

private:
    template <typename Policy>
    std::int64_t align_scores(Policy const & policy, std::vector<Alignment> * keep)
    {
        seqan::AffineGaps const affine{};
        switch (task_.span) {
        case Span::global:
            return sum(seqan::globalAlignmentScore(policy, targets_, queries_, scoring_, GlobalEnds{}, affine), keep);
        case Span::semi_global:
            return sum(seqan::globalAlignmentScore(policy, targets_, queries_, scoring_, FreeTargetEnds{}, affine),
                       keep);
        case Span::local:
            break;
        }
        return sum(seqan::localAlignmentScore(policy, targets_, queries_, scoring_, affine), keep);
    }

    template <typename Scores>
    static std::int64_t sum(Scores const & scores, std::vector<Alignment> * keep)
    {
        std::int64_t total = 0;
        for (auto score : scores) {
            total += score;
            if (keep) {
                keep->emplace_back();
                keep->back().score = score;
            }
        }
        return total;
    }

    std::int64_t align_rows(std::vector<Alignment> * keep)
    {
        Rows target_rows, query_rows;
        seqan::resize(target_rows, seqan::length(targets_));
        seqan::resize(query_rows, seqan::length(queries_));
        for (std::size_t i = 0; i < seqan::length(targets_); ++i) {
            seqan::assignSource(target_rows[i], targets_[i]);
            seqan::assignSource(query_rows[i], queries_[i]);
        }
        seqan::AffineGaps const affine{};
        std::int64_t const total =
            task_.span == Span::global
                ? sum(seqan::globalAlignment(target_rows, query_rows, scoring_, GlobalEnds{}, affine), keep)
            : task_.span == Span::semi_global
                ? sum(seqan::globalAlignment(target_rows, query_rows, scoring_, FreeTargetEnds{}, affine), keep)
                : sum(seqan::localAlignment(target_rows, query_rows, scoring_, affine), keep);
        if (keep)
            for (std::size_t i = 0; i < keep->size(); ++i)
                translate(target_rows[i], query_rows[i], (*keep)[i]);
        return total;
    }

    template <typename Row>
    void translate(Row const & target_row, Row const & query_row, Alignment & alignment) const
    {
        std::size_t first = 0, last = seqan::length(query_row);
        if (task_.span == Span::semi_global) { // the free target ends are not part of the common form
            while (first < last && seqan::isGap(query_row, first))
                ++first;
            while (last > first && seqan::isGap(query_row, last - 1))
                --last;
        }
        alignment.query_begin = seqan::toSourcePosition(query_row, first);
        alignment.target_begin = seqan::toSourcePosition(target_row, first);
        alignment.query_end = alignment.query_begin;
        alignment.target_end = alignment.target_begin;
        for (std::size_t k = first; k < last; ++k) {
            bool const query_gap = seqan::isGap(query_row, k), target_gap = seqan::isGap(target_row, k);
            alignment.query_end += !query_gap;
            alignment.target_end += !target_gap;
            append_run(alignment.runs, query_gap ? bam::deletion : target_gap ? bam::insertion : bam::match);
        }
    }

    Task task_;
    Scoring scoring_;
    Sequences queries_, targets_;
    seqan::ExecutionPolicy<seqan::Serial, seqan::Vectorial> serial_;
    seqan::ExecutionPolicy<seqan::Parallel, seqan::Vectorial> parallel_;
};

class Seqan2 final : public Peer {
public:
    std::string name() const override { return "seqan2"; }

    std::string refusal(Task const & task, Shape const & shape) const override
    {
        if (task.scheme != Scheme::dna)
            return "its SIMD gains little on proteins";
        if (shape.pairs < 100)
            return "SIMD is across pairs only";
        if (std::max(shape.query, shape.target) > 4000)
            return "16-bit scores and 61 bytes of trace per cell";
        if (task.output == Output::cigar && task.threads > 1)
            return "no threads with path";
        if (task.output == Output::cigar && task.span == Span::local && shape.pairs > 10000)
            return "local paths are not vectorised; see the small batch";
        return {};
    }

    std::unique_ptr<Session> open(Task const & task, Pairs const & pairs) const override
    {
        return std::make_unique<Seqan2Session>(task, pairs);
    }
};

} // namespace

void add_seqan2(Peers & peers) { peers.push_back(std::make_unique<Seqan2>()); }

} // namespace performance
