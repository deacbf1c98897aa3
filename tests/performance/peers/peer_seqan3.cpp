// SPDX-License-Identifier: BSD-3-Clause
// SeqAn 3: inter-sequence SIMD for batches (scores only, 16 bit, compiled with -march=native) and its scalar engine
// for single pairs and for paths, which come as gapped rows.  Vectorised free end gaps give wrong scores: not run.
#include "peer.hpp"
#include "scheme.hpp"

#include <seqan3/alignment/configuration/all.hpp>
#include <seqan3/alignment/pairwise/align_pairwise.hpp>
#include <seqan3/alignment/scoring/aminoacid_scoring_scheme.hpp>
#include <seqan3/alignment/scoring/nucleotide_scoring_scheme.hpp>
#include <seqan3/alphabet/aminoacid/aa27.hpp>
#include <seqan3/alphabet/nucleotide/dna4.hpp>
#include <seqan3/utility/views/zip.hpp>

#include <tuple>
#include <type_traits>

namespace performance {

namespace {

using namespace seqan3;

template <Scheme scheme>
using Letter = std::conditional_t<scheme == Scheme::protein, aa27, dna4>;

template <Scheme scheme>
auto scoring()
{
    if constexpr (scheme == Scheme::protein)
        return align_cfg::scoring_scheme{aminoacid_scoring_scheme{aminoacid_similarity_matrix::blosum62}};
    else
        return align_cfg::scoring_scheme{
            nucleotide_scoring_scheme<std::int8_t>{match_score{static_cast<std::int8_t>(costs(scheme).match)},
                                                   mismatch_score{static_cast<std::int8_t>(costs(scheme).mismatch)}}};
}

template <Scheme scheme, Span span>
auto configuration()
{
    auto const gaps = align_cfg::gap_cost_affine{align_cfg::open_score{-costs(scheme).open},
                                                 align_cfg::extension_score{-costs(scheme).extend}};
    if constexpr (span == Span::local)
        return align_cfg::method_local{} | scoring<scheme>() | gaps;
    else
        return align_cfg::method_global{} | scoring<scheme>() | gaps;
}

// Every mode is a template of its own in SeqAn 3; `vectorised` exists for score output only.
template <Scheme scheme, Span span, Output output, bool vectorised>
class Seqan3Session final : public Session {
public:
    Seqan3Session(Task const & task, Pairs const & pairs) : threads_{static_cast<std::uint32_t>(task.threads)}
    {
        for (std::size_t i = 0; i < pairs.queries.size(); ++i) {
            queries_.push_back(convert(pairs.queries[i]));
            targets_.push_back(convert(pairs.targets[i]));
        }
    }

    std::int64_t align(std::vector<Alignment> * keep) override
    {
        auto const base = configuration<scheme, span>();
        auto sequences = seqan3::views::zip(queries_, targets_);
        if constexpr (output == Output::cigar) {
            return collect(
                align_pairwise(sequences, base | align_cfg::output_score{} | align_cfg::output_begin_position{} |
                                              align_cfg::output_end_position{} | align_cfg::output_alignment{}),
                keep);
        } else if constexpr (vectorised) {
            auto const simd =
                base | align_cfg::output_score{} | align_cfg::score_type<std::int16_t>{} | align_cfg::vectorised{};
            return threads_ > 1 ? collect(align_pairwise(sequences, simd | align_cfg::parallel{threads_}), keep)
                                : collect(align_pairwise(sequences, simd), keep);
        } else {
            return collect(align_pairwise(sequences, base | align_cfg::output_score{}), keep);
        }
    }

private:
    static std::vector<Letter<scheme>> convert(std::string const & text)
    {
        std::vector<Letter<scheme>> letters(text.size());
        for (std::size_t i = 0; i < text.size(); ++i)
            letters[i].assign_char(text[i]);
        return letters;
    }

    template <typename Results>
    std::int64_t collect(Results && results, std::vector<Alignment> * keep) const
    {
        std::int64_t sum = 0;
        for (auto && result : results) {
            sum += result.score();
            if (!keep)
                continue;
            Alignment alignment;
            alignment.score = result.score();
            if constexpr (output == Output::cigar) {
                alignment.query_begin = result.sequence1_begin_position();
                alignment.query_end = result.sequence1_end_position();
                alignment.target_begin = result.sequence2_begin_position();
                alignment.target_end = result.sequence2_end_position();
                auto const & [query_row, target_row] = result.alignment();
                for (std::size_t k = 0; k < query_row.size(); ++k)
                    append_run(alignment.runs, query_row[k] == gap{}    ? bam::deletion
                                               : target_row[k] == gap{} ? bam::insertion
                                                                        : bam::match);
            }
            keep->push_back(std::move(alignment));
        }
        return sum;
    }

    std::uint32_t threads_;
    std::vector<std::vector<Letter<scheme>>> queries_, targets_;
};

template <Scheme scheme, Span span>
std::unique_ptr<Session> open_span(Task const & task, Pairs const & pairs)
{
    if (task.output == Output::cigar)
        return std::make_unique<Seqan3Session<scheme, span, Output::cigar, false>>(task, pairs);
    if constexpr (scheme == Scheme::dna)
        if (pairs.queries.size() > 1)
            return std::make_unique<Seqan3Session<scheme, span, Output::score, true>>(task, pairs);
    return std::make_unique<Seqan3Session<scheme, span, Output::score, false>>(task, pairs);
}

template <Scheme scheme>
std::unique_ptr<Session> open_scheme(Task const & task, Pairs const & pairs)
{
    return task.span == Span::local ? open_span<scheme, Span::local>(task, pairs)
                                    : open_span<scheme, Span::global>(task, pairs);
}

class Seqan3 final : public Peer {
public:
    std::string name() const override { return "seqan3"; }

    std::string refusal(Task const & task, Shape const & shape) const override
    {
        if (task.scheme == Scheme::edit || task.scheme == Scheme::penalties)
            return "few differences are timed with edlib, ksw2 and WFA2";
        if (task.span == Span::semi_global)
            return "wrong scores with `vectorised` and free trailing gaps";
        if (shape.pairs > 1 && task.scheme == Scheme::protein)
            return "its SIMD gains little on proteins";
        if (shape.pairs > 10000 && task.output == Output::cigar)
            return "scalar paths; see the small batch";
        if (task.threads > 1 && (shape.pairs == 1 || task.output == Output::cigar))
            return "threads only across pairs";
        if (static_cast<double>(shape.query) * static_cast<double>(shape.target) > 2e9)
            return "scalar engine, minutes at this length";
        return {};
    }

    std::unique_ptr<Session> open(Task const & task, Pairs const & pairs) const override
    {
        return task.scheme == Scheme::protein ? open_scheme<Scheme::protein>(task, pairs)
                                              : open_scheme<Scheme::dna>(task, pairs);
    }
};

} // namespace

void add_seqan3(Peers & peers) { peers.push_back(std::make_unique<Seqan3>()); }

} // namespace performance
