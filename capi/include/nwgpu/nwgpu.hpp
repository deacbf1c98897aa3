// SPDX-License-Identifier: BSD-3-Clause
//
// nwgpu.hpp - nwgpu.h for C++20: handles that free themselves, exceptions, spans.
//
// Header only, over nwgpu.h; nothing is added to what the library does.  Handles are moved, never copied.  What a
// function of nwgpu.h reports by status arrives as nwgpu::Error, but for the statuses of single pairs, which stay in
// the result.  Options are the structs of nwgpu.h (begin with their NWGPU_*_INIT); spans that a Result gives live as
// long as it.  Threads: as nwgpu.h says, one call at a time per Context.
//
//     nwgpu::Context context;
//     nwgpu::Sequences const queries{context, {"GATTACA"}}, targets{context, {"GATACA"}};
//     nwgpu_scoring scoring = NWGPU_SCORING_INIT;
//     scoring.match = 2, scoring.mismatch = 4, scoring.gap_open = 4, scoring.gap_extend = 2;
//     nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
//     options.output = NWGPU_OUTPUT_CIGAR;
//     nwgpu::Result const result = context.align(queries, targets, scoring, options);
//     std::cout << result.scores()[0] << ' ' << nwgpu::to_string(result.cigar(0)) << '\n'; // 6 2=1I4=
#ifndef NWGPU_NWGPU_HPP
#define NWGPU_NWGPU_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nwgpu/nwgpu.h>
#include <nwgpu/nwgpu_experimental.h>

namespace nwgpu {
inline namespace api {

// A call that failed as a whole, or why a pair failed.
class Error : public std::runtime_error {
public:
    explicit Error(nwgpu_error const & error) :
        std::runtime_error{error.message[0] != '\0' ? error.message : nwgpu_status_name(error.status)},
        status_{error.status},
        pair_index_{error.pair_index},
        cuda_code_{error.cuda_code}
    {}

    nwgpu_status status() const noexcept { return status_; }
    std::uint64_t pair_index() const noexcept { return pair_index_; } // UINT64_MAX: of no pair
    std::int32_t cuda_code() const noexcept { return cuda_code_; }    // cudaError_t, or 0

private:
    nwgpu_status status_;
    std::uint64_t pair_index_;
    std::int32_t cuda_code_;
};

namespace detail {

template <auto destroy>
struct Destroy {
    template <typename Handle>
    void operator()(Handle * handle) const noexcept
    {
        destroy(handle);
    }
};
template <typename Handle, auto destroy>
using Owned = std::unique_ptr<Handle, Destroy<destroy>>;

// Calls function(arguments..., &error); throws Error.
template <typename Function, typename... Arguments>
void call(Function function, Arguments... arguments)
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    if (function(arguments..., &error) != NWGPU_OK)
        throw Error{error};
}

// The handle that function(arguments..., &handle, &error) makes.
template <typename Handle, typename Function, typename... Arguments>
Handle * made_by(Function function, Arguments... arguments)
{
    Handle * handle = nullptr;
    call(function, arguments..., &handle);
    return handle;
}

template <typename Range>
concept texts =
    std::ranges::input_range<Range> && std::convertible_to<std::ranges::range_reference_t<Range>, std::string_view>;

} // namespace detail

// Where an alignment begins and ends; UINT64_MAX below the asked output level.
struct Span {
    std::uint64_t query_begin, query_end, target_begin, target_end;
    bool operator==(Span const &) const = default;
};

class Matrix {
public:
    explicit Matrix(nwgpu_matrix * handle) noexcept : handle_{handle} {} // owns it from now on
    // A built-in one.
    explicit Matrix(char const * name) : handle_{detail::made_by<nwgpu_matrix>(nwgpu_matrix_create, name)} {}
    explicit Matrix(std::string const & name) : Matrix{name.c_str()} {}
    // In NCBI text format.
    static Matrix parse(std::string_view text)
    {
        return Matrix{detail::made_by<nwgpu_matrix>(nwgpu_matrix_parse, text.data(), std::uint64_t{text.size()})};
    }

