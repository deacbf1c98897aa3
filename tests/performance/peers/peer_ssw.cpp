// SPDX-License-Identifier: BSD-3-Clause
// SSW: local alignment of coded sequences, 8 bits first and 16 bits if those overflow; scores end at 32767.  Gap
// "open" is the cost of the first letter.
#include "peer.hpp"
#include "scheme.hpp"

#include <ssw.h>

#include <algorithm>
#include <new>

namespace performance {

namespace {

class SswSession final : public Session {
public:
    SswSession(Task const & task, Pairs const & pairs) :
        task_{task}, matrix_{matrix(task.scheme)}, letter_count_{static_cast<std::int32_t>(letters(task.scheme).size())}
    {
        for (std::size_t i = 0; i < pairs.queries.size(); ++i) {
            queries_.push_back(encode(task.scheme, pairs.queries[i]));
            targets_.push_back(encode(task.scheme, pairs.targets[i]));
        }
    }

    std::int64_t align(std::vector<Alignment> * keep) override
    {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < queries_.size(); ++i)
            sum += align_one(queries_[i], targets_[i], keep);
        return sum;
    }

private:
    std::int64_t align_one(std::vector<std::uint8_t> const & query, std::vector<std::uint8_t> const & target,
                           std::vector<Alignment> * keep)
    {
        Costs const c = costs(task_.scheme);
        auto const * query_codes = reinterpret_cast<std::int8_t const *>(query.data());
        auto const * target_codes = reinterpret_cast<std::int8_t const *>(target.data());
        std::int32_t const query_length = static_cast<std::int32_t>(query.size());
        std::int8_t const width = query_length < 1000 ? 2 : 1; // both widths, or 16 bits at once
        s_profile * profile = ssw_init(query_codes, query_length, matrix_.data(), letter_count_, width);
        std::uint8_t const flag = task_.output == Output::cigar ? 1 : 0;
        s_align * found = ssw_align(profile, target_codes, static_cast<std::int32_t>(target.size()),
                                    static_cast<std::uint8_t>(c.open + c.extend), static_cast<std::uint8_t>(c.extend),
                                    flag, 0, 0, std::max(15, query_length / 2));
        if (!found)
            throw std::bad_alloc{};
        std::int64_t const score = found->score1;
        if (keep) {
            Alignment alignment;
            alignment.score = score;
            if (found->cigar) {
                alignment.query_begin = static_cast<std::size_t>(found->read_begin1);
                alignment.query_end = static_cast<std::size_t>(found->read_end1) + 1;
                alignment.target_begin = static_cast<std::size_t>(found->ref_begin1);
                alignment.target_end = static_cast<std::size_t>(found->ref_end1) + 1;
                alignment.runs.assign(found->cigar, found->cigar + found->cigarLen);
            }
            keep->push_back(std::move(alignment));
        }
        align_destroy(found);
        init_destroy(profile);
        return score;
    }

    Task task_;
    std::vector<std::int8_t> matrix_;
    std::int32_t letter_count_;
    std::vector<std::vector<std::uint8_t>> queries_, targets_;
};

class Ssw final : public Peer {
public:
    std::string name() const override { return "ssw"; }

    std::string refusal(Task const & task, Shape const & shape) const override
    {
        if (task.span != Span::local || task.scheme == Scheme::edit || task.scheme == Scheme::penalties)
            return "local alignment only";
        if (task.scheme == Scheme::dna && 2 * std::min(shape.query, shape.target) > 65535)
            return "16 bits cannot hold the score";
        return {};
    }

    std::string known_defect(Task const &, Shape const & shape) const override
    {
        return std::min(shape.query, shape.target) > 5000 ? "scores end at 32767" : "";
    }

    std::unique_ptr<Session> open(Task const & task, Pairs const & pairs) const override
    {
        return std::make_unique<SswSession>(task, pairs);
    }
};

} // namespace

void add_ssw(Peers & peers) { peers.push_back(std::make_unique<Ssw>()); }

} // namespace performance
