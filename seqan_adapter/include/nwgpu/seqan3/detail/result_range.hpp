// SPDX-License-Identifier: BSD-3-Clause
// The results of a range of pairs, one after another.  Pairs are gathered into batches on the caller's thread and
// aligned by workers while others are gathered and read:
//   one thread, CPU   no worker; a batch is aligned when its first result is asked for
//   n threads, CPU    n workers of one thread each, which take whole batches; but a batch with a long pair is aligned
//   by
//                     all threads, alone
//   GPU               one worker
// So at most n + 2 batches are held, on a GPU three.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "result_builder.hpp"
#include "worker.hpp"

namespace nwgpu::seqan3::detail {

// From so many matrix cells on, the library computes a pair with several threads.
constexpr std::uint64_t long_pair = 20'000'000;

template <typename source_t, typename types>
class result_stream {
public:
    result_stream(source_t source, problem what, options how) :
        source_{std::move(source)},
        problem_{std::move(what)},
        options_{std::move(how)},
        aligner_{problem_, options_, options_.engine, problem_.threads, calling_},
        gpu_{aligner_.uses_gpu()},
        narrow_(!gpu_ && problem_.threads > 1 ? static_cast<std::size_t>(problem_.threads) : 0),
        workers_(gpu_ ? 1 : narrow_.size())
    {}
    result_stream(result_stream const &) = delete;

    // The next result, or none.  A pair that failed throws, and the one after it comes next.
    std::optional<typename types::result> next()
    {
        while (!current_ || position_ == current_->pairs.count)
            if (!next_batch())
                return {};
        std::size_t const p = position_++;
        batch<types> const & pairs = current_->pairs;
        try {
            return make_result(pairs, p, current_->answers[p]);
        } catch (::seqan3::invalid_alignment_configuration const & error) {
            if (!problem_.banded)
                throw;
            throw ::seqan3::invalid_alignment_configuration{
                refused_band(problem_) + " For pair " + std::to_string(pairs.first_id + p) + " (" +
                std::to_string(pairs.targets.length(p)) + " and " + std::to_string(pairs.queries.length(p)) +
                " letters) " + error.what() + '.'};
        }
    }

private:
    struct work {
        batch<types> pairs;
        detail::answers answers;
        std::future<detail::answers> running{};
        bool alone = false; // nothing else is begun before it is done
    };

    bool next_batch()
    {
        if (current_) {
            current_->answers = {};
            spare_.push_back(std::move(current_));
        }
        begin_some();
        if (begun_.empty())
            return false;
        std::unique_ptr<work> front = std::move(begun_.front());
        begun_.pop_front();
        front->answers = front->running.get(); // throws what all its pairs failed with
        current_ = std::move(front);
        position_ = 0;
        if (!workers_.empty())
            begin_some();
        return true;
    }

    void begin_some()
    {
        while (begun_.size() < workers_.size() + 1 && (begun_.empty() || !begun_.back()->alone) && !at_end()) {
            begin(gather());
            if (workers_.empty())
                return;
        }
    }

    void begin(std::unique_ptr<work> next)
    {
        work & task = *next;
        bool const is_long = task.pairs.largest >= long_pair && problem_.is_plain();
        if (workers_.empty() || (is_long && !gpu_)) {
            task.alone = true;
            task.running = std::async(std::launch::deferred, [this, &task] { return aligner_.align(task.pairs); });
        } else {
            std::size_t const k = turn_++ % workers_.size();
            task.alone = false;
            task.running = workers_[k].start([this, k, &task] {
                if (gpu_)
                    return aligner_.align(task.pairs);
                if (!narrow_[k])
                    narrow_[k] = std::make_unique<aligner>(problem_, options_, backend::cpu, 1, calling_);
                return narrow_[k]->align(task.pairs);
            });
        }
        begun_.push_back(std::move(next));
    }

    std::ranges::iterator_t<source_t> & position_in_source()
    {
        if (!position_in_source_)
            position_in_source_.emplace(std::ranges::begin(source_));
        return *position_in_source_;
    }
    bool at_end() { return position_in_source() == std::ranges::end(source_); }

    std::unique_ptr<work> gather()
    {
        std::unique_ptr<work> next;
        if (spare_.empty()) {
            next = std::make_unique<work>();
        } else {
            next = std::move(spare_.back());
            spare_.pop_back();
        }
        batch<types> & pairs = next->pairs;
        pairs.clear(gathered_);
        std::size_t const most = std::max<std::size_t>(1, std::min(options_.batch_pairs, next_size_));
        next_size_ *= next_size_ < options_.batch_pairs ? 2 : 1;
        auto & pair = position_in_source();
        while (pairs.count < most && !at_end() &&
               (pairs.count == 0 || pairs.queries.size() + pairs.targets.size() < options_.batch_letters)) {
            pairs.append(*pair, problem_.scheme.query_codes.data());
            ++pair;
        }
        gathered_ += pairs.count;
        return next;
    }

    source_t source_;
    std::optional<std::ranges::iterator_t<source_t>> position_in_source_;
    std::uint64_t gathered_ = 0;
    std::size_t next_size_ = 256;

    problem const problem_;
    options const options_;
    std::mutex calling_;
    aligner aligner_; // with all threads
    bool const gpu_;
    std::unique_ptr<work> current_; // being read
    std::size_t position_ = 0;
    std::deque<std::unique_ptr<work>> begun_; // in their order
    std::vector<std::unique_ptr<work>> spare_;
    std::size_t turn_ = 0;
    std::vector<std::unique_ptr<aligner>> narrow_; // of the workers, made by them
    std::vector<worker<answers>> workers_;         // last: they use the others
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
