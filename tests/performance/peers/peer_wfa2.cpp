// SPDX-License-Identifier: BSD-3-Clause
// WFA2-lib: global gap-affine alignment by wavefronts, in the mode that keeps all wavefronts ("high") and in the
// bidirectional one ("ultralow", BiWFA).  Its adaptive heuristic is on by default and switched off here: exact only.
#include "peer.hpp"
#include "scheme.hpp"

extern "C" {
#include <wavefront/wavefront_align.h>
}

#include <stdexcept>

namespace performance {

namespace {

class Wfa2Session final : public Session {
public:
    Wfa2Session(Task const & task, Pairs const & pairs, wavefront_memory_t memory) : task_{task}, pairs_{pairs}
    {
        wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
        if (task.scheme == Scheme::edit) {
            attributes.distance_metric = edit;
        } else {
            Costs const c = costs(task.scheme);
            attributes.distance_metric = gap_affine;
            attributes.affine_penalties.match = -c.match;
            attributes.affine_penalties.mismatch = -c.mismatch;
            attributes.affine_penalties.gap_opening = c.open;
            attributes.affine_penalties.gap_extension = c.extend;
        }
        attributes.alignment_form.span = alignment_end2end;
        attributes.alignment_scope = task.output == Output::cigar ? compute_alignment : compute_score;
        attributes.heuristic.strategy = wf_heuristic_none;
        attributes.memory_mode = memory;
        attributes.system.max_num_threads = 1;
        aligner_ = wavefront_aligner_new(&attributes);
        if (!aligner_)
            throw std::runtime_error("wavefront_aligner_new failed");
    }
    ~Wfa2Session() override { wavefront_aligner_delete(aligner_); }
    Wfa2Session(Wfa2Session const &) = delete;
    Wfa2Session & operator=(Wfa2Session const &) = delete;

    std::int64_t align(std::vector<Alignment> * keep) override
    {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < pairs_.queries.size(); ++i) {
            auto const & query = pairs_.queries[i];
            auto const & target = pairs_.targets[i];
            wavefront_align(aligner_, query.data(), static_cast<int>(query.size()), target.data(),
                            static_cast<int>(target.size()));
            // Edit distances come as costs, affine scores as scores.
            std::int64_t const found = aligner_->cigar->score;
            std::int64_t const score = task_.scheme == Scheme::edit && found > 0 ? -found : found;
            sum += score;
            if (keep)
                keep->push_back(translate(score, query.size(), target.size()));
        }
        return sum;
    }

private:
    // WFA2 names I and D from the pattern's side: its I consumes the text, here the target.
    Alignment translate(std::int64_t score, std::size_t query_length, std::size_t target_length) const
    {
        Alignment alignment;
        alignment.score = score;
        alignment.query_end = query_length;
        alignment.target_end = target_length;
        if (task_.output == Output::score)
            return alignment;
        cigar_t const & cigar = *aligner_->cigar;
        for (int i = cigar.begin_offset; i < cigar.end_offset; ++i) {
            switch (cigar.operations[i]) {
            case 'M':
                append_run(alignment.runs, bam::equal);
                break;
            case 'X':
                append_run(alignment.runs, bam::different);
                break;
            case 'I':
                append_run(alignment.runs, bam::deletion);
                break;
            default:
                append_run(alignment.runs, bam::insertion);
                break;
            }
        }
        return alignment;
    }

    Task task_;
    Pairs const & pairs_;
    wavefront_aligner_t * aligner_ = nullptr;
};

class Wfa2 final : public Peer {
public:
    explicit Wfa2(bool bidirectional) : bidirectional_{bidirectional} {}

    std::string name() const override { return bidirectional_ ? "wfa2-ultralow" : "wfa2-high"; }

    std::string refusal(Task const & task, Shape const & shape) const override
    {
        if (task.span == Span::local)
            return "has no local mode";
        if (task.span == Span::semi_global)
            return "ends-free with a match score is not always optimal";
        if (task.scheme == Scheme::protein)
            return "has no substitution matrix";
        if (!bidirectional_ && shape.query > 20000)
            return "keeps all wavefronts; above 20 kb only ultralow";
        if (bidirectional_ && shape.pairs > 1)
            return "slower than wfa2-high on short pairs";
        if (bidirectional_ && task.output == Output::score)
            return "mode for CIGARs";
        return {};
    }

    std::string known_defect(Task const &, Shape const &) const override
    {
        return bidirectional_ ? "2.3.5 has no score for some pairs of one or two differences" : "";
    }

    std::unique_ptr<Session> open(Task const & task, Pairs const & pairs) const override
    {
        return std::make_unique<Wfa2Session>(task, pairs,
                                             bidirectional_ ? wavefront_memory_ultralow : wavefront_memory_high);
    }

private:
    bool bidirectional_;
};

} // namespace

void add_wfa2(Peers & peers)
{
    peers.push_back(std::make_unique<Wfa2>(false));
    peers.push_back(std::make_unique<Wfa2>(true));
}

} // namespace performance
