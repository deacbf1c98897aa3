// SPDX-License-Identifier: BSD-3-Clause
#include "places/world.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <unistd.h>

namespace nwgpu::places {

namespace {

// Of a message; longer ones are sent in parts, as MPI counts bytes in 31 bits.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;

// Tells another byte order, and another protocol.
constexpr std::uint64_t protocol = 0x6e77677075000004;

std::vector<std::byte> with_head(Kind kind, std::uint64_t call, ByteWriter const & body)
{
    ByteWriter all;
    all.reserve(Message::head_bytes + body.bytes().size());
    all.put(static_cast<std::uint64_t>(kind));
    all.put(call);
    all.put_all(std::span{body.bytes()});
    return all.bytes();
}

} // namespace

Member Member::here(std::string engine, int threads, RowPace const & pace, std::string failure)
{
    char host[256] = {};
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == 0)
        std::strcpy(host, "unknown host");
    return {host, std::move(engine), threads, std::move(failure), pace};
}

World::World(std::unique_ptr<Communicator> communicator) :
    communicator_{std::move(communicator)}, partial_(static_cast<std::size_t>(communicator_->size()))
{}

std::string World::name_of(int rank) const
{
    auto const k = static_cast<std::size_t>(rank);
    return "rank " + std::to_string(rank) + (k < members_.size() ? " (" + members_[k].host + ")" : std::string{});
}

void World::meet(Member const & self, std::string const & version)
{
    ByteWriter hello;
    hello.put(protocol);
    hello.put(communicator_->fingerprint());
    hello.put(std::int64_t{self.threads});
    hello.put(self.pace);
    for (std::string const & text : {version, self.host, self.engine, self.failure})
        hello.put_text(text);
    if (rank() != 0) {
        send(0, Kind::hello, 0, hello);
        std::deque<Message> early; // from ranks that were welcomed before
        Message welcome = wait();
        for (; welcome.from != 0; welcome = wait())
            early.push_back(std::move(welcome));
        early_ = std::move(early);
        if (std::string const why = welcome.reader().get_text(); !why.empty())
            throw Error{Status::communication, why};
        return;
    }
    std::vector<Message> hellos(static_cast<std::size_t>(size()));
    hellos[0] = {0, Kind::hello, 0, with_head(Kind::hello, 0, hello)};
    for (int there = 1; there < size();) {
        Message message = wait();
        if (message.kind != Kind::hello)
            continue; // of an earlier context
        Message & place = hellos[static_cast<std::size_t>(message.from)];
        there += place.bytes.empty();
        place = std::move(message);
    }
    std::string why;
    try {
        check(hellos, version);
    } catch (Error const & error) {
        why = error.what();
    }
    ByteWriter welcome;
    welcome.put_text(why);
    for (int to = 1; to < size(); ++to)
        send(to, Kind::welcome, 0, welcome);
    if (!why.empty())
        throw Error{Status::communication, why};
}

// On rank 0.  Throws Error communication, with the first rank that does not fit.
void World::check(std::vector<Message> const & hellos, std::string const & version)
{
    std::string why;
    auto const say = [&](int from, std::string const & text) {
        if (why.empty())
            why = name_of(from) + ": " + text;
    };
    auto const differs = [&](std::string const & its) { return "it has version " + its + ", rank 0 has " + version; };
    for (Message const & hello : hellos) {
        ByteReader reader = hello.reader();
        int const from = static_cast<int>(members_.size());
        if (reader.get<std::uint64_t>() != protocol)
            throw Error{Status::communication,
                        "rank " + std::to_string(from) + " has another library, or another kind of machine"};
        auto const fingerprint = reader.get<std::uint64_t>();
        Member member;
        member.threads = static_cast<int>(reader.get<std::int64_t>());
        member.pace = reader.get<RowPace>();
        std::string const its_version = reader.get_text();
        member.host = reader.get_text();
        member.engine = reader.get_text();
        member.failure = reader.get_text();
        members_.push_back(std::move(member));
        if (!members_.back().failure.empty())
            say(from, members_.back().failure);
        else if (its_version != version)
            say(from, differs(its_version));
        else if (fingerprint != communicator_->fingerprint())
            say(from, "its arguments differ from those of rank 0");
    }
    if (!why.empty())
        throw Error{Status::communication, why};
}

void World::send(int to, Kind kind, std::uint64_t call, ByteWriter const & body)
{
    std::vector<std::byte> const all = with_head(kind, call, body);
    std::uint64_t const length = all.size();
    if (length + sizeof length <= most_bytes) { // the usual case: one message, its length in front
        ByteWriter message;
        message.reserve(length + sizeof length);
        message.put(length);
        message.put_all(std::span{all});
        return communicator_->send(to, message.bytes());
    }
    ByteWriter first;
    first.put(length);
    communicator_->send(to, first.bytes());
    for (std::uint64_t begin = 0; begin < length; begin += most_bytes)
        communicator_->send(to, std::span{all}.subspan(begin, std::min(most_bytes, length - begin)));
}

void World::end()
{
    for (int to = 1; to < size(); ++to)
        send(to, Kind::end, 0, {});
}

std::optional<Message> World::next()
{
    if (!early_.empty()) {
        Message first = std::move(early_.front());
        early_.pop_front();
        return first;
    }
    while (auto const waiting = communicator_->probe()) {
        if (waiting->from < 0 || waiting->from >= size() || waiting->bytes > most_bytes)
            throw Error{Status::communication, "a message came from nowhere"};
        Partial & partial = partial_[static_cast<std::size_t>(waiting->from)];
        if (partial.bytes.empty()) {
            std::vector<std::byte> got(waiting->bytes);
            communicator_->receive(waiting->from, got);
            ByteReader reader{got};
            auto const length = reader.get<std::uint64_t>();
            std::uint64_t const have = got.size() - sizeof length;
            if (length < Message::head_bytes || have > length || (have < length && have > 0))
                throw Error{Status::communication, "a message of " + name_of(waiting->from) + " has a wrong length"};
            partial.bytes.resize(length);
            partial.have = have;
            reader.copy_to(std::span{partial.bytes}.first(have));
        } else {
            if (waiting->bytes > partial.bytes.size() - partial.have)
                throw Error{Status::communication, "a message of " + name_of(waiting->from) + " is too long"};
            communicator_->receive(waiting->from, std::span{partial.bytes}.subspan(partial.have, waiting->bytes));
            partial.have += waiting->bytes;
        }
        if (partial.have < partial.bytes.size())
            continue;
        Message message;
        message.from = waiting->from;
        message.bytes = std::exchange(partial.bytes, {});
        partial.have = 0;
        ByteReader head{message.bytes};
        message.kind = static_cast<Kind>(head.get<std::uint64_t>());
        message.call = head.get<std::uint64_t>();
        return message;
    }
    return std::nullopt;
}

Message World::wait(std::function<void()> const & look)
{
    for (Patience patience;; patience.sleep()) {
        if (auto message = next())
            return std::move(*message);
        if (look)
            look();
    }
}

void Patience::sleep()
{
    constexpr unsigned yields = 64, longest = 1000;
    if (++turns_ <= yields)
        return std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds{std::min(longest, 20 * (turns_ - yields))});
}

} // namespace nwgpu::places
