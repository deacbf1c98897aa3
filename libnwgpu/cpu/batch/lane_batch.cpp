// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/lane_batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "path/most_score.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t usual_trace = 4 << 20; // bytes

// Of scores of longer pairs than usual in 16 bits, the part of all cells that a band may have: with more of them, each
// pair alone is quicker.
constexpr double most_cells_in_16_bits = 0.4;

// One group of so many tells what pairs lose: a look costs a hundredth of the group's time.
constexpr std::uint64_t groups_per_look = 4;

// Beyond the ends of a lane stand two letters that differ from each other.
constexpr std::uint8_t query_padding = 254, target_padding = 255;

bool has_padding_letter(std::uint8_t const * letters, std::uint64_t n)
{
    return std::memchr(letters, query_padding, n) != nullptr || std::memchr(letters, target_padding, n) != nullptr;
}

} // namespace

LaneRules::LaneRules(Scheme const & scheme, KernelTable const & kernels, Request const & request,
                     std::uint64_t most_trace, bool long_ones) :
    scheme_{scheme},
    request_{request},
    most_trace_{most_trace > 0 ? most_trace : usual_trace},
    long_ones_{long_ones && !request.every_cell}
{
    if (!scheme.scoring().is_uniform())
        return; // both letters differ from lane to lane: a lookup per cell and lane costs more than it saves
    if (request.mode.may_be_empty() || scheme.reduced().lanes.block > 0)
        lanes8_ = kernels.lanes;
    paths_ = long_ones_ && request.output >= Output::span && LanePaths::takes(scheme, request.mode);
}

bool LaneRules::takes(PairView const & pair) const
{
    if (lanes8_ == 0 || std::max(pair.m, pair.n) > (long_ones_ ? max_letters : usual_letters) ||
        !(paths_ || fits(pair.m, pair.n)))
        return false;
    if (!request_.mode.may_be_empty())
        return true;
    if (has_padding_letter(pair.query, pair.m) || has_padding_letter(pair.target, pair.n))
        return false;
    return request_.mode.extend ? fits_extend(16, pair.m) : top_score(pair.m, pair.n) - local_floor(16) < 32000;
}

int LaneRules::width(std::uint64_t rows, std::uint64_t cols) const
{
    // Of a best cell the kernels for 8 bits also count rows in 8 bits.
    Mode const & mode = request_.mode;
    bool const narrow =
        !mode.may_be_empty() ||
        (rows <= 256 && (mode.extend ? fits_extend(8, rows) : local_floor(8) + top_score(rows, cols) <= 127));
    return narrow ? 8 : 16;
}

// All scores that matter, and each step.
bool LaneRules::fits_extend(int width, std::uint64_t rows) const
{
    ScoreScheme const & scheme = scheme_.reduced();
    std::int64_t const most = (std::int64_t{1} << width) - 1,
                       step = scheme.match + std::max(scheme.open + scheme.extend, -scheme.mismatch);
    return static_cast<std::int64_t>(rows) * scheme.match <= most && step <= most / 2;
}

bool LaneRules::fits(std::uint64_t rows, std::uint64_t cols) const
{
    return request_.output < Output::span ||
           lane_trace_bytes(rows, cols, planes(), static_cast<std::uint64_t>(lanes(rows, cols))) <= most_trace_;
}

std::uint64_t LaneRules::workspace(std::uint64_t longest) const
{
    std::uint64_t const lanes = max_lanes;
    std::uint64_t const letters = 2 * (longest + 16) * lanes, state = 3 * longest * lanes;
    std::uint64_t const trace =
        request_.output >= Output::span ? std::min(most_trace_, lane_trace_bytes(longest, longest, 5, lanes)) : 0;
    std::uint64_t const runs = 2 * longest * sizeof(std::uint32_t); // as they grow, and of the answer
    return letters + state + trace + (paths_ ? LanePaths::workspace(longest) : 0) + 4 * runs + sizeof(LaneBatch) + 1024;
}