    nwgpu_matrix const * get() const noexcept { return handle_.get(); }
    std::string_view letters() const noexcept { return nwgpu_matrix_letters(get()); }
    std::uint32_t alphabet_size() const noexcept { return nwgpu_matrix_alphabet_size(get()); }
    std::span<std::int32_t const> scores() const noexcept
    {
        return {nwgpu_matrix_scores(get()), std::size_t{alphabet_size()} * alphabet_size()};
    }
    std::span<std::uint8_t const, 256> letter_codes() const noexcept
    {
        return std::span<std::uint8_t const, 256>{nwgpu_matrix_letter_codes(get()), 256};
    }
    // Scoring by this matrix, which must live as long as the scoring is used.
    nwgpu_scoring scoring(std::int32_t gap_open, std::int32_t gap_extend) const noexcept
    {
        nwgpu_scoring scoring = NWGPU_SCORING_INIT;
        scoring.gap_open = gap_open;
        scoring.gap_extend = gap_extend;
        scoring.alphabet_size = alphabet_size();
        scoring.matrix = nwgpu_matrix_scores(get());
        scoring.letter_codes = nwgpu_matrix_letter_codes(get());
        return scoring;
    }

private:
    detail::Owned<nwgpu_matrix, nwgpu_matrix_destroy> handle_;
};

class Context;

class Sequences {
public:
    explicit Sequences(nwgpu_sequences * handle) noexcept : handle_{handle} {} // owns it from now on
    // Sequence i is bytes[offsets[i]] .. bytes[offsets[i + 1] - 1].  The bytes are copied.
    Sequences(Context & context, std::span<std::uint8_t const> bytes, std::span<std::uint64_t const> offsets);
    // Texts: a range of std::string, std::string_view, char const *; or {"GATTACA", "ACA"}.
    template <detail::texts Texts>
    Sequences(Context & context, Texts && texts);
    Sequences(Context & context, std::initializer_list<std::string_view> texts);
    // Without a copy: the bytes must stay as they are for as long as the handle lives.
    static Sequences view(Context & context, std::span<std::uint8_t const> bytes,
                          std::span<std::uint64_t const> offsets);

    nwgpu_sequences const * get() const noexcept { return handle_.get(); }
    std::uint64_t count() const noexcept { return nwgpu_sequences_count(get()); }

private:
    static std::uint64_t count_of(std::span<std::uint64_t const> offsets)
    {
        return offsets.empty() ? 0 : offsets.size() - 1;
    }

    detail::Owned<nwgpu_sequences, nwgpu_sequences_destroy> handle_;
};

// The CIGARs of a Result, as long as it lives: of each entry its BAM runs (length << 4 | op).
class Cigars {
public:
    Cigars(std::uint32_t const * runs, std::uint64_t const * offsets) noexcept : runs_{runs}, offsets_{offsets} {}

    std::span<std::uint32_t const> operator[](std::uint64_t entry) const noexcept
    {
        return {runs_ + offsets_[entry], runs_ + offsets_[entry + 1]};
    }

private:
    std::uint32_t const * runs_;
    std::uint64_t const * offsets_; // entry i owns runs_[offsets_[i]] .. runs_[offsets_[i + 1] - 1]
};

class Result {
public:
    explicit Result(nwgpu_result * handle) noexcept : handle_{handle} {}       // owns it from now on
    std::uint64_t count() const noexcept { return nwgpu_result_count(get()); } // entries
    std::uint64_t failed() const noexcept { return nwgpu_result_failed(get()); }
    std::span<std::uint64_t const> pairs() const noexcept { return {nwgpu_result_pairs(get()), count()}; }
    std::span<nwgpu_status const> statuses() const noexcept { return {nwgpu_result_statuses(get()), count()}; }
    std::span<std::int64_t const> scores() const noexcept { return {nwgpu_result_scores(get()), count()}; }
    // Whether positions were asked for.
    bool has_spans() const noexcept { return nwgpu_result_spans(get()) != nullptr; }
    Span span(std::uint64_t entry) const noexcept
    {
        std::uint64_t const * const at = nwgpu_result_spans(get()) + 4 * entry;
        return {at[0], at[1], at[2], at[3]};
    }
    // Error NO_TRACE where no CIGARs were asked for.
    Cigars cigars() const
    {
        std::uint32_t const * runs = nullptr;
        std::uint64_t const * offsets = nullptr;
        detail::call(nwgpu_result_cigars, get(), &runs, &offsets);
        return {runs, offsets};
    }
    // Of one entry; for many take cigars() once.
    std::span<std::uint32_t const> cigar(std::uint64_t entry) const { return cigars()[entry]; }
    // Why the pair of an entry failed: status NWGPU_OK where it did not.
    nwgpu_error error(std::uint64_t entry) const noexcept
    {
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_result_pair_error(get(), entry, &error);
        return error;
    }

