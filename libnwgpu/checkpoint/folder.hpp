// SPDX-License-Identifier: BSD-3-Clause
// A checkpoint: a folder with a file for each slab of one pair.  A file is complete or not there: it is written under
// another name, flushed and renamed.  It begins with a header that names the problem, and holds a checksum.
#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/slab.hpp"

namespace nwgpu::checkpoint {

// A number that tells problems apart: letters, scoring, mode.
std::uint64_t identity(PairView const & pair, Scoring const & scoring, Mode const & mode);

class Folder {
public:
    // Makes the folder if it is not there, and locks it against other runs.  `resume`: takes over the slabs it holds,
    // if any.  Throws Error checkpoint, naming the file: slabs are there, but not to be resumed, or are of another
    // problem, or the folder is in use or cannot be written.
    Folder(std::string path, std::uint64_t identity, bool resume);
    ~Folder();
    Folder(Folder const &) = delete;

    std::uint64_t count() const { return shapes_.size(); }
    SlabShape const & shape(std::uint64_t k) const { return shapes_[k]; }
    std::uint64_t rows() const { return shapes_.empty() ? 0 : shapes_.back().end(); } // that are done

    // Throws Error checkpoint if a slab has no boundaries to find a path from.
    void require_tiles() const;

    // Writes the next slab while the caller goes on.  Throws Error checkpoint when an earlier one could not be written.
    void save(Slab && slab);
    // Throws Error checkpoint for a damaged file.
    Slab load(std::uint64_t k);
    // The way back: calls visit(slab, the one above or null) from the last slab to the first, for those that hold the
    // row that `row()` tells each time; 0: none.
    template <class Row, class Visit>
    void visit_back(Row const & row, Visit const & visit)
    {
        std::optional<Slab> slab;
        for (std::uint64_t k = count(); k > 0; --k) {
            if (row() <= shape(k - 1).row)
                continue;
            if (!slab)
                slab = load(k - 1);
            std::optional<Slab> above;
            if (k > 1)
                above = load(k - 2);
            visit(*slab, above ? &*above : nullptr);
            slab = std::move(above);
        }
    }
    // The pair is done: nothing is left to resume.
    void clear();

private:
    std::string file(std::uint64_t k) const;
    void read_headers();
    void write(Slab const & slab, std::uint64_t k) const;
    void wait();

    std::string path_;
    std::uint64_t identity_;
    int lock_ = -1;
    std::vector<SlabShape> shapes_;
    std::future<void> writing_;
};

} // namespace nwgpu::checkpoint
