// SPDX-License-Identifier: BSD-3-Clause
// A checkpoint: a folder with a file for each slab of one pair.  A file is complete or not there: it is written under
// another name, flushed and renamed.  What it says of itself is held against the pair before anything of it is used.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/slab_file.hpp"
#include "checkpoint/slab_store.hpp"

namespace nwgpu::checkpoint {

// Whether a folder holds slabs, of whatever problem.  Throws Error checkpoint if it cannot be read.
bool holds_slabs(std::string const & folder);

class Folder : public SlabStore {
public:
    // Makes the folder if it is not there, and locks it against other runs.  `resume`: takes over the slabs it holds,
    // if any.  Throws Error checkpoint, naming the file: slabs are there, but not to be resumed, or are of another
    // problem, or damaged, or the folder is in use or cannot be written.  Slabs are as they were, then.
    // `most_waiting`: slabs that save() takes before those before them are written.
    Folder(std::string path, Problem const & problem, bool resume, std::size_t most_waiting = 1);
    ~Folder() override;

    // Throws Error checkpoint if a slab has no boundaries to find a path from.
    void require_tiles() const;
    // What to throw where the content of slabs turns out to be wrong.
    Error damage(std::string const & what) const;

    // Writes the next slab while the caller goes on, or before it does where there are no more threads.  Throws Error
    // checkpoint when one before could not be written.
    void save(Slab && slab) override;
    void wait_until_written() { wait(); }
    // Throws Error checkpoint for a damaged file.
    std::shared_ptr<Slab const> load(std::uint64_t k) override;
    // The pair is done: nothing is left to resume.
    void clear();

protected:
    // For slabs that only this object reads: not flushed to the disk, of no problem in particular.
    explicit Folder(std::string path);

private:
    Folder(std::string path, std::optional<Problem> const & problem, bool resume, std::size_t most_waiting);
    std::string file(std::uint64_t k) const;
    void read_headers(std::vector<std::uint64_t> const & numbers);
    SlabHeader write(Slab const & slab, std::uint64_t k) const;
    void wait(std::size_t waiting = 0); // until no more are

    std::string path_;
    std::optional<Problem> problem_;
    std::atomic<bool> stop_ = false;
    int lock_ = -1;
    std::vector<SlabHeader> headers_; // of the files that are complete
    std::size_t const most_waiting_;
    std::deque<std::shared_future<SlabHeader>> writing_; // each after the one before
};

} // namespace nwgpu::checkpoint
