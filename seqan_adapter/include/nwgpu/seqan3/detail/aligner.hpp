// SPDX-License-Identifier: BSD-3-Clause
// The calls of the C API: a context for a whole range of pairs, a result for each batch of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <nwgpu/nwgpu.h>

#include "batch.hpp"
#include "problem.hpp"

namespace nwgpu::seqan3 {

// More memory than there is, or than the options allow.
class out_of_memory : public std::bad_alloc {
public:
    explicit out_of_memory(std::string const & text) : text_{std::make_shared<std::string>(text)} {}
    char const * what() const noexcept override { return text_->c_str(); }

private:
    std::shared_ptr<std::string> text_; // so that copies do not throw
};

} // namespace nwgpu::seqan3

namespace nwgpu::seqan3::detail {

template <auto destroy>
struct destroyer {
    template <typename handle_t>
    void operator()(handle_t * handle) const
    {
        destroy(handle);
    }
};
using context_handle = std::unique_ptr<nwgpu_context, destroyer<nwgpu_context_destroy>>;
using sequences_handle = std::unique_ptr<nwgpu_sequences, destroyer<nwgpu_sequences_destroy>>;
using result_handle = std::unique_ptr<nwgpu_result, destroyer<nwgpu_result_destroy>>;

// The library's errors as exceptions of SeqAn3's types.
[[noreturn]] inline void raise(nwgpu_error const & error)
{
    std::string const text = error.message;
    switch (error.status) {
    case NWGPU_ERROR_OUT_OF_HOST_MEMORY:
    case NWGPU_ERROR_OUT_OF_DEVICE_MEMORY:
    case NWGPU_ERROR_MEMORY_LIMIT:
        throw out_of_memory{text};
    case NWGPU_ERROR_INVALID_ARGUMENT:
        throw ::seqan3::invalid_alignment_configuration{text};
    case NWGPU_ERROR_TOO_LARGE:
        throw std::length_error{text};
    default:
        throw std::runtime_error{text};
    }
}

inline void check(nwgpu_status status, nwgpu_error const & error)
{
    if (status != NWGPU_OK)
        raise(error);
}

struct answer {
    std::int64_t score = 0;
    std::uint64_t query_begin = 0, query_end = 0, target_begin = 0, target_end = 0;
    std::span<std::uint32_t const> runs{}; // of the batch
};

// A result of the library, and its arrays.
class result_arrays {
public:
    result_arrays() = default;
    explicit result_arrays(nwgpu_result * result, bool cigars) :
        result_{result},
        statuses_{nwgpu_result_statuses(result)},
        scores_{nwgpu_result_scores(result)},
        spans_{nwgpu_result_spans(result)}
    {
        nwgpu_error error = NWGPU_ERROR_INIT;
        if (cigars)
            check(nwgpu_result_cigars(result, &runs_, &offsets_, &error), error);
    }

    bool failed(std::size_t p) const { return statuses_[p] != NWGPU_OK; }
    std::int64_t score(std::size_t p) const { return scores_[p]; }
    // Query begin and end, target begin and end.
    std::uint64_t const * span(std::size_t p) const { return spans_ + 4 * p; }

    // Throws what the pair failed with.
    answer operator[](std::size_t p) const
    {
        if (failed(p)) {
            nwgpu_error error = NWGPU_ERROR_INIT;
            nwgpu_result_pair_error(result_.get(), p, &error);
            raise(error);
        }
        answer found;
        found.score = scores_[p];
        if (spans_) {
            found.query_begin = span(p)[0];
            found.query_end = span(p)[1];
            found.target_begin = span(p)[2];
            found.target_end = span(p)[3];
        }
        if (runs_)
            found.runs = {runs_ + offsets_[p], runs_ + offsets_[p + 1]};
        return found;
    }

private:
    result_handle result_;
    nwgpu_status const * statuses_ = nullptr;
    std::int64_t const * scores_ = nullptr;
    std::uint64_t const * spans_ = nullptr; // NULL: not asked for
    std::uint32_t const * runs_ = nullptr;  // the same
    std::uint64_t const * offsets_ = nullptr;
};

// The answers for one batch.
class answers {
public:
    answers() = default;
    explicit answers(result_arrays result) : result_{std::move(result)} {}

    answer operator[](std::size_t p) const
    {
        return replaced_.empty() || replaced_[p] == 0 ? result_[p] : corner_[replaced_[p] - 1];
    }
    result_arrays const & result() const { return result_; }

