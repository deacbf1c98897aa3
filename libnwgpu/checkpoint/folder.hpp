// SPDX-License-Identifier: BSD-3-Clause
// A checkpoint: a folder with a file for each slab of one pair.  A file is complete or not there: it is written under
// another name, flushed and renamed.  It begins with a header that names the problem, and holds a checksum.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <string>

#include "checkpoint/slab_store.hpp"

namespace nwgpu::checkpoint {

// A number that tells problems apart: letters, scoring, mode.
std::uint64_t identity(PairView const & pair, Scoring const & scoring, Mode const & mode);

class Folder : public SlabStore {
public:
    // Makes the folder if it is not there, and locks it against other runs.  `resume`: takes over the slabs it holds,
    // if any.  Throws Error checkpoint, naming the file: slabs are there, but not to be resumed, or are of another
    // problem, or the folder is in use or cannot be written.
    Folder(std::string path, std::uint64_t identity, bool resume) : Folder{std::move(path), identity, resume, true} {}
    ~Folder() override;

    // Throws Error checkpoint if a slab has no boundaries to find a path from.
    void require_tiles() const;

    // Writes the next slab while the caller goes on.  Throws Error checkpoint when an earlier one could not be written.
    void save(Slab && slab) override;
    // Throws Error checkpoint for a damaged file.
    std::shared_ptr<Slab const> load(std::uint64_t k) override;
    // The pair is done: nothing is left to resume.
    void clear();

protected:
    // `durable`: files are flushed to the disk.
    Folder(std::string path, std::uint64_t identity, bool resume, bool durable);
    // What is being written is given up.
    void stop_writing();
    void remove_files();

private:
    std::string file(std::uint64_t k) const;
    void read_headers();
    void write(Slab const & slab, std::uint64_t k) const;
    void wait();

    std::string path_;
    std::uint64_t identity_;
    bool durable_;
    std::atomic<bool> stop_ = false;
    int lock_ = -1;
    std::future<void> writing_;
};

} // namespace nwgpu::checkpoint
