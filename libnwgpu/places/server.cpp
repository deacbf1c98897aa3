// SPDX-License-Identifier: BSD-3-Clause
#include "places/server.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <system_error>
#include <utility>

#include "base/rest_of_limit.hpp"
#include "places/row_worker.hpp"

namespace nwgpu::places {

namespace {

class Server {
public:
    Server(World & world, Service const & service, std::function<bool()> const & goes_on) :
        world_{world}, service_{service}, goes_on_{goes_on}
    {}

    void run()
    {
        for (;;) {
            while (!tasks_.empty()) {
                Message const message = std::move(tasks_.front());
                tasks_.pop_front();
                if (message.kind == Kind::rows)
                    share_rows(message);
                else
                    answer(message);
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
        switch (message.kind) {
        case Kind::end:
            ended_ = true;
            return;
        case Kind::stop:
            stopped_ = message.call;
            return;
        case Kind::task:
        case Kind::rows:
            tasks_.push_back(std::move(message));
            return;
        case Kind::line: // may be here before the rows that it belongs to
        case Kind::walk:
            if (message.call > rows_done_)
                for_rows_.push_back(std::move(message));
            return;
        default:
            throw Error{Status::communication, world_.name_of(message.from) + " sends what this rank does not know"};
        }
    }

    void answer(Message const & message)
    {
        bool cancelled = false;
        Progress const look = [&](std::uint64_t, std::uint64_t) {
            while (auto next = world_.next())
                take(std::move(*next));
            cancelled = !goes_on_();
            return !cancelled && !ended_ && stopped_ != message.call;
        };
        ByteWriter body;
        try {
            if (stopped_ == message.call)
                throw Error{Status::cancelled, "rank 0 has ended the call"};
            ByteReader reader = message.reader();
            Task const task = get_task(reader);
            put_answers(body, service_.align(task, look), task.request);
        } catch (Error const & error) { // of this task: rank 0 decides what becomes of its call
            body = {};
            put_failure(body, error);
        } catch (std::bad_alloc const &) {
            body = {};
            put_failure(body, {Status::out_of_host_memory, "out of memory"});
        }
        if (cancelled)
            check();
        world_.send(message.from, Kind::answer, message.call, body);
    }

    void share_rows(Message const & message)
    {
        ByteWriter body;
        try {
            work_on_rows(message);
        } catch (Error const & error) {
            put_failure(body, error);
        } catch (std::bad_alloc const &) {
            put_failure(body, {Status::out_of_host_memory, "out of memory"});
        } catch (std::system_error const &) {
            put_failure(body, {Status::out_of_host_memory, "no thread can be started"});
        }
        check();
        if (!body.bytes().empty()) {
            world_.send(message.from, Kind::answer, message.call, body);
            while (!ended_ && stopped_ < message.call)
                take(world_.wait([&] { check(); }));
        }
        rows_done_ = message.call;
        std::erase_if(for_rows_, [&](Message const & one) { return one.call <= rows_done_; });
        ByteWriter ended;
        put_ended(ended);
        world_.send(message.from, Kind::answer, message.call, ended);
    }

    // Until rank 0 stops it.
    void work_on_rows(Message const & message)
    {
        ByteReader reader = message.reader();
        RowJob const job = get_row_job(reader);
        if (!service_.rows)
            throw Error{Status::unsupported, "this rank's engine takes no shares of rows"};
        std::uint64_t const letters = message.bytes.size() + job.query.size() + job.target.size();
        for (RowNeighbours const & one : job.neighbours)
            if (std::max(one.above, one.below) >= world_.size() || std::min(one.above, one.below) < -1)
                throw_damage();
        RowWorker worker{*service_.rows, job.task(rest_of_limit(service_.max_host_bytes, letters)), *service_.team};
        while (!ended_ && stopped_ < message.call) {
            bool idle = true;
            while (auto next = world_.next())
                take(std::move(*next));
            for (; !for_rows_.empty(); for_rows_.pop_front(), idle = false) {
                Message & next = for_rows_.front();
                ByteReader question = next.reader();
                bool const is_neighbour =
                    std::any_of(job.neighbours.begin(), job.neighbours.end(),
                                [&](RowNeighbours const & one) { return one.above == next.from; });
                if (next.call != message.call || (next.kind == Kind::line ? !is_neighbour : next.from != message.from))
                    throw Error{Status::communication, world_.name_of(next.from) + " sends what it was not asked for"};
                if (next.kind == Kind::line)
                    worker.put_line(std::move(next));
                else
                    worker.ask(get_question_of(job, question));
            }
            for (; auto const line = worker.take_line(); idle = false)
                if (std::int64_t const below = job.neighbours[line->part].below; below >= 0)
                    world_.send(static_cast<int>(below), Kind::line, message.call, line->bytes);
            for (; auto const answer = worker.take_answer(); idle = false)
                world_.send(message.from, Kind::answer, message.call, *answer);
            for (; auto const slabs = worker.take_slabs(); idle = false) {
                ByteWriter answer;
                put_slabs(answer, *slabs);
                world_.send(message.from, Kind::answer, message.call, answer);
            }
            check();
            if (idle)
                worker.rest();
        }
    }

    static RowQuestion get_question_of(RowJob const & job, ByteReader & from)
    {
        auto const question = from.get<RowQuestion>();
        constexpr std::uint64_t around = 2 * CodedSequences::padding;
        if (question.part >= job.parts.size() || question.from.i > job.parts[question.part].rows ||
            question.from.j > job.target.size() - around)
            throw_damage();
        return question;
    }

    World & world_;
    Service const & service_;
    std::function<bool()> const & goes_on_;
    std::deque<Message> tasks_, for_rows_;
    std::uint64_t stopped_ = 0;   // the last call of rank 0 that has ended early, or of rows
    std::uint64_t rows_done_ = 0; // the last call of rows that has ended
    bool ended_ = false;
};

// Rank 0 would wait for this rank.
void say_farewell(World & world, Error const & error)
{
    try {
        ByteWriter body;
        put_failure(body, error);
        world.send(0, Kind::gone, 0, body);
    } catch (...) { // why it ends is told here, at least
    }
}

} // namespace

void serve(World & world, Service const & service, std::function<bool()> const & goes_on)
{
    try {
        Server{world, service, goes_on}.run();
    } catch (Error const & error) {
        say_farewell(world, error);
        throw;
    } catch (std::bad_alloc const &) {
        say_farewell(world, {Status::out_of_host_memory, "out of memory"});
        throw;
    }
}

} // namespace nwgpu::places