    // Pair where[k] has the answer k of `corner`, if that is as good.
    void prefer(result_arrays corner, std::vector<std::uint64_t> const & where, std::size_t count)
    {
        replaced_.assign(count, 0);
        corner_ = std::move(corner);
        for (std::size_t k = 0; k < where.size(); ++k)
            if (!corner_.failed(k) && corner_.score(k) == result_.score(where[k]))
                replaced_[where[k]] = k + 1;
    }

private:
    result_arrays result_, corner_;
    std::vector<std::size_t> replaced_; // by answer - 1 of corner_; 0: not
};

// A context, and the calls of one thread at a time.
class aligner {
public:
    // `calling`: held while a callback of the options runs; the same for all that share them.
    aligner(problem const & what, options const & how, backend engine, std::int32_t threads, std::mutex & calling) :
        problem_{what}, options_{how}, calling_{calling}
    {
        nwgpu_context_options given{};
        given.struct_size = sizeof given;
        given.backend = static_cast<std::int32_t>(engine);
        given.device = options_.device;
        given.cpu_threads = threads;
        given.max_host_bytes = options_.max_host_bytes;
        given.max_device_bytes = options_.max_device_bytes;
        if (options_.log) {
            given.log = [](void * user, std::int32_t, char const * text) {
                auto & self = *static_cast<aligner *>(user);
                std::lock_guard const lock{self.calling_};
                self.options_.log(text);
            };
            given.log_user = this;
        }
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_context * context = nullptr;
        nwgpu_status const status = nwgpu_context_create(&given, &context, &error);
        if (status != NWGPU_OK)
            throw std::runtime_error{error.message};
        context_.reset(context);
    }
    aligner(aligner const &) = delete;

    bool uses_gpu() const { return std::string{nwgpu_context_backend_name(context_.get())}.starts_with("cuda"); }

    template <typename types>
    answers align(batch<types> const & batch)
    {
        sequences_handle const queries = load(batch.queries, batch.count), targets = load(batch.targets, batch.count);
        nwgpu_align_options choice = problem_.align_options();
        answers result{run(queries, targets, {}, choice)};
        if (!problem_.corner_first)
            return result;

        // The corner is the last cell that the last column has inside the band; an end above it is not preferred to it.
        // Queries that end there are aligned without a free end: the last row then is as good at the corner only.
        std::vector<std::uint64_t> where;
        std::vector<nwgpu_pair> pairs;
        letters shortened;
        for (std::size_t p = 0; p < batch.count; ++p) {
            if (result.result().failed(p))
                continue;
            std::uint64_t const * const span = result.result().span(p);
            std::uint64_t const n = batch.targets.length(p), corner = corner_row(batch.queries.length(p), n);
            if (span[3] != n || span[1] >= corner)
                continue;
            pairs.push_back({where.size(), p});
            where.push_back(p);
            shortened.append_codes(batch.queries.bytes() + batch.queries.offsets()[p], corner);
        }
        if (where.empty())
            return result;
        choice.free_ends &= ~std::uint32_t{NWGPU_FREE_QUERY_END};
        result.prefer(run(load(shortened, where.size()), targets, pairs, choice), where, batch.count);
        return result;
    }

private:
    std::uint64_t corner_row(std::uint64_t m, std::uint64_t n) const
    {
        if (!problem_.banded)
            return m;
        std::int64_t const last = std::max<std::int64_t>(0, static_cast<std::int64_t>(n) - problem_.band_lower);
        return std::min(m, static_cast<std::uint64_t>(last));
    }
    sequences_handle load(letters const & letters, std::size_t count)
    {
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_sequences * sequences = nullptr;
        check(nwgpu_sequences_create(context_.get(), letters.bytes(), letters.offsets(), count, &sequences, &error),
              error);
        return sequences_handle{sequences};
    }
    result_arrays run(sequences_handle const & queries, sequences_handle const & targets,
                      std::vector<nwgpu_pair> const & pairs, nwgpu_align_options choice)
    {
        if (options_.progress) {
            choice.progress = [](void * user, std::uint64_t done, std::uint64_t total) -> std::int32_t {
                auto & self = *static_cast<aligner *>(user);
                std::lock_guard const lock{self.calling_};
                return self.options_.progress(done, total) ? 0 : 1;
            };
            choice.progress_user = this;
        }
        nwgpu_scoring const scoring = problem_.scheme.scoring();
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_result * result = nullptr;
        check(nwgpu_align(context_.get(), queries.get(), targets.get(), pairs.empty() ? nullptr : pairs.data(),
                          pairs.size(), &scoring, &choice, &result, &error),
              error);
        return result_arrays{result, choice.output == NWGPU_OUTPUT_CIGAR};
    }

    problem const & problem_;
    options const & options_;
    std::mutex & calling_;
    context_handle context_;
};

} // namespace nwgpu::seqan3::detail
