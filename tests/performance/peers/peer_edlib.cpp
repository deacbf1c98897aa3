// SPDX-License-Identifier: BSD-3-Clause
// edlib: edit distance only, global here.  Scores are minus the distance.  Its operations are named from the query's
// side: INSERT consumes the query.
#include "peer.hpp"
#include "scheme.hpp"

#include <edlib.h>

#include <stdexcept>

namespace performance {

namespace {

class EdlibSession final : public Session {
public:
    EdlibSession(Task const & task, Pairs const & pairs) : task_{task}, pairs_{pairs} {}

    std::int64_t align(std::vector<Alignment> * keep) override
    {
        auto const config = edlibNewAlignConfig(
            -1, EDLIB_MODE_NW, task_.output == Output::cigar ? EDLIB_TASK_PATH : EDLIB_TASK_DISTANCE, nullptr, 0);
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < pairs_.queries.size(); ++i) {
            auto const & query = pairs_.queries[i];
            auto const & target = pairs_.targets[i];
            EdlibAlignResult found = edlibAlign(query.data(), static_cast<int>(query.size()), target.data(),
                                                static_cast<int>(target.size()), config);
            if (found.status != EDLIB_STATUS_OK)
                throw std::runtime_error("edlibAlign failed");
            sum -= found.editDistance;
            if (keep) {
                Alignment alignment;
                alignment.score = -found.editDistance;
                alignment.query_end = query.size();
                alignment.target_end = target.size();
                for (int k = 0; k < found.alignmentLength; ++k) {
                    switch (found.alignment[k]) {
                    case EDLIB_EDOP_MATCH:
                        append_run(alignment.runs, bam::equal);
                        break;
                    case EDLIB_EDOP_MISMATCH:
                        append_run(alignment.runs, bam::different);
                        break;
                    case EDLIB_EDOP_INSERT:
                        append_run(alignment.runs, bam::insertion);
                        break;
                    default:
                        append_run(alignment.runs, bam::deletion);
                        break;
                    }
                }
                keep->push_back(std::move(alignment));
            }
            edlibFreeAlignResult(found);
        }
        return sum;
    }

private:
    Task task_;
    Pairs const & pairs_;
};

class Edlib final : public Peer {
public:
    std::string name() const override { return "edlib"; }

    std::string refusal(Task const & task, Shape const &) const override
    {
        return task.scheme == Scheme::edit && task.span == Span::global ? "" : "global edit distance only";
    }

    std::unique_ptr<Session> open(Task const & task, Pairs const & pairs) const override
    {
        return std::make_unique<EdlibSession>(task, pairs);
    }
};

} // namespace

void add_edlib(Peers & peers) { peers.push_back(std::make_unique<Edlib>()); }

} // namespace performance