    nwgpu_result const * get() const noexcept { return handle_.get(); }

private:
    detail::Owned<nwgpu_result, nwgpu_result_destroy> handle_;
};

// Memory of nwgpu_host_alloc: page-locked where the context has a GPU.
class HostMemory {
public:
    HostMemory(Context & context, std::uint64_t bytes);

    std::span<std::uint8_t> bytes() noexcept { return {static_cast<std::uint8_t *>(memory_.get()), size_}; }
    std::span<std::uint8_t const> bytes() const noexcept
    {
        return {static_cast<std::uint8_t const *>(memory_.get()), size_};
    }

private:
    detail::Owned<void, nwgpu_host_free> memory_;
    std::uint64_t size_;
};

class Context {
public:
    Context() : Context{static_cast<nwgpu_context_options const *>(nullptr)} {}
    explicit Context(nwgpu_context * handle) noexcept : handle_{handle} {} // owns it from now on
    explicit Context(nwgpu_context_options const & options) : Context{&options} {}

    nwgpu_context * get() const noexcept { return handle_.get(); }
    std::string_view backend_name() const noexcept { return nwgpu_context_backend_name(get()); }
    std::int32_t threads() const noexcept { return nwgpu_context_threads(get()); }
    void trim() { detail::call(nwgpu_context_trim, get()); }
    // On a rank that is not 0: returns when the context of rank 0 is destroyed.
    void serve() { detail::call(nwgpu_context_serve, get()); }
    // Of the running call, from any thread.
    void cancel() noexcept { nwgpu_context_cancel(get()); }
    // A published algorithm in place of the engine; NULL: the engine again.
    void set_algorithm(char const * algorithm) { detail::call(nwgpu_context_set_algorithm, get(), algorithm); }

    // `pairs`: with options.pairing NWGPU_PAIRING_LIST, those to align.
    Result align(Sequences const & queries, Sequences const & targets, nwgpu_scoring const & scoring,
                 nwgpu_align_options const & options, std::span<nwgpu_pair const> pairs = {})
    {
        return Result{detail::made_by<nwgpu_result>(nwgpu_align, get(), queries.get(), targets.get(), list(pairs),
                                                    std::uint64_t{pairs.size()}, &scoring, &options)};
    }
    nwgpu_estimate estimate(Sequences const & queries, Sequences const & targets, nwgpu_scoring const & scoring,
                            nwgpu_align_options const & options, std::span<nwgpu_pair const> pairs = {})
    {
        nwgpu_estimate estimate = NWGPU_ESTIMATE_INIT;
        detail::call(nwgpu_align_estimate, get(), queries.get(), targets.get(), list(pairs),
                     std::uint64_t{pairs.size()}, &scoring, &options, &estimate);
        return estimate;
    }
    // A new result with the CIGARs of chosen entries of `result`, or of all.
    Result traceback(Sequences const & queries, Sequences const & targets, Result const & result,
                     std::span<std::uint64_t const> chosen, nwgpu_control const * control = nullptr)
    {
        static constexpr std::uint64_t none = 0;
        return trace(queries, targets, result, chosen.empty() ? &none : chosen.data(), chosen.size(), control);
    }
    Result traceback(Sequences const & queries, Sequences const & targets, Result const & result,
                     nwgpu_control const * control = nullptr)
    {
        return trace(queries, targets, result, nullptr, 0, control);
    }

private:
    explicit Context(nwgpu_context_options const * options) :
        handle_{detail::made_by<nwgpu_context>(nwgpu_context_create, options)}
    {}
    static nwgpu_pair const * list(std::span<nwgpu_pair const> pairs) { return pairs.empty() ? nullptr : pairs.data(); }
    Result trace(Sequences const & queries, Sequences const & targets, Result const & result,
                 std::uint64_t const * chosen, std::uint64_t count, nwgpu_control const * control)
    {
        return Result{detail::made_by<nwgpu_result>(nwgpu_traceback, get(), queries.get(), targets.get(), result.get(),
                                                    chosen, count, control)};
    }

