// SPDX-License-Identifier: BSD-3-Clause
#include "places/row_worker.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "base/no_signals.hpp"
#include "places/task.hpp"

namespace nwgpu::places {

RowWorker::RowWorker(RowEngine & engine, RowTask const & task, Team & team, Above above) :
    engine_{engine},
    task_{task},
    code_{task},
    above_{std::move(above)},
    monitor_{nobody_, UINT64_MAX, team},
    in_(task.part_count())
{
    NoSignals const none;
    thread_ = std::thread{[this] { work(); }};
}

RowWorker::~RowWorker()
{
    stop();
    thread_.join();
}

void RowWorker::stop()
{
    std::lock_guard const lock{mutex_};
    monitor_.stop();
    changed_.notify_all();
}

std::optional<RowWorker::Line> RowWorker::take_line() { return take(out_); }
std::optional<ByteWriter> RowWorker::take_answer() { return take(answers_); }
std::optional<PartSlabs> RowWorker::take_slabs() { return take(slabs_); }

template <class T>
std::optional<T> RowWorker::take(std::deque<T> & from)
{
    std::lock_guard const lock{mutex_};
    if (from.empty())
        return std::nullopt;
    std::optional<T> first{std::move(from.front())};
    from.pop_front();
    return first;
}
template <class T>
T RowWorker::wait_for(std::deque<T> & from)
{
    std::unique_lock lock{mutex_};
    is_waiting_ = from.empty();
    rests_ = 0;
    to_send_.notify_all();
    changed_.wait(lock, [&] { return !from.empty() || monitor_.stopped(); });
    is_waiting_ = false;
    return take_first(from);
}

template <class T>
T RowWorker::take_first(std::deque<T> & from)
{
    monitor_.throw_if_stopped();
    T first = std::move(from.front());
    from.pop_front();
    return first;
}

template <class T>
void RowWorker::put(std::deque<T> & to, T one)
{
    std::lock_guard const lock{mutex_};
    to.push_back(std::move(one));
    changed_.notify_all();
    to_send_.notify_all();
}

void RowWorker::rest()
{
    using std::chrono::microseconds;
    constexpr microseconds while_it_sweeps{1000}, soon{50}, longest{1000};
    std::unique_lock lock{mutex_};
    bool const was_waiting = is_waiting_;
    to_send_.wait_for(lock, was_waiting ? std::min(longest, soon * ++rests_) : while_it_sweeps, [&] {
        return !out_.empty() || !answers_.empty() || !slabs_.empty() || is_waiting_ != was_waiting;
    });
}

void RowWorker::put_line(Message && line)
{
    std::uint64_t const row = LineCode::row(line.reader());
    for (std::size_t k = 0; k < in_.size(); ++k)
        if (task_.row + task_.part(k).row == row)
            return put(in_[k], std::move(line));
    throw_damage();
}
void RowWorker::ask(RowQuestion const & question) { put(questions_, RowQuestion{question}); }

void RowWorker::receive(std::size_t part, std::uint64_t begin, std::span<RowEntry> to)
{
    if (above_ && part == 0)
        return above_(begin, to);
    Message const line = wait_for(in_[part]);
    code_.get(line.reader(), begin, to);
}

bool RowWorker::try_receive(std::size_t part, std::uint64_t begin, std::span<RowEntry> to)
{
    if (above_ && part == 0) {
        above_(begin, to);
        return true;
    }
    std::unique_lock lock{mutex_};
    monitor_.throw_if_stopped();
    if (in_[part].empty())
        return false;
    Message const line = take_first(in_[part]);
    lock.unlock();
    code_.get(line.reader(), begin, to);
    return true;
}

void RowWorker::send(std::size_t part, std::uint64_t begin, std::span<RowEntry const> from)
{
    RowRange const range = task_.part(part);
    Line line{part, {}};
    code_.put(line.bytes, task_.row + range.row + range.rows, begin, from);
    put(out_, std::move(line));
}

bool RowWorker::try_send(std::size_t part, std::uint64_t begin, std::span<RowEntry const> from)
{
    send(part, begin, from);
    return true;
}

void RowWorker::work()
{
    ByteWriter failure;
    try {
        auto const share = engine_.share(task_);
        ByteWriter swept;
        put_swept(swept, share->sweep(*this, monitor_));
        put(answers_, std::move(swept));
        answer_questions(*share);
    } catch (Error const & error) {
        put_failure(failure, error);
    } catch (std::bad_alloc const &) {
        put_failure(failure, {Status::out_of_host_memory, "out of memory"});
    } catch (std::exception const & error) { // such as a thread that cannot be had
        put_failure(failure, {Status::internal, error.what()});
    }
    put(answers_, std::move(failure));
}

// Until it is stopped.
void RowWorker::answer_questions(RowShare & share)
{
    for (;;) {
        RowQuestion const question = wait_for(questions_);
        if (question.slabs) {
            put(slabs_, PartSlabs{question.part, share.slabs(question.part, question.above, monitor_)});
            continue;
        }
        ByteWriter answer;
        put_walked(answer, question.from_best ? share.walk_from_best(question.part, question.with_path, monitor_)
                                              : share.walk(question.part, question.from, monitor_));
        put(answers_, std::move(answer));
    }
}

} // namespace nwgpu::places