// Below the floor lie the costs of one step from it: no more than one opened gap that goes on, or one mismatch.
std::int64_t LaneRules::local_floor(int width) const
{
    ScoreScheme const & scheme = scheme_.reduced();
    std::int64_t const below = std::max(scheme.open + 2 * scheme.extend, -scheme.mismatch);
    return width == 8 ? below - 128 : -below;
}

LaneBatch::LaneBatch(Scheme const & scheme, KernelTable const & kernels, Request const & request,
                     LaneRules const & rules, LaneLosses & losses, LocatedPairs & located, Bands bands) :
    scheme_{scheme},
    kernels_{kernels},
    request_{request},
    rules_{rules},
    losses_{losses},
    bands_{request.every_cell ? Bands::never : bands},
    paths_{scheme, kernels, request, bands == Bands::always, located, alone_}
{}

void LaneBatch::align(Piece const & piece, std::span<std::uint32_t const> which, AnswerWriter & writer)
{
    group_ = which;
    begin(piece, which);
    if (in_doubt_ && bands_ != Bands::always && !losses_.may_look())
        return give_up_group();
    std::size_t const alone_before = alone_.count;
    path::Band const band = expected_band();
    compute(band);
    bool const learns =
        bands_ == Bands::where_quicker && (groups_++ % groups_per_look == 0 || (in_doubt_ && losses_.expected() >= 1));
    LaneLosses::Seen seen[max_lanes];
    for (std::size_t k = 0; k < count_; ++k, group_ = group_.subspan(1)) {
        std::int64_t const score = score_[k] * scheme_.unit();
        path::Band needed;
        if (learns || !band.everything())
            needed = band_of(k, score);
        if (learns) {
            auto const most = static_cast<double>(most_score(k));
            seen[k] = {(most - static_cast<double>(score)) / std::max(1.0, std::abs(most)),
                       cells_in_band(rows_, cols_, needed)};
        }
        if (band.everything() || (band.low <= needed.low && needed.high <= band.high))
            put(piece, which[k], k, writer);
        else
            open_[open_count_++] = {which[k], score};
    }
    if (learns)
        losses_.learn({seen, count_}, static_cast<double>(rows_ * cols_));
    if (in_doubt_)
        losses_.end_look(2 * (alone_.count - alone_before) > count_ || is_slow_in_16_bits());
    for (; open_count_ > 0; --open_count_)
        wait(piece, open_[open_count_ - 1], writer);
}

void LaneBatch::give_up_group()
{
    for (; !group_.empty(); group_ = group_.subspan(1))
        alone_.add(group_.front());
}

void LaneBatch::give_up()
{
    if (in_doubt_ && !group_.empty())
        losses_.end_look(true);
    give_up_group();
    for (; open_count_ > 0; --open_count_)
        alone_.add(open_[open_count_ - 1].which);
    for (; waiting_done_ < waiting_count_; ++waiting_done_)
        alone_.add(waiting_[waiting_done_].which);
    forget_waiting();
    paths_.give_up();
}

// Beside others for which the lanes are made as for it; if there are none, those go first.
void LaneBatch::wait(Piece const & piece, Open const & open, AnswerWriter & writer)
{
    PairView const pair = piece.batch.view(piece.pairs[open.which]);
    std::uint64_t rows = std::max(waiting_rows_, pair.m), cols = std::max(waiting_cols_, pair.n);
    if (waiting_count_ > 0 && !rules_.may_join(pair.m, pair.n, waiting_count_, rows, cols)) {
        align_waiting(piece, writer);
        rows = pair.m;
        cols = pair.n;
    }
    waiting_rows_ = rows;
    waiting_cols_ = cols;
    waiting_[waiting_count_++] = open;
}

