// SPDX-License-Identifier: BSD-3-Clause
// What a rank does that is not 0: one task after the other, on the calling thread, which also looks for messages while
// a task is at hand.
#include <deque>
#include <optional>

#include "align/aligner.hpp"
#include "align/frame.hpp"
#include "places/task.hpp"

namespace nwgpu {

namespace {

using places::Kind;
using places::Message;

class Server {
public:
    Server(places::World & world, std::function<bool()> const & goes_on) : world_{world}, goes_on_{goes_on} {}

    // align(task, progress)
    template <class Align>
    void run(Align const & align)
    {
        for (;;) {
            while (!tasks_.empty()) {
                Message const message = std::move(tasks_.front());
                tasks_.pop_front();
                answer(message, align);
            }
            if (ended_)
                return;
            take(world_.wait([&] { check(); }));
        }
    }

private:
    void check() const
    {
        if (!goes_on_())
            throw Error{Status::cancelled, "the caller stopped this rank"};
    }

    void take(Message && message)
    {
        if (message.kind == Kind::end)
            ended_ = true;
        else if (message.kind == Kind::stop)
            stopped_ = message.call;
        else if (message.kind == Kind::task)
            tasks_.push_back(std::move(message));
        else
            throw Error{Status::communication, "rank 0 sends what this rank does not know"};
    }

    template <class Align>
    void answer(Message const & message, Align const & align)
    {
        bool cancelled = false;
        Progress const look = [&](std::uint64_t, std::uint64_t) {
            while (auto next = world_.next())
                take(std::move(*next));
            cancelled = !goes_on_();
            return !cancelled && !ended_ && stopped_ != message.call;
        };
        places::ByteWriter body;
        try {
            if (stopped_ == message.call)
                throw Error{Status::cancelled, "rank 0 has ended the call"};
            places::ByteReader reader = message.reader();
            places::Task const task = places::get_task(reader);
            places::put_answers(body, align(task, look), task.request);
        } catch (Error const & error) { // of this task: rank 0 decides what becomes of its call
            body = {};
            places::put_failure(body, error);
        } catch (std::bad_alloc const &) {
            body = {};
            places::put_failure(body, {Status::out_of_host_memory, "out of memory"});
        }
        world_.send(message.from, Kind::answer, message.call, body);
        if (cancelled)
            check();
    }

    places::World & world_;
    std::function<bool()> const & goes_on_;
    std::deque<Message> tasks_;
    std::uint64_t stopped_ = 0; // the last call of rank 0 that has ended early
    bool ended_ = false;
};

} // namespace

void Aligner::serve(std::function<bool()> const & goes_on)
{
    if (!options_.world || options_.world->rank() == 0)
        throw Error{Status::invalid_argument, "only ranks from 1 on of a world serve"};
    Server{*options_.world, goes_on}.run([&](places::Task const & task, Progress const & progress) {
        return align({task.sequences(0), task.sequences(1), task.pairs, nullptr, nullptr}, task.scoring, task.request,
                     progress);
    });
}

} // namespace nwgpu
