// SPDX-License-Identifier: BSD-3-Clause
// Our own library, through its public header only and compiled without raised instruction sets.  "nwgpu" times
// nwgpu_align on packed sequences, as the other peers are timed on their own formats; "nwgpu-bytes" adds the packing.
#include "peer.hpp"
#include "scheme.hpp"

#include <nwgpu/nwgpu.h>

#include <stdexcept>

namespace performance {

namespace {

void check(nwgpu_status status, nwgpu_error const & error)
{
    if (status != NWGPU_OK)
        throw std::runtime_error(std::string{nwgpu_status_name(status)} + ": " + error.message);
}

std::int32_t span_of(Span span)
{
    switch (span) {
    case Span::global:
        return NWGPU_SPAN_GLOBAL;
    case Span::local:
        return NWGPU_SPAN_LOCAL;
    case Span::semi_global:
        break;
    }
    return NWGPU_SPAN_FREE_ENDS;
}

// Sequences laid end to end, as nwgpu_sequences_create takes them.
struct Bytes {
    std::string bytes;
    std::vector<std::uint64_t> offsets{0};

    explicit Bytes(std::vector<std::string> const & sequences)
    {
        for (auto const & sequence : sequences) {
            bytes += sequence;
            offsets.push_back(bytes.size());
        }
    }
    nwgpu_sequences * pack(nwgpu_context * context) const
    {
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_sequences * packed = nullptr;
        check(nwgpu_sequences_create(context, reinterpret_cast<std::uint8_t const *>(bytes.data()), offsets.data(),
                                     offsets.size() - 1, &packed, &error),
              error);
        return packed;
    }
};

class NwgpuSession final : public Session {
public:
    NwgpuSession(Task const & task, Pairs const & pairs, bool pack_each_time) :
        pack_each_time_{pack_each_time}, query_bytes_{pairs.queries}, target_bytes_{pairs.targets}
    {
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_context_options context_options{};
        context_options.struct_size = sizeof context_options;
        context_options.backend = NWGPU_BACKEND_CPU;
        context_options.cpu_threads = task.threads;
        check(nwgpu_context_create(&context_options, &context_, &error), error);

        Costs const c = costs(task.scheme);
        scoring_.struct_size = sizeof scoring_;
        scoring_.gap_open = c.open;
        scoring_.gap_extend = c.extend;
        if (task.scheme == Scheme::protein) {
            check(nwgpu_matrix_named("BLOSUM62", &matrix_, &error), error);
            scoring_.alphabet_size = nwgpu_matrix_size(matrix_);
            scoring_.matrix = nwgpu_matrix_scores(matrix_);
            scoring_.letter_codes = nwgpu_matrix_codes(matrix_);
        } else {
            scoring_.match = c.match;
            scoring_.mismatch = -c.mismatch;
            scoring_.letter_codes = nwgpu_alphabet_codes("dna");
        }
        options_.struct_size = sizeof options_;
        options_.span = span_of(task.span);
        if (task.span == Span::semi_global)
            options_.free_ends = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
        options_.output = task.output == Output::cigar ? NWGPU_OUTPUT_CIGAR : NWGPU_OUTPUT_SCORE;
        if (!pack_each_time_)
            pack();
    }
    ~NwgpuSession() override
    {
        unpack();
        nwgpu_matrix_destroy(matrix_);
        nwgpu_context_destroy(context_);
    }
    NwgpuSession(NwgpuSession const &) = delete;
    NwgpuSession & operator=(NwgpuSession const &) = delete;

    std::int64_t align(std::vector<Alignment> * keep) override
    {
        if (pack_each_time_)
            pack();
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_result * result = nullptr;
        check(nwgpu_align(context_, queries_, targets_, nullptr, 0, &scoring_, &options_, &result, &error), error);
        if (nwgpu_result_failed(result) != 0)
            throw std::runtime_error("some pairs failed");
        std::int64_t const * scores = nwgpu_result_scores(result);
        std::uint64_t const count = nwgpu_result_count(result);
        std::int64_t sum = 0;
        for (std::uint64_t i = 0; i < count; ++i)
            sum += scores[i];
        if (keep)
            translate(*result, *keep);
        nwgpu_result_destroy(result);
        if (pack_each_time_)
            unpack();
        return sum;
    }

private:
    void pack()
    {
        queries_ = query_bytes_.pack(context_);
        targets_ = target_bytes_.pack(context_);
    }
    void unpack()
    {
        nwgpu_sequences_destroy(queries_);
        nwgpu_sequences_destroy(targets_);
        queries_ = targets_ = nullptr;
    }

    void translate(nwgpu_result const & result, std::vector<Alignment> & keep) const
    {
        nwgpu_error error = NWGPU_ERROR_INIT;
        std::uint32_t const * runs = nullptr;
        std::uint64_t const * offsets = nullptr;
        std::uint64_t const * spans = nwgpu_result_spans(&result);
        if (options_.output == NWGPU_OUTPUT_CIGAR)
            check(nwgpu_result_cigars(&result, &runs, &offsets, &error), error);
        for (std::uint64_t i = 0; i < nwgpu_result_count(&result); ++i) {
            Alignment alignment;
            alignment.score = nwgpu_result_scores(&result)[i];
            if (runs) {
                alignment.query_begin = spans[4 * i];
                alignment.query_end = spans[4 * i + 1];
                alignment.target_begin = spans[4 * i + 2];
                alignment.target_end = spans[4 * i + 3];
                alignment.runs.assign(runs + offsets[i], runs + offsets[i + 1]);
            }
            keep.push_back(std::move(alignment));
        }
    }

    bool pack_each_time_;
    Bytes query_bytes_, target_bytes_;
    nwgpu_context * context_ = nullptr;
    nwgpu_matrix * matrix_ = nullptr;
    nwgpu_sequences * queries_ = nullptr;
    nwgpu_sequences * targets_ = nullptr;
    nwgpu_scoring scoring_{};
    nwgpu_align_options options_{};
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

std::string nwgpu_description()
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_context * context = nullptr;
    check(nwgpu_context_create(nullptr, &context, &error), error);
    std::string const backend = nwgpu_context_backend_name(context);
    nwgpu_context_destroy(context);
    return std::string{nwgpu_version_string()} + ", " + nwgpu_build_info() + ", in use " + backend;
}

} // namespace performance
