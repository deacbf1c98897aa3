// SPDX-License-Identifier: BSD-3-Clause
#include "align/aligner.hpp"
#include "places/server.hpp"

namespace nwgpu {

void Aligner::serve(std::function<bool()> const & goes_on)
{
    if (!options_.world || options_.world->rank() == 0)
        throw Error{Status::invalid_argument, "only ranks from 1 on of a world serve"};
    auto const align_task = [&](places::Task const & task, Progress const & progress) {
        return align({task.sequences(0), task.sequences(1), task.pairs, nullptr, nullptr}, task.scoring, task.request,
                     progress);
    };
    places::serve(*options_.world, {align_task, backend_->row_engine(), team_.get(), options_.max_host_bytes}, goes_on);
}

} // namespace nwgpu
