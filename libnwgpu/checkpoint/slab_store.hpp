// SPDX-License-Identifier: BSD-3-Clause
// Where the slabs of one pair are until its path is known: in memory, or in files (folder.hpp).
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "checkpoint/slab.hpp"

namespace nwgpu::checkpoint {

class SlabStore {
public:
    SlabStore() = default;
    SlabStore(SlabStore const &) = delete;
    virtual ~SlabStore() = default;

    std::uint64_t count() const { return shapes_.size(); }
    SlabShape const & shape(std::uint64_t k) const { return shapes_[k]; }
    std::uint64_t rows() const { return shapes_.empty() ? 0 : shapes_.back().end(); } // that are done

    // Called every now and then where the functions below have to wait; what it throws ends them.
    void while_waiting(std::function<void()> call) { while_waiting_ = std::move(call); }

    // The next slab.  Throws Error checkpoint, or std::bad_alloc.
    virtual void save(Slab && slab) = 0;
    virtual std::shared_ptr<Slab const> load(std::uint64_t k) = 0;

    // The way back: calls visit(slab, the one above or null) from the last slab to the first, for those that hold the
    // row that `row()` tells each time; 0: none.
    template <class Row, class Visit>
    void visit_back(Row const & row, Visit const & visit)
    {
        std::shared_ptr<Slab const> slab;
        for (std::uint64_t k = count(); k > 0; --k) {
            if (row() <= shape(k - 1).row)
                continue;
            if (!slab)
                slab = load(k - 1);
            std::shared_ptr<Slab const> above;
            if (k > 1)
                above = load(k - 2);
            visit(*slab, above.get());
            slab = std::move(above);
        }
    }

protected:
    void call_while_waiting() const
    {
        if (while_waiting_)
            while_waiting_();
    }
    std::vector<SlabShape> shapes_;

private:
    std::function<void()> while_waiting_;
};

class SlabsInMemory final : public SlabStore {
public:
    void save(Slab && slab) override
    {
        shapes_.push_back(slab.shape);
        slabs_.push_back(std::make_shared<Slab const>(std::move(slab)));
    }
    std::shared_ptr<Slab const> load(std::uint64_t k) override { return slabs_[k]; }

private:
    std::vector<std::shared_ptr<Slab const>> slabs_;
};

} // namespace nwgpu::checkpoint