void LaneBatch::align_waiting(Piece const & piece, AnswerWriter & writer)
{
    if (waiting_count_ == 0)
        return;
    std::uint32_t which[max_lanes];
    std::transform(waiting_, waiting_ + waiting_count_, which, [](Open const & pair) { return pair.which; });
    begin(piece, {which, waiting_count_});
    compute(band_of_all([&](std::size_t k) { return waiting_[k].score; }));
    for (std::size_t k = 0; k < count_; ++k, ++waiting_done_) {
        std::int64_t const known = waiting_[k].score;
        if (known >= request_.min_score && score_[k] * scheme_.unit() < known)
            throw Error{Status::internal, "a pair scores less in a wider band"};
        put(piece, waiting_[k].which, k, writer);
    }
    forget_waiting();
}

std::int64_t LaneBatch::most_score(std::size_t lane) const
{
    return path::most_score(pairs_[lane].m, pairs_[lane].n, scheme_.scoring(), request_.mode);
}

// The diagonals of all best paths of a pair that has this score at least.
path::Band LaneBatch::band_of(std::size_t lane, std::int64_t score) const
{
    if (bands_ == Bands::never)
        return {};
    return path::proven_band(pairs_[lane], request_.mode, scheme_.scoring(), std::max(score, request_.min_score));
}

template <class ScoreOf>
path::Band LaneBatch::band_of_all(ScoreOf const & score_of) const
{
    path::Band band = band_of(0, score_of(0));
    for (std::size_t k = 1; k < count_; ++k)
        band = band.with(band_of(k, score_of(k)));
    return band;
}

// Of a group whose pairs lose what groups before let expect.
path::Band LaneBatch::expected_band() const
{
    double const lost = bands_ == Bands::always ? 0 : losses_.expected();
    if (bands_ == Bands::never || lost >= 1)
        return {};
    return band_of_all([&](std::size_t k) {
        std::int64_t const most = most_score(k);
        return most - static_cast<std::int64_t>(lost * static_cast<double>(std::abs(most)));
    });
}

bool LaneBatch::is_slow_in_16_bits() const
{
    double const all = static_cast<double>(rows_) * static_cast<double>(cols_);
    return width_ == 16 && cells_in_band(rows_, cols_, expected_band()) > most_cells_in_16_bits * all;
}

void LaneBatch::begin(Piece const & piece, std::span<std::uint32_t const> which)
{
    rows_ = cols_ = 0;
    count_ = which.size();
    for (std::size_t k = 0; k < count_; ++k) {
        pairs_[k] = piece.batch.view(piece.pairs[which[k]]);
        rows_ = std::max(rows_, pairs_[k].m);
        cols_ = std::max(cols_, pairs_[k].n);
    }
    width_ = rules_.width(rows_, cols_);
    lanes_ = static_cast<std::uint64_t>(rules_.lanes(rows_, cols_));
    paths_later_ = !rules_.fits(rows_, cols_);
    in_doubt_ = paths_later_ || (width_ == 16 && std::max(rows_, cols_) > LaneRules::usual_letters);
}

void LaneBatch::compute(path::Band const & band)
{
    load_letters();
    Mode const & mode = request_.mode;
    if (mode.extend)
        align_extend(band);
    else if (mode.begins_anywhere())
        align_local(band);
    else
        align_global(band);
}

// Its answer, if it has one by now.
void LaneBatch::put(Piece const & piece, std::uint32_t which, std::size_t lane, AnswerWriter & writer)
{
    if (locate(lane)) {
        if (paths_later_) {
            paths_.add(piece, which, answer_.score, answer_.span);
            return;
        }
        walk(lane);
    }
    writer.put(piece.pairs[which], answer_);
}

// Its score, and where it ends.  Whether there is a path to look for.
bool LaneBatch::locate(std::size_t lane)
{
    Mode const & mode = request_.mode;
    answer_.score = score_[lane] * scheme_.unit();
    answer_.runs.clear();
    if (answer_.score < request_.min_score) // its status is all
        return false;
    auto const row = static_cast<std::uint64_t>(end_row_[lane]), col = static_cast<std::uint64_t>(end_col_[lane]);
    PairView const & pair = pairs_[lane];
    if (!mode.may_be_empty()) {
        answer_.span.query_end = row;
        answer_.span.target_end = col;
        return request_.output >= Output::span;
    }
    answer_.span = empty_span(pair.m, pair.n, mode);
    if (answer_.score == 0 || request_.output == Output::score)
        return false;
    answer_.span.query_end = mode.ends_anywhere() ? row + 1 : pair.m;
    answer_.span.target_end = mode.ends_anywhere() ? col + 1 : pair.n;
    return request_.output >= Output::span;
}

