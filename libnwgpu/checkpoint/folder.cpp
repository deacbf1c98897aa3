// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint/folder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nwgpu::checkpoint {

namespace {

constexpr char const * other_folder = "choose another folder";

std::string name_of(std::uint64_t k)
{
    char name[40];
    std::snprintf(name, sizeof name, "slab-%06llu.nwgpu", static_cast<unsigned long long>(k));
    return name;
}

struct Found {
    std::vector<std::uint64_t> slabs;    // their numbers, rising
    std::vector<std::string> unfinished; // paths of files that a run was writing when it was killed
};

Found look_into(std::string const & folder)
{
    Found found;
    std::error_code error;
    std::filesystem::directory_iterator at{folder, error};
    for (; !error && at != std::filesystem::directory_iterator{}; at.increment(error)) {
        std::string const name = at->path().filename().string();
        std::string_view const digits = std::string_view{name}.substr(std::min<std::size_t>(5, name.size()));
        std::uint64_t k = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), k);
        if (name == name_of(k))
            found.slabs.push_back(k);
        else if (name == name_of(k) + ".part")
            found.unfinished.push_back(at->path().string());
    }
    if (error == std::errc::not_enough_memory)
        throw std::bad_alloc{};
    if (error)
        throw file_error(folder, error.message());
    std::sort(found.slabs.begin(), found.slabs.end());
    return found;
}

// In this thread, until its end: signals are for the program's own threads, and a file that becomes too large for a
// limit of the process is an error of write(), not SIGXFSZ, which ends the process.
void block_signals()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

} // namespace

bool holds_slabs(std::string const & folder)
{
    std::error_code error;
    return std::filesystem::exists(folder, error) && !look_into(folder).slabs.empty();
}

Folder::Folder(std::string path, Problem const & problem, bool resume, std::size_t most_waiting) :
    Folder{std::move(path), std::optional{problem}, resume, most_waiting}
{}

Folder::Folder(std::string path) : Folder{std::move(path), std::nullopt, false, 1} {}

Folder::Folder(std::string path, std::optional<Problem> const & problem, bool resume, std::size_t most_waiting) :
    path_{std::move(path)}, problem_{problem}, most_waiting_{most_waiting}
{
    if (mkdir(path_.c_str(), 0755) != 0 && errno != EEXIST)
        throw system_call_error(path_);
    lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0)
        throw system_call_error(path_);
    try {
        if (flock(lock_, LOCK_EX | LOCK_NB) != 0)
            throw file_error(path_,
                             std::string{"another run uses this checkpoint: wait for its end, or "} + other_folder);
        Found const found = look_into(path_);
        if (!found.slabs.empty() && !resume)
            throw file_error(path_, std::string{"holds a checkpoint already: resume it, or "} + other_folder);
        read_headers(found.slabs);
        for (std::string const & name : found.unfinished)
            std::remove(name.c_str());
    } catch (...) {
        close(lock_);
        throw;
    }
}

Folder::~Folder()
{
    if (!problem_) { // nobody is to find anything
        try {
            clear();
        } catch (...) { // without memory for their names the files stay
        }
    } else if (!writing_.empty()) {
        writing_.back().wait();
    }
    close(lock_);
}

std::string Folder::file(std::uint64_t k) const { return path_ + "/" + name_of(k); }

void Folder::read_headers(std::vector<std::uint64_t> const & numbers)
{
    for (std::uint64_t k = 0; k < numbers.size(); ++k) {
        if (numbers[k] != k)
            throw file_error(file(k), "is missing, but there are files with higher numbers: remove those, and resume "
                                      "from what is left");
        SlabHeader const header = read_slab_header(file(k));
        if (std::string const why = problem_->why_foreign(header.identity); !why.empty())
            throw file_error(file(k), "the checkpoint is " + why + ": resume it with what it was begun with, or " +
                                          other_folder);
        std::string const why =
            header.number != k ? "damaged: this file has the number of another"
                               : problem_->why_damaged(header.shape, header.sizes, k > 0 ? &shapes_.back() : nullptr);
        if (!why.empty())
            throw file_error(file(k), "the checkpoint is " + why + ": " + remedy_for_damage);
        shapes_.push_back(header.shape);
        headers_.push_back(header);
    }
}

void Folder::require_tiles() const
{
    if (std::any_of(shapes_.begin(), shapes_.end(), [](SlabShape const & shape) { return shape.tile_rows == 0; }))
        throw file_error(path_, std::string{"the checkpoint was made for a score alone: ask for the score, or "} +
                                    other_folder);
}

Error Folder::damage(std::string const & what) const
{
    return file_error(path_, "the checkpoint is damaged: " + what + ": remove its files and begin again");
}

void Folder::save(Slab && slab)
{
    wait(most_waiting_ - 1);
    std::uint64_t const k = shapes_.size();
    auto const shared = std::make_shared<Slab const>(std::move(slab));
    std::shared_future<SlabHeader> const before = writing_.empty() ? std::shared_future<SlabHeader>{} : writing_.back();
    auto const work = [this, k, shared, before] {
        if (before.valid())
            before.get(); // which tells why this one is not written either
        return write(*shared, k);
    };
    bool later = false;
    std::future<SlabHeader> writing;
    try {
        writing = std::async(std::launch::async, [work] {
            block_signals();
            return work();
        });
    } catch (std::system_error const &) { // no thread can be had
        writing = std::async(std::launch::deferred, work);
        later = true;
    }
    shapes_.push_back(shared->shape);
    writing_.push_back(writing.share());
    if (later)
        wait();
}

SlabHeader Folder::write(Slab const & slab, std::uint64_t k) const
{
    bool const durable = problem_.has_value();
    SlabHeader header;
    if (problem_)
        header.identity = problem_->identity();
    header.number = k;
    header = write_slab(file(k), header, slab, durable, [&] {
        if (stop_)
            throw file_error(file(k), "given up");
    });
    if (durable && fsync(lock_) != 0)
        throw system_call_error(file(k));
    return header;
}

void Folder::wait(std::size_t waiting)
{
    while (writing_.size() > waiting) {
        while (writing_.front().wait_for(std::chrono::milliseconds{20}) == std::future_status::timeout)
            call_while_waiting();
        try {
            headers_.push_back(writing_.front().get());
        } catch (...) { // nor are those behind it
            writing_.back().wait();
            writing_.clear();
            shapes_.resize(headers_.size());
            throw;
        }
        writing_.pop_front();
    }
}

std::shared_ptr<Slab const> Folder::load(std::uint64_t k)
{
    wait();
    return std::make_shared<Slab const>(read_slab(file(k), headers_.at(k), [this] { call_while_waiting(); }));
}

void Folder::clear()
{
    stop_ = true; // whatever is being written: nobody will read it, and that it cannot be written harms nobody
    if (!writing_.empty())
        writing_.back().wait();
    // The last one first: what is left is a checkpoint at any time.
    for (; !shapes_.empty(); shapes_.pop_back())
        std::remove(file(shapes_.size() - 1).c_str());
}

} // namespace nwgpu::checkpoint
