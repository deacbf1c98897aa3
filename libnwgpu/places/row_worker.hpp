// SPDX-License-Identifier: BSD-3-Clause
// One rank's share of a pair whose rows are dealt out.  A thread of its own sweeps and walks; the thread that made this
// carries lines, questions and answers meanwhile.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "backend/monitor.hpp"
#include "backend/row_share.hpp"
#include "places/row_messages.hpp"
#include "places/world.hpp"

namespace nwgpu::places {

class RowWorker final : private RowLines {
public:
    // The row above a share, from column `begin` on, where no rank sends it.
    using Above = std::function<void(std::uint64_t begin, std::span<RowEntry> to)>;
    // All of them live longer than this.  Throws std::system_error where there is no thread.
    RowWorker(RowEngine & engine, RowTask const & task, Team & team, Above above = {});
    ~RowWorker() override; // stops, and waits until the thread has ended: for a tile at most

    // Columns of the row above a part, in order.  Throws Error communication.
    void put_line(Message && line);
    void ask(RowQuestion const & question);
    // What is to be sent, if there is anything: columns of a part's last row, in order; answers (RowAnswer).
    struct Line {
        std::size_t part;
        ByteWriter bytes;
    };
    std::optional<Line> take_line();
    std::optional<ByteWriter> take_answer();
    std::optional<PartSlabs> take_slabs(); // an answer, too
    // For the thread that carries messages: sleeps until there is something to send, or for as long as none that comes
    // is urgent: a share that waits for one needs it soon, one that sweeps has what it needs.
    void rest();
    std::uint64_t cells_done() const { return monitor_.done(); }
    void stop();

private:
    void receive(std::size_t part, std::uint64_t begin, std::span<RowEntry> to) override;
    bool try_receive(std::size_t part, std::uint64_t begin, std::span<RowEntry> to) override;
    void send(std::size_t part, std::uint64_t begin, std::span<RowEntry const> from) override;
    bool try_send(std::size_t part, std::uint64_t begin, std::span<RowEntry const> from) override;

    void work();
    void answer_questions(RowShare & share);
    template <class T>
    std::optional<T> take(std::deque<T> & from);
    template <class T>
    T wait_for(std::deque<T> & from);
    template <class T>
    void put(std::deque<T> & to, T one);
    template <class T>
    T take_first(std::deque<T> & from);

    RowEngine & engine_;
    RowTask const task_;
    LineCode const code_;
    Above const above_;
    Progress const nobody_; // the calling thread asks for cells_done()
    Monitor monitor_;
    std::mutex mutex_; // of the lists
    std::condition_variable changed_, to_send_;
    bool is_waiting_ = false;             // the share, for a message
    int rests_ = 0;                       // since then
    std::vector<std::deque<Message>> in_; // of each part
    std::deque<Line> out_;
    std::deque<ByteWriter> answers_;
    std::deque<PartSlabs> slabs_;
    std::deque<RowQuestion> questions_;
    std::thread thread_;
};

} // namespace nwgpu::places
