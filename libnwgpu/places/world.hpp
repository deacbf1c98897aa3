// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a world: how they meet, and the messages between rank 0, which deals out work, and the others.
//
//     rank 0   ◄── hello ───  others     when a context is made: versions, arguments, hosts, errors
//              ─── welcome ─►
//              ─── task ────►            some pairs, and all that is needed to align them
//              ─── rows ────►            a share of the rows of one pair (row_share.hpp)
//              ─── walk ────►            find the path, or the end, in the share
//              ─── stop ────►            ends the task or the share at hand
//              ◄── answer ──             of a task: the answers, or why there are none; of rows, of a walk
//              ─── end ─────►            the context of rank 0 is destroyed
//              ◄── gone ───             the rank serves no longer, and why
//     a rank   ─── line ────►  the rank of the rows below: some columns of the boundary between them
//
// All members are called on the thread that called the library.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/row_share.hpp"
#include "places/bytes.hpp"
#include "places/communicator.hpp"

namespace nwgpu::places {

enum class Kind : std::uint32_t { hello, welcome, task, stop, answer, end, rows, walk, line, gone };

struct Message {
    int from = 0;
    Kind kind{};
    std::uint64_t call = 0; // of rank 0: a stop is for the tasks of its call
    std::vector<std::byte> bytes;

    ByteReader reader() const { return ByteReader{std::span{bytes}.subspan(head_bytes)}; }
    static constexpr std::size_t head_bytes = 16;
};

// What a rank tells of itself.
struct Member {
    std::string host;
    std::string engine;
    int threads = 1;
    std::string failure; // why it cannot work; empty: it can
    RowPace pace;        // of its engine

    // Of this process.
    static Member here(std::string engine, int threads, RowPace const & pace, std::string failure = {});
};

class World {
public:
    explicit World(std::unique_ptr<Communicator> communicator);

    int rank() const { return communicator_->rank(); }
    int size() const { return communicator_->size(); }
    // All ranks call this; returns when each of them can work.  Throws Error communication, the same on all ranks,
    // where one cannot, or where versions or arguments differ.
    void meet(Member const & self, std::string const & version);
    // On rank 0: of all ranks.
    std::vector<Member> const & members() const { return members_; }
    std::string name_of(int rank) const; // "rank 3 (node7)"

    void send(int to, Kind kind, std::uint64_t call, ByteWriter const & body);
    // The next message; nothing: none is there.
    std::optional<Message> next();
    // From rank 0 to all others.
    void end();
    // Waits for the next message.  `look` is called now and then, and may throw.
    Message wait(std::function<void()> const & look = {});

private:
    struct Partial { // of a message that comes in parts
        std::vector<std::byte> bytes;
        std::uint64_t have = 0;
    };

    void check(std::vector<Message> const & hellos, std::string const & version);

    std::unique_ptr<Communicator> const communicator_;
    std::vector<Member> members_;
    std::vector<Partial> partial_; // by rank
    std::deque<Message> early_;    // that came before the welcome
};

// Between two looks whether there is a message, a thread sleeps: longer and longer, up to a millisecond.
class Patience {
public:
    void sleep();
    void reset() { turns_ = 0; }

private:
    unsigned turns_ = 0;
};

} // namespace nwgpu::places
