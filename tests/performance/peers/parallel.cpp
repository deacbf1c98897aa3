// SPDX-License-Identifier: BSD-3-Clause
#include "parallel.hpp"

#include <exception>
#include <thread>
#include <utility>

namespace performance {

namespace {

class ParallelSession final : public Session {
public:
    ParallelSession(Peer const & peer, Task task, Pairs const & pairs) :
        count_{pairs.queries.size()}, parts_(static_cast<std::size_t>(task.threads))
    {
        task.threads = 1;
        for (std::size_t k = 0; k < count_; ++k) {
            Part & part = parts_[k % parts_.size()];
            part.pairs.queries.push_back(pairs.queries[k]);
            part.pairs.targets.push_back(pairs.targets[k]);
        }
        for (Part & part : parts_)
            part.session = peer.open(task, part.pairs);
    }

    std::int64_t align(std::vector<Alignment> * keep) override
    {
        std::vector<std::thread> threads;
        for (Part & part : parts_)
            threads.emplace_back([&part, keep] {
                part.answers.clear();
                part.failure = nullptr;
                try {
                    part.sum = part.session->align(keep ? &part.answers : nullptr);
                } catch (...) {
                    part.failure = std::current_exception();
                }
            });
        for (std::thread & thread : threads)
            thread.join();
        std::int64_t sum = 0;
        for (Part & part : parts_) {
            if (part.failure)
                std::rethrow_exception(part.failure);
            sum += part.sum;
        }
        if (keep)
            for (std::size_t k = 0; k < count_; ++k)
                keep->push_back(std::move(parts_[k % parts_.size()].answers[k / parts_.size()]));
        return sum;
    }

private:
    struct Part {
        Pairs pairs;
        std::unique_ptr<Session> session;
        std::vector<Alignment> answers;
        std::int64_t sum = 0;
        std::exception_ptr failure;
    };
    std::size_t count_;
    std::vector<Part> parts_;
};

class Parallel final : public Peer {
public:
    explicit Parallel(std::unique_ptr<Peer> peer) : peer_{std::move(peer)} {}

    std::string name() const override { return peer_->name(); }
    std::string refusal(Task const & task, Shape const & shape) const override
    {
        if (task.threads > 1 && shape.pairs < static_cast<std::size_t>(task.threads))
            return "threads only across pairs";
        return peer_->refusal(of_one(task), shape);
    }
    std::string known_defect(Task const & task, Shape const & shape) const override
    {
        return peer_->known_defect(of_one(task), shape);
    }
    std::unique_ptr<Session> open(Task const & task, Pairs const & pairs) const override
    {
        if (task.threads == 1)
            return peer_->open(task, pairs);
        return std::make_unique<ParallelSession>(*peer_, task, pairs);
    }

private:
    static Task of_one(Task task)
    {
        task.threads = 1;
        return task;
    }

    std::unique_ptr<Peer> peer_;
};

} // namespace

std::unique_ptr<Peer> in_parallel(std::unique_ptr<Peer> peer) { return std::make_unique<Parallel>(std::move(peer)); }

} // namespace performance
