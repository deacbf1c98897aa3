// SPDX-License-Identifier: BSD-3-Clause
// ksw2 (as built into libminimap2): global alignment in 8-bit differences, no band and no drop-off, so exact.  Its
// pooled allocator is used and kept, and APPROX_MAX spares it the extension maximum that nobody asks for here.
#define HAVE_KALLOC
#include "peer.hpp"
#include "scheme.hpp"

#include <kalloc.h>
#include <ksw2.h>

namespace performance {

namespace {

class Ksw2Session final : public Session {
public:
    Ksw2Session(Task const & task, Pairs const & pairs) :
        task_{task}, letter_count_{static_cast<std::int8_t>(letters(task.scheme).size() + 1)}, pool_{km_init()}
    {
        // ksw2 takes the first entry of the matrix for its maximum, so the letter that scores highest against itself
        // changes places with the first.  The last letter is a wildcard; it never occurs in the data.
        auto const small = matrix(task.scheme);
        std::size_t const n = letters(task.scheme).size();
        for (std::size_t i = 0; i < n; ++i)
            if (small[i * n + i] > small[best_ * n + best_])
                best_ = static_cast<std::uint8_t>(i);
        matrix_.assign((n + 1) * (n + 1), 0);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                matrix_[swapped(i) * (n + 1) + swapped(j)] = small[i * n + j];
        for (std::size_t i = 0; i < pairs.queries.size(); ++i) {
            queries_.push_back(convert(pairs.queries[i]));
            targets_.push_back(convert(pairs.targets[i]));
        }
    }
    ~Ksw2Session() override { km_destroy(pool_); }
    Ksw2Session(Ksw2Session const &) = delete;
    Ksw2Session & operator=(Ksw2Session const &) = delete;

    std::int64_t align(std::vector<Alignment> * keep) override
    {
        Costs const c = costs(task_.scheme);
        int flags = KSW_EZ_APPROX_MAX;
        if (task_.output == Output::score)
            flags |= KSW_EZ_SCORE_ONLY;
        if (task_.scheme == Scheme::protein)
            flags |= KSW_EZ_GENERIC_SC;
        std::int64_t sum = 0;
        ksw_extz_t found{};
        for (std::size_t i = 0; i < queries_.size(); ++i) {
            auto const & query = queries_[i];
            auto const & target = targets_[i];
            ksw_extz2_sse(pool_, static_cast<int>(query.size()), query.data(), static_cast<int>(target.size()),
                          target.data(), letter_count_, matrix_.data(), static_cast<std::int8_t>(c.open),
                          static_cast<std::int8_t>(c.extend), -1, -1, 0, flags, &found);
            sum += found.score;
            if (keep) {
                Alignment alignment;
                alignment.score = found.score;
                alignment.query_end = query.size();
                alignment.target_end = target.size();
                if (task_.output == Output::cigar)
                    alignment.runs.assign(found.cigar, found.cigar + found.n_cigar);
                keep->push_back(std::move(alignment));
            }
        }
        kfree(pool_, found.cigar);
        return sum;
    }

private:
    std::size_t swapped(std::size_t code) const { return code == 0 ? best_ : code == best_ ? 0 : code; }

    std::vector<std::uint8_t> convert(std::string const & sequence) const
    {
        auto codes = encode(task_.scheme, sequence);
        for (std::uint8_t & code : codes)
            code = static_cast<std::uint8_t>(swapped(code));
        return codes;
    }

    Task task_;
    std::int8_t letter_count_;
    std::uint8_t best_ = 0;
    void * pool_;
    std::vector<std::int8_t> matrix_;
    std::vector<std::vector<std::uint8_t>> queries_, targets_;
};

class Ksw2 final : public Peer {
public:
    std::string name() const override { return "ksw2"; }

    std::string refusal(Task const & task, Shape const & shape) const override
    {
        if (task.span != Span::global || task.scheme == Scheme::edit)
            return "global affine alignment only";
        double const cells = static_cast<double>(shape.query) * static_cast<double>(shape.target);
        if (task.output == Output::cigar && cells > 2e9)
            return "trace table of about 1.6 bytes per cell does not fit";
        if (cells > 2e10)
            return "would take minutes; score rows end at 100 kb";
        return {};
    }

    std::unique_ptr<Session> open(Task const & task, Pairs const & pairs) const override
    {
        return std::make_unique<Ksw2Session>(task, pairs);
    }
};

} // namespace

void add_ksw2(Peers & peers) { peers.push_back(std::make_unique<Ksw2>()); }

} // namespace performance
