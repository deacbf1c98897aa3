// SPDX-License-Identifier: BSD-3-Clause
// The calls of the C API: a context for a whole range of pairs, a result for each batch of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
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

// The answers for one batch.
class answers {
public:
    answers() = default;
    explicit answers(result_handle result) : result_{std::move(result)} {}

    // Throws what the pair failed with.
    answer operator[](std::size_t p) const
    {
        nwgpu_result const * const result = !replaced_.empty() && replaced_[p] ? corner_.get() : result_.get();
        std::size_t const at = !replaced_.empty() && replaced_[p] ? replaced_[p] - 1 : p;
        if (nwgpu_result_statuses(result)[at] != NWGPU_OK) {
            nwgpu_error error = NWGPU_ERROR_INIT;
            nwgpu_result_pair_error(result, at, &error);
            raise(error);
        }
        answer found;
        found.score = nwgpu_result_scores(result)[at];
        if (std::uint64_t const * const spans = nwgpu_result_spans(result)) {
            std::uint64_t const * const span = spans + 4 * at;
            found.query_begin = span[0];
            found.query_end = span[1];
            found.target_begin = span[2];
            found.target_end = span[3];
        }
        std::uint32_t const * runs = nullptr;
        std::uint64_t const * offsets = nullptr;
        if (nwgpu_result_cigars(result, &runs, &offsets, nullptr) == NWGPU_OK)
            found.runs = {runs + offsets[at], runs + offsets[at + 1]};
        return found;
    }

    // Pair where[k] has the answer k of `corner`, if that is as good.
    void prefer(result_handle corner, std::vector<std::uint64_t> const & where, std::size_t count)
    {
        replaced_.assign(count, 0);
        corner_ = std::move(corner);
        for (std::size_t k = 0; k < where.size(); ++k)
            if (nwgpu_result_statuses(corner_.get())[k] == NWGPU_OK &&
                nwgpu_result_scores(corner_.get())[k] == nwgpu_result_scores(result_.get())[where[k]])
                replaced_[where[k]] = k + 1;
    }
    nwgpu_result const * result() const { return result_.get(); }

private:
    result_handle result_, corner_;
    std::vector<std::size_t> replaced_; // by answer - 1 of corner_; 0: not
};

class aligner {
public:
    aligner(problem what, options how) : problem_{std::move(what)}, options_{std::move(how)}
    {
        nwgpu_context_options given{};
        given.struct_size = sizeof given;
        given.backend = static_cast<std::int32_t>(options_.engine);
        given.device = options_.device;
        given.cpu_threads = problem_.threads;
        given.max_host_bytes = options_.max_host_bytes;
        given.max_device_bytes = options_.max_device_bytes;
        if (options_.log) {
            given.log = [](void * user, std::int32_t, char const * text) {
                static_cast<options const *>(user)->log(text);
            };
            given.log_user = &options_;
        }
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_context * context = nullptr;
        nwgpu_status const status = nwgpu_context_create(&given, &context, &error);
        if (status != NWGPU_OK)
            throw std::runtime_error{error.message};
        context_.reset(context);
    }
    aligner(aligner const &) = delete;

    problem const & of() const { return problem_; }
    options const & given() const { return options_; }
    // Whether it is worth a thread to gather pairs while others are aligned.
    bool in_background() const
    {
        return problem_.threads > 1 || std::string{nwgpu_context_backend_name(context_.get())}.starts_with("cuda");
    }

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
        std::uint64_t const * const spans = nwgpu_result_spans(result.result());
        for (std::size_t p = 0; p < batch.count; ++p) {
            std::uint64_t const n = batch.targets.length(p), corner = corner_row(batch.queries.length(p), n);
            if (nwgpu_result_statuses(result.result())[p] != NWGPU_OK || spans[4 * p + 3] != n ||
                spans[4 * p + 1] >= corner)
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
    result_handle run(sequences_handle const & queries, sequences_handle const & targets,
                      std::vector<nwgpu_pair> const & pairs, nwgpu_align_options choice)
    {
        if (options_.progress) {
            choice.progress = [](void * user, std::uint64_t done, std::uint64_t total) -> std::int32_t {
                return static_cast<options const *>(user)->progress(done, total) ? 0 : 1;
            };
            choice.progress_user = &options_;
        }
        nwgpu_scoring const scoring = problem_.scheme.scoring();
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_result * result = nullptr;
        check(nwgpu_align(context_.get(), queries.get(), targets.get(), pairs.empty() ? nullptr : pairs.data(),
                          pairs.size(), &scoring, &choice, &result, &error),
              error);
        return result_handle{result};
    }

    problem problem_;
    options options_;
    context_handle context_;
};

} // namespace nwgpu::seqan3::detail
