// SPDX-License-Identifier: BSD-3-Clause
// The calls of the library: a context for a whole range of pairs, a result for each batch of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <nwgpu/nwgpu.hpp>

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

// The library's errors as exceptions of SeqAn3's types.
[[noreturn]] inline void raise(nwgpu_status status, std::string const & text)
{
    switch (status) {
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

// Calls the library; what it throws arrives as raise() has it.
template <typename call_t>
auto checked(call_t && call)
{
    try {
        return call();
    } catch (Error const & error) {
        raise(error.status(), error.what());
    }
}

struct answer {
    bool found = true; // else no alignment has the score that was asked for
    std::int64_t score = 0;
    std::uint64_t query_begin = 0, query_end = 0, target_begin = 0, target_end = 0;
    std::span<std::uint32_t const> runs{}; // of the batch
};

// A result of the library, and its arrays.
class result_arrays {
public:
    result_arrays() = default;
    result_arrays(Result result, bool cigars) :
        result_{std::move(result)},
        statuses_{result_.statuses()},
        scores_{result_.scores()},
        has_spans_{result_.has_spans()}
    {
        if (cigars)
            cigars_ = result_.cigars();
    }

    bool failed(std::size_t p) const { return statuses_[p] != NWGPU_OK; }
    std::int64_t score(std::size_t p) const { return scores_[p]; }
    Span span(std::size_t p) const { return result_.span(p); }

    // Throws what the pair failed with.
    answer operator[](std::size_t p) const
    {
        answer found;
        if (statuses_[p] == NWGPU_BELOW_MIN_SCORE) {
            found.found = false;
            return found;
        }
        if (failed(p)) {
            nwgpu_error const error = result_.error(p);
            raise(error.status, error.message);
        }
        found.score = scores_[p];
        if (has_spans_) {
            Span const where = span(p);
            found.query_begin = where.query_begin;
            found.query_end = where.query_end;
            found.target_begin = where.target_begin;
            found.target_end = where.target_end;
        }
        if (cigars_)
            found.runs = (*cigars_)[p];
        return found;
    }

private:
    Result result_{nullptr};
    std::span<nwgpu_status const> statuses_;
    std::span<std::int64_t const> scores_;
    bool has_spans_ = false;
    std::optional<Cigars> cigars_; // where they were asked for
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
        nwgpu_context_options given = NWGPU_CONTEXT_OPTIONS_INIT;
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
        try {
            context_.emplace(given);
        } catch (Error const & error) {
            throw std::runtime_error{error.what()};
        }
    }
    aligner(aligner const &) = delete;

    bool uses_gpu() const { return context_->backend_name().starts_with("cuda"); }

    template <typename types>
    answers align(batch<types> const & batch)
    {
        Sequences const queries = load(batch.queries, batch.count), targets = load(batch.targets, batch.count);
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
            Span const span = result.result().span(p);
            std::uint64_t const n = batch.targets.length(p), corner = corner_row(batch.queries.length(p), n);
            if (span.target_end != n || span.query_end >= corner)
                continue;
            pairs.push_back({where.size(), p});
            where.push_back(p);
            shortened.append_codes(batch.queries.bytes() + batch.queries.offsets()[p], corner);
        }
        if (where.empty())
            return result;
        choice.free_ends &= ~NWGPU_FREE_QUERY_END;
        choice.pairing = NWGPU_PAIRING_LIST;
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
    // Without a copy: the letters outlive the call that reads them.
    Sequences load(letters const & letters, std::size_t count)
    {
        return checked([&] {
            return Sequences::view(*context_, {letters.bytes(), letters.size()}, {letters.offsets(), count + 1});
        });
    }
    result_arrays run(Sequences const & queries, Sequences const & targets, std::vector<nwgpu_pair> const & pairs,
                      nwgpu_align_options choice)
    {
        nwgpu_band const band = problem_.band();
        if (problem_.banded)
            choice.band = &band;
        nwgpu_control control = NWGPU_CONTROL_INIT;
        if (options_.progress) {
            control.progress = [](void * user, std::uint64_t done, std::uint64_t total) -> std::int32_t {
                auto & self = *static_cast<aligner *>(user);
                std::lock_guard const lock{self.calling_};
                return self.options_.progress(done, total) ? 0 : 1;
            };
            control.progress_user = this;
            choice.control = &control;
        }
        choice.min_score = &problem_.min_score;
        return checked([&] {
            return result_arrays{context_->align(queries, targets, problem_.scheme.scoring(), choice, pairs),
                                 choice.output == NWGPU_OUTPUT_CIGAR};
        });
    }

    problem const & problem_;
    options const & options_;
    std::mutex & calling_;
    std::optional<Context> context_; // from the constructor on
};

} // namespace nwgpu::seqan3::detail
