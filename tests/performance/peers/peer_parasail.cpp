// SPDX-License-Identifier: BSD-3-Clause
// parasail: one peer per kernel and score width; the report takes the fastest that passes the check.  Gap "open" is
// the cost of the first letter.  A saturated 16-bit kernel is a known limit, the local CIGARs a known defect.
#include "peer.hpp"
#include "scheme.hpp"

#include <parasail.h>
#include <parasail/matrix_lookup.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string_view>

namespace performance {

namespace {

struct Variant {
    char const * kernel; // scan, striped or diag
    int bits;
};

char const * span_prefix(Span span)
{
    switch (span) {
    case Span::global:
        return "nw";
    case Span::semi_global:
        return "sg_dx"; // dx: both ends of the database sequence are free
    case Span::local:
        break;
    }
    return "sw";
}

struct MatrixOwner {
    parasail_matrix_t * made = nullptr;
    parasail_matrix_t const * use = nullptr;

    explicit MatrixOwner(Scheme scheme)
    {
        if (scheme == Scheme::protein) {
            use = parasail_matrix_lookup("blosum62");
        } else {
            use = made = parasail_matrix_create("ACGT", costs(scheme).match, costs(scheme).mismatch);
        }
    }
    ~MatrixOwner()
    {
        if (made)
            parasail_matrix_free(made);
    }
    MatrixOwner(MatrixOwner const &) = delete;
    MatrixOwner & operator=(MatrixOwner const &) = delete;
};

class ParasailSession final : public Session {
public:
    ParasailSession(Task const & task, Pairs const & pairs, Variant variant) :
        task_{task},
        pairs_{pairs},
        matrix_{task.scheme},
        open_{costs(task.scheme).open + costs(task.scheme).extend},
        extend_{costs(task.scheme).extend}
    {
        std::string const name = std::string{span_prefix(task.span)} +
                                 (task.output == Output::cigar ? "_trace_" : "_") + variant.kernel + "_" +
                                 std::to_string(variant.bits);
        function_ = parasail_lookup_function(name.c_str());
        if (!function_)
            throw std::runtime_error("parasail has no " + name);
    }

    std::int64_t align(std::vector<Alignment> * keep) override
    {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < pairs_.queries.size(); ++i)
            sum += align_one(pairs_.queries[i], pairs_.targets[i], keep);
        return sum;
    }

private:
    std::int64_t align_one(std::string const & query, std::string const & target, std::vector<Alignment> * keep)
    {
        int const query_length = static_cast<int>(query.size()), target_length = static_cast<int>(target.size());
        parasail_result_t * result =
            function_(query.c_str(), query_length, target.c_str(), target_length, open_, extend_, matrix_.use);
        if (!result)
            throw std::bad_alloc{};
        std::int64_t const score = parasail_result_get_score(result);
        bool const saturated = parasail_result_is_saturated(result) != 0;
        parasail_cigar_t * cigar = nullptr;
        if (task_.output == Output::cigar && !saturated)
            cigar = parasail_result_get_cigar(result, query.c_str(), query_length, target.c_str(), target_length,
                                              matrix_.use);
        if (keep) {
            Alignment alignment;
            alignment.score = score;
            if (cigar) {
                alignment.query_begin = static_cast<std::size_t>(cigar->beg_query);
                alignment.target_begin = static_cast<std::size_t>(cigar->beg_ref);
                alignment.query_end = static_cast<std::size_t>(parasail_result_get_end_query(result)) + 1;
                alignment.target_end = static_cast<std::size_t>(parasail_result_get_end_ref(result)) + 1;
                alignment.runs.assign(cigar->seq, cigar->seq + cigar->len);
                trim(alignment, target.size());
            }
            keep->push_back(std::move(alignment));
        }
        if (cigar)
            parasail_cigar_free(cigar);
        parasail_result_free(result);
        return score;
    }

    // Semi-global CIGARs spell the free target ends out as deletions; the common form leaves them out.
    void trim(Alignment & alignment, std::size_t target_length) const
    {
        if (task_.span != Span::semi_global)
            return;
        alignment.target_begin = 0;
        alignment.target_end = target_length;
        auto & runs = alignment.runs;
        if (!runs.empty() && (runs.front() & 15u) == bam::deletion) {
            alignment.target_begin += runs.front() >> 4;
            runs.erase(runs.begin());
        }
        if (!runs.empty() && (runs.back() & 15u) == bam::deletion) {
            alignment.target_end -= runs.back() >> 4;
            runs.pop_back();
        }
    }

    Task task_;
    Pairs const & pairs_;
    MatrixOwner matrix_;
    int open_, extend_;
    parasail_function_t * function_ = nullptr;
};

class Parasail final : public Peer {
public:
    explicit Parasail(Variant variant) : variant_{variant} {}

    std::string name() const override
    {
        return std::string{"parasail-"} + variant_.kernel + std::to_string(variant_.bits);
    }

    std::string refusal(Task const & task, Shape const & shape) const override
    {
        if (task.scheme == Scheme::edit)
            return "edit distance is timed with edlib and WFA2";
        if (variant_.kernel == std::string_view{"diag"} && task.span != Span::global)
            return "sw_diag and sg_diag return wrong scores in Debian's build";
        double const cells = static_cast<double>(shape.query) * static_cast<double>(shape.target);
        if (task.output == Output::cigar && cells * variant_.bits / 8 > 4e9)
            return "trace table of 1 to 4 bytes per cell does not fit";
        if (cells > 2e10)
            return "would take minutes; score rows end at 100 kb";
        if (variant_.bits == 16 && task.scheme == Scheme::dna && 2 * std::min(shape.query, shape.target) > 32767)
            return "16 bits cannot hold the score";
        if (variant_.bits == 32 && shape.pairs > 1)
            return "16 bits suffice for this batch and are faster";
        return {};
    }

    std::string known_defect(Task const & task, Shape const &) const override
    {
        if (task.span == Span::local && task.output == Output::cigar)
            return "local CIGAR gains a leading deletion when the alignment begins at query position 0";
        if (variant_.bits == 16)
            return "16-bit score saturates";
        return {};
    }

    std::unique_ptr<Session> open(Task const & task, Pairs const & pairs) const override
    {
        return std::make_unique<ParasailSession>(task, pairs, variant_);
    }

private:
    Variant variant_;
};

} // namespace

void add_parasail(Peers & peers)
{
    for (Variant variant : {Variant{"scan", 16}, Variant{"striped", 16}, Variant{"diag", 16}, Variant{"scan", 32},
                            Variant{"striped", 32}, Variant{"diag", 32}})
        peers.push_back(std::make_unique<Parasail>(variant));
}

} // namespace performance
