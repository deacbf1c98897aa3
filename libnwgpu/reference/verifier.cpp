// SPDX-License-Identifier: BSD-3-Clause
// The verifier behind nwgpu_cigar_score: adds up what a CIGAR costs.  Shares nothing with the engines but Scoring.
#include <string>

#include "base/error.hpp"
#include "model/cigar.hpp"
#include "reference/oracle.hpp"

namespace nwgpu::reference {

namespace {

[[noreturn]] void fail(std::size_t run, std::string const & what)
{
    throw Error{Status::invalid_argument, "CIGAR run " + std::to_string(run) + " " + what};
}

bool consumes_query(CigarOp op) { return op != CigarOp::deletion; }
bool consumes_target(CigarOp op) { return op != CigarOp::insertion; }
bool is_gap(CigarOp op) { return op == CigarOp::insertion || op == CigarOp::deletion; }

bool is_known(CigarOp op)
{
    return is_gap(op) || op == CigarOp::match || op == CigarOp::equal || op == CigarOp::different;
}

} // namespace

std::int64_t cigar_score(PairView const & pair, Scoring const & scoring, std::span<std::uint32_t const> runs)
{
    std::int64_t score = 0;
    std::uint64_t i = 0, j = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        CigarOp const op = run_op(runs[r]);
        std::uint32_t const length = run_length(runs[r]);
        if (!is_known(op) || length == 0)
            fail(r, "is empty or none of M I D = X");
        if ((consumes_query(op) && length > pair.m - i) || (consumes_target(op) && length > pair.n - j))
            fail(r, "goes past the end of a sequence");

        if (is_gap(op)) {
            // Equal neighbours are one gap that was too long for one run.
            bool const opens = r == 0 || run_op(runs[r - 1]) != op;
            score -= length * scoring.gap().extend + (opens ? scoring.gap().open : 0);
        } else {
            for (std::uint64_t k = 0; k < length; ++k) {
                std::uint8_t const query = pair.query[i + k];
                std::uint8_t const target = pair.target[j + k];
                if ((op == CigarOp::equal && query != target) || (op == CigarOp::different && query == target))
                    fail(r, "says = or X where that does not hold");
                score += scoring.score(query, target);
            }
        }
        i += consumes_query(op) ? length : 0;
        j += consumes_target(op) ? length : 0;
    }
    if (i != pair.m || j != pair.n)
        throw Error{Status::invalid_argument, "the CIGAR does not cover both sequences"};
    return score;
}

} // namespace nwgpu::reference