void LaneBatch::load_letters()
{
    cpu::load_letters(kernels_, {pairs_, count_}, static_cast<int>(lanes_),
                      {rows_, cols_, query_padding, target_padding, rows_of_, cols_of_,
                       query_.grow((rows_ + 16) * lanes_), target_.grow((cols_ + 16) * lanes_)});
}

// What all kernels want to know.
void LaneBatch::describe(LaneGroup & group, path::Band const & band)
{
    group.rows = rows_;
    group.cols = cols_;
    group.query = query_.data();
    group.target = target_.data();
    group.set_band(band.low, band.high);
    group.keep_rows(group.low, group.high);
    if (request_.output >= Output::span && !paths_later_)
        group.trace = trace_.grow(lane_trace_bytes(group.kept_rows, cols_, rules_.planes(), lanes_));
    trace_of_ = group;
}

void LaneBatch::align_global(path::Band const & band)
{
    Mode const & mode = request_.mode;
    BatchGlobalGroup group;
    describe(group, band);
    group.scheme = &scheme_.reduced();
    group.rows_of = rows_of_;
    group.cols_of = cols_of_;
    group.free_top = mode.free_target_begin;
    group.free_left = mode.free_query_begin;
    group.free_bottom = mode.free_target_end;
    group.free_right = mode.free_query_end;
    group.state = state_.grow(group.state_bytes(rows_, lanes_));
    group.score = score_;
    group.end_row = end_row_;
    group.end_col = end_col_;
    kernels_.batch_global(group);
}

// Cells beyond the ends of a lane never count: they score no more than the cells of the pair that they come from, since
// their columns hold at least one padding letter, which equals no letter (LaneRules::takes).
void LaneBatch::align_local(path::Band const & band)
{
    BatchLocalGroup group;
    describe(group, band);
    group.scheme = &scheme_.reduced();
    group.width = width_;
    group.floor = width_ == 8 ? rules_.local_floor(8) : 0;
    group.find_end = request_.output > Output::score;
    if (!request_.mode.ends_anywhere()) {
        group.rows_of = rows_of_;
        group.cols_of = cols_of_;
    }
    group.state = state_.grow(2 * rows_ * lanes_ * static_cast<std::uint64_t>(width_) / 8);
    group.best = score_;
    group.best_row = end_row_;
    group.best_col = end_col_;
    kernels_.batch_local(group);
}

// As align_local(): nor do they count here.
void LaneBatch::align_extend(path::Band const & band)
{
    BatchExtendGroup group;
    describe(group, band);
    group.scheme = &scheme_.reduced();
    group.width = width_;
    group.find_end = request_.output > Output::score;
    group.state = state_.grow(2 * rows_ * lanes_ * static_cast<std::uint64_t>(width_) / 8);
    group.best = score_;
    group.best_row = end_row_;
    group.best_col = end_col_;
    kernels_.batch_extend(group);
}

void LaneBatch::walk(std::size_t lane)
{
    Mode const & mode = request_.mode;
    bool is_outside = false; // never: rows of all best paths have bits
    LaneBits const bits{trace_of_, pairs_[lane], lanes_, lane, rules_.planes(), is_outside};
    path::Cursor cursor{answer_.span.query_end, answer_.span.target_end};
    cigar_.clear(); // of a walk for which memory was short
    path::walk(bits, 0, 0, pairs_[lane], request_.style, mode.begins_anywhere(), cursor, cigar_);
    path::finish(mode, cursor, cigar_, answer_);
}

} // namespace nwgpu::cpu