    detail::Owned<nwgpu_context, nwgpu_context_destroy> handle_;
};

inline Sequences::Sequences(Context & context, std::span<std::uint8_t const> bytes,
                            std::span<std::uint64_t const> offsets) :
    handle_{detail::made_by<nwgpu_sequences>(nwgpu_sequences_create, context.get(), bytes.data(), offsets.data(),
                                             count_of(offsets))}
{}

template <detail::texts Texts>
Sequences::Sequences(Context & context, Texts && texts)
{
    std::string bytes;
    std::vector<std::uint64_t> offsets{0};
    for (std::string_view const text : texts) {
        bytes += text;
        offsets.push_back(bytes.size());
    }
    *this = Sequences{context, {reinterpret_cast<std::uint8_t const *>(bytes.data()), bytes.size()}, offsets};
}

inline Sequences::Sequences(Context & context, std::initializer_list<std::string_view> texts) :
    Sequences{context, std::span{texts.begin(), texts.size()}}
{}

inline Sequences Sequences::view(Context & context, std::span<std::uint8_t const> bytes,
                                 std::span<std::uint64_t const> offsets)
{
    return Sequences{detail::made_by<nwgpu_sequences>(nwgpu_sequences_create_view, context.get(), bytes.data(),
                                                      offsets.data(), count_of(offsets))};
}

inline HostMemory::HostMemory(Context & context, std::uint64_t bytes) :
    memory_{detail::made_by<void>(nwgpu_host_alloc, context.get(), bytes)}, size_{bytes}
{}

// "2=1I4=", or "*" for no runs.
inline std::string to_string(std::span<std::uint32_t const> cigar)
{
    constexpr std::size_t longest_run = 10; // characters: 2^28 - 1 has nine digits
    std::string text(longest_run * cigar.size() + 1, '\0');
    text.resize(nwgpu_cigar_to_text(cigar.data(), cigar.size(), text.data(), text.size() + 1));
    return text;
}

// The score of a CIGAR over the aligned parts of two sequences.  Throws Error where it does not fit them.
inline std::int64_t cigar_score(std::span<std::uint8_t const> query, std::span<std::uint8_t const> target,
                                nwgpu_scoring const & scoring, std::span<std::uint32_t const> cigar)
{
    std::int64_t score = 0;
    detail::call(nwgpu_cigar_score, query.data(), std::uint64_t{query.size()}, target.data(),
                 std::uint64_t{target.size()}, &scoring, cigar.data(), std::uint64_t{cigar.size()}, &score);
    return score;
}

inline nwgpu_device_info describe_device(std::int32_t backend, std::uint64_t index)
{
    nwgpu_device_info info = NWGPU_DEVICE_INFO_INIT;
    detail::call(nwgpu_device_describe, backend, index, &info);
    return info;
}

inline nwgpu_matrix_info describe_matrix(std::uint64_t index)
{
    nwgpu_matrix_info info = NWGPU_MATRIX_INFO_INIT;
    detail::call(nwgpu_matrix_describe, index, &info);
    return info;
}

inline nwgpu_algorithm_info describe_algorithm(std::uint64_t index)
{
    nwgpu_algorithm_info info = NWGPU_ALGORITHM_INFO_INIT;
    detail::call(nwgpu_algorithm_describe, index, &info);
    return info;
}

} // namespace api
} // namespace nwgpu

#endif // NWGPU_NWGPU_HPP
