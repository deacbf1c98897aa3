// SPDX-License-Identifier: BSD-3-Clause
// The results of a range of pairs, one after another.  Pairs are gathered into batches on the caller's thread; with
// more than one thread, or a GPU, a batch is aligned while the next is gathered.  Never more than three batches are
// held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <utility>

#include "result_builder.hpp"
#include "worker.hpp"

namespace nwgpu::seqan3::detail {

template <typename source_t, typename types>
class result_stream {
public:
    result_stream(source_t source, problem what, options how) :
        source_{std::move(source)}, aligner_{std::move(what), std::move(how)}
    {}
    result_stream(result_stream const &) = delete;

    // The next result, or none.  A pair that failed throws, and the one after it comes next.
    std::optional<typename types::result> next()
    {
        while (position_ == current_.pairs.count)
            if (!next_batch())
                return {};
        std::size_t const p = position_++;
        return make_result(current_.pairs, p, current_.answers[p], aligner_.of());
    }

private:
    struct work {
        batch<types> pairs;
        detail::answers answers;
    };

    bool next_batch()
    {
        position_ = 0;
        current_.answers = {};
        if (!running_.valid()) { // at the begin, or all of them one after another
            gather(current_.pairs);
            if (current_.pairs.count == 0)
                return false;
            if (aligner_.in_background() && !at_end()) {
                std::swap(ahead_.pairs, current_.pairs);
                start();
                gather(pending_);
            } else {
                current_.answers = aligner_.align(current_.pairs);
                return true;
            }
        }
        current_.pairs.clear(0); // empty, if the next line throws
        detail::answers answers = running_.get();
        std::swap(current_.pairs, ahead_.pairs);
        current_.answers = std::move(answers);
        if (pending_.count > 0) {
            std::swap(ahead_.pairs, pending_);
            start();
            gather(pending_);
        }
        return true;
    }

    void start()
    {
        running_ = worker_.start([this] { return aligner_.align(ahead_.pairs); });
    }

    bool at_end() { return *position_in_source_ == std::ranges::end(source_); }

    void gather(batch<types> & batch)
    {
        if (!position_in_source_)
            position_in_source_.emplace(std::ranges::begin(source_));
        batch.clear(gathered_);
        options const & limits = aligner_.given();
        std::size_t const most = std::min(limits.batch_pairs, next_size_);
        next_size_ = std::min(2 * next_size_, limits.batch_pairs);
        auto & pair = *position_in_source_;
        for (; batch.count < std::max<std::size_t>(1, most) && !at_end() &&
               batch.queries.size() + batch.targets.size() < std::max<std::size_t>(1, limits.batch_letters);
             ++pair)
            batch.append(*pair, aligner_.of().scheme.query_codes.data());
        gathered_ += batch.count;
    }

    source_t source_;
    std::optional<std::ranges::iterator_t<source_t>> position_in_source_;
    std::uint64_t gathered_ = 0;
    std::size_t next_size_ = 256;
    aligner aligner_;
    work current_, ahead_; // being read; being aligned
    batch<types> pending_; // gathered
    std::size_t position_ = 0;
    std::future<answers> running_;
    worker<answers> worker_; // last: it uses the others
};

// A move-only input range, like SeqAn3's; nothing is computed before begin().
template <typename stream_t, typename result_t>
class result_range {
public:
    class iterator {
    public:
        using difference_type = std::ptrdiff_t;
        using value_type = result_t;
        using reference = result_t &;
        using pointer = result_t *;
        using iterator_category = std::input_iterator_tag;

        iterator() = default;
        explicit iterator(result_range & range) : range_{std::addressof(range)} { ++*this; }

        reference operator*() const noexcept { return range_->cache_; }
        pointer operator->() const noexcept { return std::addressof(range_->cache_); }
        iterator & operator++()
        {
            at_end_ = !range_->next();
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const & it, std::default_sentinel_t) noexcept { return it.at_end_; }

    private:
        result_range * range_ = nullptr;
        bool at_end_ = true;
    };

    result_range() = default;
    explicit result_range(std::unique_ptr<stream_t> stream) : stream_{std::move(stream)} {}

    iterator begin() { return iterator{*this}; }
    iterator begin() const = delete;
    std::default_sentinel_t end() noexcept { return {}; }
    std::default_sentinel_t end() const = delete;

private:
    bool next()
    {
        if (!stream_)
            throw std::runtime_error{"This range of alignment results was moved from."};
        auto result = stream_->next();
        if (!result)
            return false;
        cache_ = std::move(*result);
        return true;
    }

    std::unique_ptr<stream_t> stream_;
    result_t cache_{};
};

} // namespace nwgpu::seqan3::detail
