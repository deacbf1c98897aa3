// SPDX-License-Identifier: BSD-3-Clause
// Our own library, through its public headers only and compiled without raised instruction sets.  "nwgpu" times
// nwgpu_align on packed sequences, as the other peers are timed on their own formats; "nwgpu-bytes" adds the packing.
#include "peer.hpp"
#include "prediction.hpp"
#include "scheme.hpp"

#include <nwgpu/nwgpu.hpp>

#include <numeric>
#include <optional>
#include <stdexcept>

namespace performance {

namespace {

std::int32_t mode_of(Span span)
{
    switch (span) {
    case Span::global:
        return NWGPU_MODE_GLOBAL;
    case Span::local:
        return NWGPU_MODE_LOCAL;
    case Span::semi_global:
        break;
    }
    return NWGPU_MODE_FREE_ENDS;
}

nwgpu::Context make_context(int threads)
{
    nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
    options.backend = NWGPU_BACKEND_CPU;
    options.cpu_threads = threads;
    return nwgpu::Context{options};
}

nwgpu_align_options align_options(Task const & task)
{
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    options.mode = mode_of(task.span);
    if (task.span == Span::semi_global)
        options.free_ends = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
    options.ties = task.last_end ? NWGPU_TIES_LAST_END : NWGPU_TIES_FIRST;
    options.output = task.output == Output::cigar ? NWGPU_OUTPUT_CIGAR : NWGPU_OUTPUT_SCORE;
    return options;
}

// Sequences laid end to end, as nwgpu::Sequences takes them.
struct Bytes {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint64_t> offsets{0};

    explicit Bytes(std::vector<std::string> const & sequences)
    {
        for (auto const & sequence : sequences) {
            bytes.insert(bytes.end(), sequence.begin(), sequence.end());
            offsets.push_back(bytes.size());
        }
    }
    nwgpu::Sequences pack(nwgpu::Context & context) const { return {context, bytes, offsets}; }
};

class NwgpuSession final : public Session {
public:
    NwgpuSession(Task const & task, Pairs const & pairs, bool pack_each_time) :
        task_{task},
        pack_each_time_{pack_each_time},
        query_bytes_{pairs.queries},
        target_bytes_{pairs.targets},
        context_{make_context(task.threads)},
        scoring_{scoring_of(task.scheme)},
        options_{align_options(task)}
    {
        if (task.band > 0)
            options_.band = &band_;
        if (!pack_each_time_)
            pack();
    }

    std::int64_t align(std::vector<Alignment> * keep) override
    {
        if (pack_each_time_)
            pack();
        nwgpu::Result const result = context_.align(*queries_, *targets_, scoring_, options_);
        if (result.failed() != 0)
            throw std::runtime_error("some pairs failed");
        auto const scores = result.scores();
        if (keep)
            translate(result, *keep);
        return std::accumulate(scores.begin(), scores.end(), std::int64_t{0});
    }

    double predicted_seconds()
    {
        pack();
        return context_.estimate(*queries_, *targets_, scoring_, options_).seconds;
    }

private:
    nwgpu_scoring scoring_of(Scheme scheme) const
    {
        Costs const c = costs(scheme);
        if (scheme == Scheme::protein)
            return blosum_.scoring(c.open, c.extend);
        nwgpu_scoring scoring = NWGPU_SCORING_INIT;
        scoring.match = c.match;
        scoring.mismatch = -c.mismatch;
        scoring.gap_open = c.open;
        scoring.gap_extend = c.extend;
        scoring.letter_codes = nwgpu_alphabet_letter_codes("dna");
        return scoring;
    }

    void pack()
    {
        queries_ = query_bytes_.pack(context_);
        targets_ = target_bytes_.pack(context_);
    }

    void translate(nwgpu::Result const & result, std::vector<Alignment> & keep) const
    {
        for (std::uint64_t i = 0; i < result.count(); ++i) {
            Alignment alignment;
            alignment.score = result.scores()[i];
            if (options_.output == NWGPU_OUTPUT_CIGAR) {
                nwgpu::Span const span = result.span(i);
                alignment.query_begin = span.query_begin;
                alignment.query_end = span.query_end;
                alignment.target_begin = span.target_begin;
                alignment.target_end = span.target_end;
                auto const runs = result.cigar(i);
                alignment.runs.assign(runs.begin(), runs.end());
            }
            keep.push_back(std::move(alignment));
        }
    }

    Task task_;
    bool pack_each_time_;
    Bytes query_bytes_, target_bytes_;
    nwgpu::Context context_;
    nwgpu::Matrix blosum_{"BLOSUM62"};
    std::optional<nwgpu::Sequences> queries_, targets_;
    nwgpu_scoring scoring_;
    nwgpu_band const band_{sizeof(nwgpu_band), -task_.band, task_.band};
    nwgpu_align_options options_;
};

class Nwgpu final : public Peer {
public:
    explicit Nwgpu(bool pack_each_time) : pack_each_time_{pack_each_time} {}

    std::string name() const override { return pack_each_time_ ? "nwgpu-bytes" : "nwgpu"; }

    std::string refusal(Task const & task, Shape const & shape) const override
    {
        if (pack_each_time_ && (shape.query > 1000 || task.threads != 1))
            return "packing is only timed where it could matter, on short sequences";
        return {};
    }

    std::unique_ptr<Session> open(Task const & task, Pairs const & pairs) const override
    {
        return std::make_unique<NwgpuSession>(task, pairs, pack_each_time_);
    }

private:
    bool pack_each_time_;
};

} // namespace

void add_nwgpu(Peers & peers)
{
    peers.push_back(std::make_unique<Nwgpu>(false));
    peers.push_back(std::make_unique<Nwgpu>(true));
}

double predicted_seconds(Task const & task, Pairs const & pairs)
{
    return NwgpuSession(task, pairs, true).predicted_seconds();
}

std::string nwgpu_description()
{
    nwgpu::Context const context;
    return std::string{nwgpu_version_string()} + ", " + nwgpu_build_info() + ", in use " +
           std::string{context.backend_name()};
}

} // namespace performance
