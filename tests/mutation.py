#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Do the tests bite?  Breaks one line at a time in a scratch copy of the project, and demands that the tests of that
part fail.  The stage `mutation` of run.sh, not part of CI: each mutation compiles its part again.

usage: mutation.py SCRATCH_FOLDER [NUMBER ...]     numbers count the list, from 0
       mutation.py --check                         only whether the sources have each line that the list breaks"""

import argparse
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent

# File, what stands there, what stands there instead, what goes wrong then.
MUTATIONS = [
    ("libnwgpu/path/walk.hpp", "else if (!floored || bits.horizontal(i, j))", "else if (true)", "a local path never stops"),
    ("libnwgpu/path/walk.hpp", "n = add_diagonals(", "n = bits.vertical(i, j) ? 0 : add_diagonals(", "tie: up before diagonal"),
    ("libnwgpu/cpu/batch/lane_letters.hpp", "equal = equal << run << 1;", "equal = equal << run << 1 | 1;", "letters beyond the 64 that were compared are equal"),
    ("libnwgpu/path/end.hpp", "score <= result_.score", "score < result_.score", "tie: last free end instead of the first"),
    ("libnwgpu/path/band.cpp", "(base_ - score) / step_ + 1)", "(base_ - score) / step_)", "a proven band one too narrow"),
    ("libnwgpu/cpu/pair/align_strips.cpp", "half_width && tried.holds(band) && (!needs_path", "half_width && (!needs_path", "a score of too narrow a band is taken for proven"),
    ("libnwgpu/cpu/pair/word_band.cpp", "back = excursions.anywhere() / (of_query + of_target);", "back = excursions.anywhere() / (of_query + of_target) / 3;", "paths that leave a band of words and come back"),
    ("libnwgpu/cpu/pair/word_band.cpp", "excursions.at_begin() / of_target", "excursions.at_begin() / of_query / 2", "paths that begin beside a band of words"),
    ("libnwgpu/cpu/kernels/scheme.cpp", "best + 2 * open - worst <= 128", "best + 2 * open - worst <= 150", "8-bit differences overflow"),
    ("libnwgpu/cpu/kernels/scheme.cpp", "best + 2 * extend + open <= 127", "best + 2 * extend <= 128", "the same at their upper end"),
    ("libnwgpu/cpu/pair/sweep.hpp", "std::fill_n(top.second, next - high, top.second[-1]);", "", "differences beside a band overflow"),
    ("libnwgpu/cpu/kernels/scheme.cpp", "below + above <= 255)\n            return", "below + above <= 262)\n            return", "8-bit local scores overflow"),
    ("libnwgpu/cpu/batch/lane_batch.cpp", "top_score(rows, cols) <= 127", "top_score(rows, cols) <= 128", "the same in lanes"),
    ("libnwgpu/cpu/kernels/scheme.cpp", "+ open <= 255)", "+ open <= 262)", "the same in lanes with global ends"),
    ("libnwgpu/cpu/kernels/batch_global.cpp", "hn::Gt(opened, from_above)", "hn::Eq(hn::Max(opened, from_above), opened)", "tie: insertions open before they extend, in lanes"),
    ("libnwgpu/cpu/kernels/batch_global.cpp", "left_shift = hn::Sub(old_corner, seen);", "", "rows of a lane keep the base of the columns before"),
    ("libnwgpu/cpu/kernels/scheme.cpp", "8 * (open + extend) + 8", "0", "no margin below the 16-bit limit"),
    ("libnwgpu/cpu/kernels/strip_diff.cpp", "hn::Eq(z, s)", "hn::Eq(t, s)", "the diagonal attains H where only F does"),
    ("libnwgpu/cpu/kernels/strip_local.cpp", "hn::Eq(new_h, from_diagonal)", "hn::Eq(t, from_diagonal)", "the same, local"),
    ("libnwgpu/cpu/kernels/path_tile.cpp", "hn::Gt(from_t, a)", "hn::Eq(hn::Max(from_t, a), from_t)", "tie: deletions open before they extend"),
    ("libnwgpu/cpu/kernels/path_tile.cpp", "hn::Eq(h, e)", "hn::Eq(e, e)", "a local path of bytes never stops"),
    ("libnwgpu/cpu/pair/path_finder.hpp", "j <= tile_->col_begin", "j < tile_->col_begin", "a gap is looked up beside its tile"),
    ("libnwgpu/cpu/kernels/strip_scan.cpp", "in.gap = hn::Max(in.gap, t);", "", "insertions end with their lane"),
    ("libnwgpu/cpu/kernels/strip_scan.cpp", "score == best_ && col < best_col_", "score == best_ && col > best_col_", "tie: last local end"),
    ("libnwgpu/cpu/kernels/scheme.cpp", "rest = (1 << 16) - 1", "rest = (1 << 16) + 9000", "numbers of all lanes overflow"),
    ("libnwgpu/cpu/kernels/strip_score.cpp", "hn::Gt(from_h, e[r])", "hn::Ge(from_h, e[r])", "the same, 16 to 64 bits"),
    ("libnwgpu/cpu/kernels/strip_score.cpp", "std::min(strip.best_col,", "std::max(strip.best_col % strip.cols,", "tie: last local end"),
    ("libnwgpu/cpu/pair/sweep.hpp", "corner = next_corner;", "", "tiles use the corner of the first"),
    ("libnwgpu/cpu/pair/pair_plan.cpp", "trace_bytes(field, pair.rows, pair.cols) <= static_cast<double>(default_trace_bytes)", "true", "diagonals are kept where they do not fit"),
    ("libnwgpu/cpu/pair/kept_line.hpp", "corners_[cell / block_ - begin / block_] = before;", "corners_[0] = before;", "blocks of kept lines begin with another's score"),
    ("libnwgpu/cpu/pair/kept_line.hpp", "cell % block_ == 0 || cell == begin)", "cell % block_ == 0)", "so do lines that begin within a block"),
    ("libnwgpu/cpu/pair/skipping.hpp", "return score < most;", "return score <= most;", "tie: equal best paths are skipped"),
    ("libnwgpu/cpu/pair/skipping.hpp", "rest(row + k + 1, col) >= known", "rest(row + k + 1, col) > known", "the same behind the end of a strip"),
    ("libnwgpu/cpu/pair/skipping.hpp", "if (rest(row, col) >= known)", "if (false)", "paths that begin behind the end of a strip are skipped"),
    ("libnwgpu/cpu/pair/sweep.hpp", "goes_on ? state.corner - field_.extend() :", "goes_on ? state.corner - field_.extend() - 20 :", "gaps open again along an edge"),
    ("libnwgpu/cpu/pair/sweep.hpp", "edge = left_of(s).second[-1];", "edge = left_of(s).second[-1] - 20;", "the same behind the end of a strip"),
    ("libnwgpu/cpu/pair/scores_between.cpp", "scores_[part.path] += part.score", "scores_[part.path] += part.score + 1", "a path scores more than its parts"),
    ("libnwgpu/cpu/landmarks/landmark_row.cpp", "most_behind[k + 2] + bound.word < low", "most_behind[k + 2] + bound.word <= low", "tie: a path does without a word, at the same cost"),
    ("libnwgpu/cpu/landmarks/landmark_row.cpp", "places.count[word] == 1;", "places.count[word] >= 1;", "words that occur elsewhere, too, are landmarks"),
    ("libnwgpu/cpu/landmarks/landmark_row.cpp", "at_begin + in_part", "at_begin - bound.word", "a path begins beside a word that it is to cross"),
    ("libnwgpu/cpu/landmarks/landmark_row.cpp", "high = most[begin / words_of_piece + 1];", "high = INT64_MIN;", "a piece does not know of the balances behind the next one"),
    ("libnwgpu/cpu/landmarks/landmark_row.cpp", "low = least[k / words_of_piece];", "low = INT64_MAX;", "a piece does not know of the balances before it"),
    ("libnwgpu/cpu/landmarks/landmark_row.cpp", "std::int64_t lost = lost_of_pieces[word / words_of_piece] +", "std::int64_t lost =", "a piece does not count words that were lost before it"),
    ("libnwgpu/align/auto_backend.cpp", "return lost_ ? EngineChoice{} :", "return false ? EngineChoice{} :", "after a GPU was lost similar pairs are still tried before others"),
    ("libnwgpu/align/auto_backend.cpp", "missed.part_of_cpu * seconds.count()", "seconds.count()", "what pairs take that no GPU has sooner counts for its start"),
    ("libnwgpu/cpu/work_means.cpp", "memory_ == 0 || bytes <= most)", "memory_ == 0 || bytes <= most / 1000)", "under a limit all cells of similar pairs are computed"),
    ("libnwgpu/cpu/work_means.cpp", "room_for_landmarks(pair, threads, for_pairs_, ", "room_for_landmarks(pair, threads, 1, ", "under a limit many threads compute all cells of similar pairs"),
    ("libnwgpu/path/common_words.cpp", "all.back().j < row->front().j", "true", "rows of pieces are joined that do not go up"),
    ("libnwgpu/cpu/landmarks/landmark_row.cpp", "beside_insertions - letters * inserted", "-letters * inserted", "inserted letters do not touch words"),
    ("libnwgpu/cpu/landmarks/landmark_row.cpp", "{1, cost - losses_.extend, losses_.extend}", "{1, cost, losses_.extend}", "a deleted letter pays for itself and a word"),
    ("libnwgpu/cpu/landmarks/landmark_row.cpp", "== (bound.diagonal > 0)", "!= (bound.diagonal > 0)", "free ends have a diagonal"),
    ("libnwgpu/cpu/landmarks/boxes.cpp", "known_of_parts_.push_back(known[k])", "known_of_parts_.push_back(known[k] + 20)", "a band is too narrow for what lies between words"),
    ("libnwgpu/cpu/landmarks/free_ends.hpp", "loss / losses_.extend) + 1", "loss / 1000)", "letters that a path uses are cut off"),
    ("libnwgpu/cpu/landmarks/free_ends.cpp", "square.j, letters) == letters;", "square.j, letters) >= letters / 2;", "a begin that is not equal counts as that"),
    ("libnwgpu/cpu/landmarks/landmark_row.cpp", "losses.push_back(std::exchange(loss, 0));", "losses.push_back(std::exchange(loss, 0) / 2);", "a path loses less than it does"),
    ("libnwgpu/cpu/landmarks/align_along_changes.cpp", "while (last > first && !row_.is_crossed(last - 1))", "while (false)", "the last word counts as proven"),
    ("libnwgpu/cpu/landmarks/align_along_changes.cpp", "if (ends_.may_begin_earlier(begin.answer.score))", "if (false)", "a prefix of score 0 is lost"),
    ("libnwgpu/cpu/pair/word_places.cpp", "letters - 1, -far, far", "letters - 3, -far, far", "places of words are overlooked"),
    ("libnwgpu/cpu/pair/similar_part.cpp", "{begin.i + overlap, begin.j + overlap}", "{begin.i + 0 * overlap, begin.j}", "letters of the target are in two parts"),
    ("libnwgpu/path/band.cpp", "lost / (match + gap.extend)) + 1)", "lost / (match + gap.extend)) - 1)", "the same with free ends, and a path leaves the cells that are left"),
    ("libnwgpu/cpu/pair/last_row.hpp", "if (extent.columns(above, first, 0, pair.n).second < pair.n)", "if (true)", "ends in the last column above the last strip are forgotten"),
    ("libnwgpu/cpu/furthest/one_diagonal.hpp", "extend + open / 2", "extend + open", "an insertion changes two words"),
    ("libnwgpu/cpu/top/top_region.hpp", "before = start.top.first[begin + n - 1];", "", "the same where boundaries of a tile are others now"),
    ("libnwgpu/cpu/pair/pair_plan.cpp", "allocated(trace + trace_alignment) +\n", "\n", "the plan of a path forgets its trace"),
    ("libnwgpu/cpu/pair/pair_plan.cpp", "memory.walk(largest_block(field, plan, pair)) + cigar);", "memory.walk(largest_block(field, plan, pair)));", "the plan forgets the CIGAR"),
    ("libnwgpu/cpu/work.cpp", "std::max<std::uint64_t>(1, memory_ / at_once(piece, threads_))", "memory_", "threads do not share the limit"),
    ("libnwgpu/cpu/queue.cpp", "        task.refused = true;\n", "", "a pair that lacks memory beside others is forgotten"),
    ("libnwgpu/cpu/furthest/furthest_walk.hpp", "longest = length;", "return length;", "tie: the shortest gap"),
    ("libnwgpu/cpu/furthest/furthest_walk.hpp", "attains_with_mismatch(i, j, s)) {", "attains_with_mismatch(i, j, s) && longest_gap(i, j, s, true) == 0) {", "tie: an insertion before a mismatch"),
    ("libnwgpu/cpu/furthest/furthest_walk.hpp", "front.columns < static_cast<std::int64_t>(j)", "front.columns <= static_cast<std::int64_t>(j)", "gaps are no longer looked for where they may be"),
    ("libnwgpu/cpu/furthest/fronts.cpp", "low = end - left / f_.extend;", "low = end - left / f_.extend + 1;", "a diagonal on the way to the end is left out"),
    ("libnwgpu/cpu/furthest/fronts.cpp", "m = hn::Min(m, hn::LoadU(d, limits_ + k));", "", "points beyond the end of a diagonal"),
    ("libnwgpu/cpu/furthest/equal_letters-inl.hpp", "from = reach + 8;", "from = reach + 9;", "a letter is not compared"),
    ("libnwgpu/cpu/furthest/fronts.cpp", "|| f_.s + f_.extend >= f_.until)", ")", "how far fronts came is not known inside a gap's letter"),
    ("libnwgpu/cpu/furthest/kept_fronts.cpp", "fronts.most = s;", "fronts.most = s - 2 * penalties_.extend;", "windows of fronts that are too narrow"),
    ("libnwgpu/cpu/furthest/kept_fronts.cpp", "spacing / wider + 2 * rings)", "spacing / wider + 0 * rings)", "windows without room for a step"),
    ("libnwgpu/cpu/furthest/kept_fronts.cpp", "fronts.columns = from.columns;", "fronts.columns = 0;", "how far fronts came before a snapshot is lost"),
    ("libnwgpu/cpu/furthest/furthest_plan.cpp", "width == 16 ? UINT16_MAX : UINT32_MAX", "2 * UINT16_MAX", "numbers of 16 bits overflow"),
    ("libnwgpu/cpu/furthest/fronts.hpp", "return s - wait() + words", "return s - wait() + 1 + words", "what waits for a step is left out"),
    ("libnwgpu/cpu/furthest/fronts.hpp", "passed - word - (often_before[passed] - often_before[word]);", "passed - word;", "words that occur often count as lost"),
    ("libnwgpu/cpu/furthest/fronts.cpp", "(f_.words.count > 0 ? f_.wait() : 0)", "0", "what waits for a step is too far from the end"),
    ("libnwgpu/cpu/furthest/seed_bound.cpp", "words.two = std::min(2 * words.one, penalties.open + 2 * penalties.extend);", "words.two = 2 * words.one;", "a gap that touches two words costs two changes"),
    ("libnwgpu/cpu/furthest/seed_bound.cpp", "(total / penalties.extend - std::abs(end)) / 2;", "(total / penalties.extend - std::abs(end)) / 2 - 1;", "words on the outermost diagonals are not found"),
    ("libnwgpu/cpu/furthest/seed_bound.cpp", "is_first ? static_cast<std::int32_t>(diagonal) : Words::often;", "static_cast<std::int32_t>(diagonal);", "a word that occurs twice is unique"),
    ("libnwgpu/cpu/furthest/kept_fronts.cpp", "fronts.words.total = end_.s - 1;", "fronts.words.total = end_.s - 2;", "windows leave out the path"),
    ("libnwgpu/cpu/furthest/kept_fronts.cpp", "fronts.words.passed = from.passed;", "", "windows take later words for passed"),
    ("libnwgpu/cpu/furthest/few_changes.cpp", "if (penalty > most)", "if (penalty > most + 1)", "more mismatches than two gaps are worth"),
    ("libnwgpu/cpu/furthest/place_proofs-inl.hpp", "beyond = std::max<std::int64_t>(0,", "beyond = 1 + 0 * std::max<std::int64_t>(0,", "fewer diagonals than paths of the same penalty have"),
    ("libnwgpu/cpu/furthest/place_proofs-inl.hpp", "first = std::max(place->clear, end + apart);", "first = end + apart;", "changes that another way to the next word explains"),
    ("libnwgpu/cpu/furthest/place_proofs-inl.hpp", "word.costs_more_than(place.cost - 1, job_.costs)", "word.costs_more_than(std::min<std::int64_t>(place.cost - 1, 31), job_.costs)", "many changes are proven as if they were few"),
    ("libnwgpu/cpu/furthest/place_proofs-inl.hpp", "apart_{letters(job.costs.open) + 1}", "apart_{0}", "words that a gap may touch at once"),
    ("libnwgpu/cpu/furthest/far_words.cpp", "place.is_elsewhere = place.is_elsewhere || is_far;", "place.is_elsewhere = false;", "far words that are somewhere else count as lost"),
    ("libnwgpu/cpu/furthest/far_words.cpp", "> job.limits.near;", "> job.limits.near + 20;", "far words on diagonals that are not looked at"),
    ("libnwgpu/cpu/furthest/far_words.hpp", "(left == 0 ? 0 : left <= one ? 1 : 2)", "0", "fewer far words than a place costs"),
    ("libnwgpu/cpu/furthest/separate_changes.cpp", ": change_ > gap_ ? unknown", ": change_ > 2 * gap_ ? unknown", "tie: two gaps in place of a mismatch"),
    ("libnwgpu/cpu/furthest/place_proofs-inl.hpp", "begin < first ||", "place->at < first ||", "words that overlap"),
    ("libnwgpu/cpu/furthest/separate_changes.cpp", "gap_changes_ > 0 ? first(more) : 0", "std::int64_t{0}", "mismatches that are worth a gap"),
    ("libnwgpu/cpu/furthest/separate_changes.cpp", "return at - std::min<std::int64_t>(most, std::countl_zero(bits));", "return at;", "tie: the gap nearest to the end"),
    ("libnwgpu/cpu/furthest/lost_word-inl.hpp", "| inserted | deleted;", "| inserted;", "words that deletions lead through"),
    ("libnwgpu/cpu/furthest/lost_word-inl.hpp", "part.low = part.high + 1 - 2 * aside;", "part.low = part.high + 1;", "gaps between parts of a band"),
    ("libnwgpu/cpu/furthest/close_changes-inl.hpp", "insertion = l;", "insertion = insertion > 0 ? insertion : l;", "close changes: the shortest insertion"),
    ("libnwgpu/cpu/furthest/one_diagonal.cpp", "if (equal.has_word())", "if (equal.has_word() && k > 99)", "equal letters on another diagonal do not count"),
    ("libnwgpu/cpu/furthest/one_diagonal.cpp", ".count == here", ".count >= here", "the inner sequence lies elsewhere as well"),
    ("libnwgpu/cpu/furthest/one_diagonal.cpp", "job.may_clip ? lost / losses.match : 0", "0 * losses.match", "words of letters that may be clipped"),
    ("libnwgpu/cpu/furthest/detours.cpp", "losses_.match * letters <= lost", "losses_.match * letters < lost", "tie: a mismatch that may be clipped"),
    ("libnwgpu/cpu/furthest/detours.cpp", "letters > run", "letters > 0", "a gap near an end, and equal letters behind it"),
    ("libnwgpu/cpu/furthest/detours.cpp", "std::int64_t gaps = 2;", "std::int64_t gaps = 3;", "two gaps in place of a mismatch"),
    ("libnwgpu/cpu/furthest/few_changes.cpp", "path.equal(before - more);", "path.equal(before);", "tie: the gap nearest to the end"),
    ("libnwgpu/cpu/furthest/bit_band.cpp", "low = -((most - end) / 2);", "low = -((most - end) / 2) + 1;", "a band of bits one too narrow"),
    ("libnwgpu/cpu/furthest/bit_group.cpp", "t <= g.above_end)", "t < g.above_end)", "the last column of the rows above is forgotten"),
    ("libnwgpu/cpu/batch/bit_batch.cpp", "return 2 * offset_of(pair, width) + 1 - apart(pair);", "return 2 * offset_of(pair, width) + 3 - apart(pair);", "a path may leave the band of bits"),
    ("libnwgpu/cpu/batch/band_group.cpp", "std::min(static_cast<std::uint64_t>(job_.high) - longer", "3 + std::min(static_cast<std::uint64_t>(job_.high) - longer", "a score of too narrow a band in lanes is taken for proven"),
    ("libnwgpu/cpu/batch/band_group.cpp", "answer_.score = score_[k] * scheme_.unit();", "answer_.score = score_[k] * scheme_.unit(), answered[members_[k].entry] = 1;", "pairs that have no second turn count as answered"),
    ("libnwgpu/cpu/batch/lane_letters.hpp", "            is_outside_ = true;\n", "", "bits that are not kept are read as 0"),
    ("libnwgpu/cpu/kernels/batch_global.cpp", "std::memcpy(state_.corner(rows_ / block_), state_.h(rows_ - 1), lanes);", "", "blocks that come into a band have an old corner"),
    ("libnwgpu/cpu/kernels/batch_global.cpp", "all(zero_ - 2 * open_));\n", "all(0));\n", "rows that come into a band are below what 8 bits hold"),
    ("libnwgpu/cpu/kernels/batch_global.cpp", "state_.base[lane] += state_.h(state_.first_block * block_ - 1)[lane] - zero_;", "state_.base[lane] += 1;", "the first block of a band has a wrong base"),
    ("libnwgpu/cpu/kernels/batch_global.cpp", "return rows_ < row_end && row_end <= end;", "return row_end < rows_ && end < row_end;", "a last row that comes into a band has the score of its border"),
    ("libnwgpu/cpu/kernels/lane_groups.hpp", "std::max(lowest, -all_diagonals) & -static_cast<std::int64_t>(batch_columns)", "std::max(lowest, -all_diagonals)", "a corner is a gap, and numbers leave 8 bits"),
    ("libnwgpu/cpu/kernels/batch_local.cpp", "first == 0 ? floor : hn::Load(d, hs + (first - 1) * lanes)", "floor", "the last diagonal of a band does not go on"),
    ("libnwgpu/cpu/kernels/batch_local.cpp", "row_index = all(static_cast<std::int64_t>(first));", "row_index = hn::Zero(d);", "rows of an end are counted from the band"),
    ("libnwgpu/cpu/kernels/batch_extend.cpp", "static_cast<std::int64_t>(first) * scheme.match;", "static_cast<std::int64_t>(first) * 0;", "an extension in a band begins with the score of its first row"),
    ("libnwgpu/cpu/kernels/batch_extend.cpp", "std::fill_n(hs + begin * lanes, (group.rows - begin) * lanes, std::numeric_limits<T>::min());", "std::fill_n(hs + begin * lanes, (group.rows - begin) * lanes, below<T>(0));", "rows that come into the band of an extension have a score"),
    ("libnwgpu/cpu/batch/lane_batch.cpp", "band.low <= needed.low && needed.high <= band.high", "band.low <= needed.low && needed.high <= band.high + 1", "a score of too narrow a band in lanes is taken for proven"),
    ("libnwgpu/cpu/batch/lane_batch.cpp", "band.low <= needed.low && needed.high <= band.high", "band.low <= needed.low + 1 && needed.high <= band.high", "the same on the other side"),
    ("libnwgpu/path/band.cpp", "std::max({std::int64_t{0}, longer, spare / step})", "std::max({std::int64_t{0}, longer, spare / step - 1})", "diagonals of a score are one too few"),
    ("libnwgpu/path/band.cpp", "(free_end ? 0 : longer * gap.extend)", "0", "gaps behind a diagonal are counted from it"),
    ("libnwgpu/path/band.cpp", "k = (match * other - gap.open - score) / gap.extend;", "k = (match * other - gap.open - score) / gap.extend - 1;", "diagonals before an end are one too few"),
    ("libnwgpu/path/band.cpp", "score) / (match + gap.extend));", "score) / (match + gap.extend) - 1);", "the same where all other letters are aligned"),
    ("libnwgpu/cpu/batch/lane_paths.cpp", "cut(begins_.free_target_begin, band.low)", "cut(begins_.free_target_begin, band.low + 1)", "a target is cut down too far"),
    ("libnwgpu/cpu/batch/lane_paths.cpp", "cut(begins_.free_query_begin, -band.high)", "cut(begins_.free_query_begin, 1 - band.high)", "a query is"),
    ("libnwgpu/cpu/batch/lane_paths.cpp", "shape.band.with(next.band)", "next.band", "the band of a group is that of its last pair"),
    ("libnwgpu/cpu/batch/lane_paths.cpp", "answer_.span.target_begin += located.target_begin;", "", "a begin is told of what is left of the target"),
    ("libnwgpu/cpu/work.cpp", "    align_lone_pairs(memory, writer, monitor);\n}", "}", "pairs that lanes give up have no answer"),
    ("libnwgpu/cpu/batch/bit_lanes.cpp", "outside_ = hn::ShiftRight<1>(outside_);", "", "rows stay above the matrix"),
    ("libnwgpu/cpu/batch/bit_lanes.cpp", "hn::AllTrue(d, hn::Eq(other, hn::Zero(d)))", "true", "letters of one number are equal"),
    ("libnwgpu/cpu/furthest/align_furthest.cpp", "fronts.most = bound.value_or(plan_.most_penalty);", "fronts.most = bound.value_or(plan_.most_penalty) - penalties_.extend;", "an upper bound that is too low"),
    ("libnwgpu/align/frame_limit.cpp", "runs_to_come_ = all.runs;", "runs_to_come_ = 0;", "a long pair takes the room of other CIGARs"),
    ("libnwgpu/align/frame_limit.cpp", "bytes_per_kept_run * (answers.run_count() + runs_to_come_)", "bytes_per_kept_run * runs_to_come_", "CIGARs of earlier pieces do not count"),
    ("libnwgpu/backend/known_score.cpp", "std::max<std::int64_t>(0, sum + (", "std::max<std::int64_t>(0, sum + piece.scoring.max_score() + (", "a known score that no alignment has"),
    ("libnwgpu/backend/known_score.cpp", "path::gap_score(gap, query_letters(k)) + path::gap_score(gap, target_letters(k));", "0 * path::gap_score(gap, query_letters(k));", "gaps cost nothing in a known score"),
    ("libnwgpu/path/empty.hpp", "mode.ties != Ties::first && all_equal", "mode.ties != Ties::first", "tie: the longest gap of an empty sequence"),
    ("libnwgpu/align/auto_backend.cpp", "std::back_inserter(open), [&](auto p) { return answers.is_open(p); }", "std::back_inserter(open), [](auto) { return true; }", "what a lost GPU has answered is computed again"),
    ("libnwgpu/cpu/pair/pair_memory.hpp", "grid(region, plan_.path_cuts, narrowest).all +", "", "the plan forgets the grids of blocks"),
    ("libnwgpu/cpu/pair/pair_memory.hpp", "1.5 * trace(region)", "0 * trace(region)", "the plan thinks that all blocks can be traced"),
    ("libnwgpu/cpu/pair/antidiagonals_plan.cpp", "most < 4e8 ? 32 : 64", "most < 4e9 ? 32 : 64", "scores of antidiagonals overflow"),
    ("libnwgpu/cpu/pair/antidiagonals_plan.cpp", "plan.bytes += kept_bytes();", "", "the plan forgets kept antidiagonals"),
    ("libnwgpu/path/most_runs.hpp", "3 * (m + n) / 4 + 2", "(m + n) / 2 + 2", "CIGARs have more runs than expected"),
    ("libnwgpu/checkpoint/slab_file.cpp", "{&slab.bottom, &slab.row_cuts, &slab.col_cuts})\n        sum", "{&slab.bottom, &slab.row_cuts})\n        sum", "column cuts may change"),
    ("libnwgpu/checkpoint/slab_file.cpp", "std::memcmp(&now, &header, sizeof now) != 0", "std::memcmp(&now, &header, 0) != 0", "a file is replaced during the run"),
    ("libnwgpu/checkpoint/slab_file.cpp", "if (rest > 0)", "if (false)", "a file with something behind its end"),
    ("libnwgpu/checkpoint/slab_file.cpp", "    } catch (...) {\n        std::remove(unfinished.c_str());", "    } catch (...) {", "what could not be written stays"),
    ("libnwgpu/checkpoint/problem.cpp", "sum.add(std::as_bytes(std::span{pair.target, pair.n}));", "", "other targets are resumed"),
    ("libnwgpu/checkpoint/problem.cpp", "sum.add(std::as_bytes(std::span{scoring.scores()}));", "", "other matrices are resumed"),
    ("libnwgpu/checkpoint/problem.cpp", "scoring.gap().open, scoring.gap().extend};", "scoring.gap().open + scoring.gap().extend};", "other gap costs are resumed"),
    ("libnwgpu/checkpoint/problem.cpp", "static_cast<std::int64_t>(mode.ties)};", "0};", "other ties are resumed"),
    ("libnwgpu/checkpoint/problem.cpp", "if (shape.cols != n_)", "if (false)", "a slab of other columns"),
    ("libnwgpu/checkpoint/problem.cpp", "shape.rows >= m_ - shape.row", "shape.rows > m_ - shape.row", "a slab with the last row, which is never saved"),
    ("libnwgpu/checkpoint/problem.cpp", "!is_array_of(sizes.col_cuts, shape.col_lines().entries, shape.entry_bytes)", "false", "column cuts of another size"),
    ("libnwgpu/checkpoint/folder.cpp", "if (numbers[k] != k)", "if (false)", "a slab is missing"),
    ("libnwgpu/checkpoint/folder.cpp", "shapes_.resize(headers_.size());\n            throw;", "throw;", "a slab that could not be written counts"),
    ("libnwgpu/checkpoint/folder.cpp", "pthread_sigmask(SIG_BLOCK, &all, nullptr);", "", "a full disk ends the process"),
    ("libnwgpu/checkpoint/folder.cpp", "stop_ = true; //", "wait(); //", "a full disk ends a run that is done"),
    ("libnwgpu/base/fingerprint.hpp", "step(lane_0, part.size());", "lane_0;", "lengths do not count"),
    ("libnwgpu/cpu/pair/align_slabs.cpp", "end.j < shape_.best_j", "end.j <= shape_.best_j", "tie: last of the ends in one column"),
    ("libnwgpu/cpu/pair/align_slabs.cpp", "|| end.j < shape_.best_j", "", "tie: an end of a later column"),
    ("libnwgpu/cpu/pair/align_slabs.cpp", "|| score > shape_.best_score)", "|| score >= shape_.best_score)", "tie: last end in the last column"),
    ("libnwgpu/align/auto_backend.cpp", "request.checkpoint.resume || !was_there", "request.checkpoint.resume && (was_there || !was_there)", "the CPU does not go on where the GPU was lost"),
    ("libnwgpu/align/auto_backend.cpp", "request.checkpoint.resume || !was_there", "was_there || !was_there", "the CPU resumes what nobody asked it to"),
    ("seqan_adapter/include/nwgpu/seqan3/detail/types.hpp", "SEQAN3_VERSION >= 30400 && first_end", "first_end", "gap costs that are not given are those of a later SeqAn3"),
    ("seqan_adapter/include/nwgpu/seqan3/detail/types.hpp", " || (traits::is_banded && wants_begin);", ";", "tie: last free end in a band with begins"),
    ("seqan_adapter/include/nwgpu/seqan3/detail/problem.hpp", "if (!given && !types::gaps_open_free &&", "if (!types::gaps_open_free &&", "gap costs that are given do not count"),
    ("seqan_adapter/include/nwgpu/seqan3/detail/scheme.hpp", "uniform = uniform && (score == no_score || score == entry);", "", "every scheme is match and mismatch"),
    ("seqan_adapter/include/nwgpu/seqan3/detail/aligner.hpp", "span.target_end != n || ", "", "tie: the corner before an end in the last row"),
    ("seqan_adapter/include/nwgpu/seqan3/detail/result_builder.hpp", "value.begin_positions.second = answer.query_begin;", "value.begin_positions.second = answer.target_begin;", "a begin in the other sequence"),
    ("seqan_adapter/include/nwgpu/seqan3/detail/result_range.hpp", "std::to_string(pairs.first_id + p)", "std::to_string(p)", "an exception counts pairs by the batch"),
    ("libnwgpu/cpu/tasks.cpp", "return 2 * cells < ", "return 3 * cells < ", "groups of long pairs may leave most of their lanes empty"),
    ("libnwgpu/cpu/tasks.cpp", "3 * of_share < 2 * lanes", "2 * of_share < 3 * lanes", "groups of long pairs need more than a thread's share"),
    ("libnwgpu/cpu/tasks.cpp", "pair.cells() >= long_cells / 2", "pair.cells() >= long_cells * 2", "a group's share is that of much longer pairs"),
    ("cli/src/rows.cpp", "first_query + pair.query % given.forward_count", "first_query + pair.query", "the strands of a query have a primary record each"),
    ("cli/src/engine.cpp", "scores[i] > scores[best]", "scores[i] >= scores[best]", "of equal strands or targets the last"),
    ("cli/src/engine.cpp", "rows.chosen_, &watch_paths", "rows.chosen_, nullptr", "Ctrl-C and the deadline do not end their paths"),
    ("cli/src/engine.cpp", "rows.chosen_.clear();", "", "paths of competing pairs are looked up by the scores' entries"),
    ("cli/src/engine.cpp", "== NWGPU_ERROR_DEADLINE", "== NWGPU_OK", "a deadline is an error"),
    ("cli/src/realign_reads.cpp", "end > length)", "end >= length)", "a read on the reference's last letter is refused"),
    ("cli/src/realign_reads.cpp", "std::min(length, end + margin)", "std::min(length - 1, end + margin)", "windows lack that letter"),
    ("cli/src/record_file.cpp", "file_->fp.bgzf->errcode != 0 ?", "file_->fp.bgzf->errcode == 99 ?", "damage that threads take for the end of a BAM file ends it"),
    ("cli/src/record_file.cpp", "k < count_; ++k", "k + 1 < count_; ++k", "behind damage a record is read twice"),
    ("cli/src/byte_source.cpp", "(got == 0 && file_->errcode != 0)", "(got == 0 && file_->errcode == 99)", "damage that threads take for the end of a bgzf file ends it"),
    ("capi/src/call_state.hpp", "if ((seen & CallState::busy_bit) != 0)", "if (false)", "two calls at once on a context"),
    ("capi/src/call_state.hpp", "~(CallState::busy_bit | CallState::cancelled_bit)", "~CallState::busy_bit", "a cancelled call ends the next one"),
    ("capi/src/control.cpp", "return end(Status::deadline,", "return end(Status::cancelled,", "a deadline has the status of a cancelled call"),
    ("capi/src/align.cpp", "require_that(targets->fingerprint == from.targets,", "require_that(true,", "a traceback takes other targets"),
    ("capi/src/align.cpp", "result.numbers[k] = nwgpu_result_pairs(&from)[entry];", "result.numbers[k] = entry;", "pairs of a traceback of a traceback"),
    ("capi/src/align.cpp", "result.request.checkpoint = {}; // of this call alone", "", "a traceback writes checkpoints"),
    ("capi/src/guard.cpp", "std::min(size - begin, sizeof full.message) - 1", "sizeof full.message - 1", "a short message has no end"),
    ("capi/src/guard.hpp", "return end(Status::ok, \"\");", "return NWGPU_OK;", "success leaves the error of before"),
    ("capi/src/structs.hpp", "given.struct_size < least_size<Struct>", "given.struct_size < 8", "sizeof a pointer is taken for a struct"),
    ("capi/src/result.cpp", "value.failures.message(value.pair[entry])", "value.failures.message(entry)", "an entry fails for the reason of another pair"),
    ("libnwgpu/model/answers_runs.cpp", "first != first_ + next_", "first < first_ + next_", "runs of later pairs lie in the place of the next"),
    ("libnwgpu/model/answers_runs.cpp", "if (stretch.first == first_ + pairs)", "if (true)", "pairs in order have a gap"),
    ("libnwgpu/model/answers_runs.cpp", "        give_places();\n", "", "pairs behind a gap lose their runs"),
    ("libnwgpu/model/answers_runs.cpp", "first < order_end_ && first > first_ + next_", "first > first_ + next_", "a chunk waits for one that never comes"),
    ("libnwgpu/backend/pair_queue.hpp", "left() / (2 * here_)", "left() / here_", "the first engines take all"),
    ("libnwgpu/align/auto_backend.cpp", "rest = code_pairs(piece.batch, rest, answers);", "piece.batch.code();", "the CPU aligns pairs with invalid letters"),
    ("libnwgpu/align/best_of_query.cpp", "a.position < b.position", "a.position > b.position", "of equal pairs the last ones are the best"),
    ("libnwgpu/align/best_of_query.hpp", "score == least_ && !best_.all_equal", "score == least_", "pairs that are equal to the last of the best are forgotten"),
    ("libnwgpu/align/best_call.cpp", "++query_)\n        end_query();", "++query_)\n        {}", "pairs of different queries compete"),
    ("libnwgpu/align/best_of_query.cpp", "best_.all_equal ? least_ : least_ + 1", "least_ + 1", "later pairs that are equal to the last of the best are too low"),
    ("libnwgpu/align/best_of_query.cpp", "best_.all_equal ? least_ : least_ + 1", "least_ + 2", "later pairs are to be better by two"),
    ("libnwgpu/align/best_call.cpp", "        put_in_order();\n", "        {}\n", "queries stay in the order in which they were computed"),
    ("libnwgpu/align/pairs_by_query.hpp", "query(position / targets_) * targets_ + position % targets_;", "position;", "pairs have numbers as if queries were in their order"),
    ("libnwgpu/align/best_sections.cpp", "&& end <= pairs_.first(query_ + 1);", "&& end <= pairs_.count();", "pairs have the least score of another query"),
    ("libnwgpu/align/best_sections.cpp", "std::max(request_.min_score, of_query_.least_score())", "of_query_.least_score()", "the best so far take the place of the caller's least score"),
    ("libnwgpu/align/best_call.cpp", "result.run_offsets[entry + 1] = result.run_offsets[from];", "result.run_offsets[entry + 1] = result.run_offsets[from > 0 ? from - 1 : 0];", "CIGARs move where failed pairs are put in between"),
    ("libnwgpu/backend/invalid_letters.hpp", "if (!batch.are_letters() || scoring.any_byte())", "if (true)", "letters that no engine is given are not looked at"),
    ("capi/src/sequences.cpp", "all.add(std::as_bytes(std::span{sequences.offsets}));", "", "sequences are told apart by their letters alone"),
]

# The tests of a part: targets to build, and commands, run in the folder of the build.
CONFORMANCE = "Schemes*:*/SchemesTest*:*Forced*:*LengthsTest*:*BandTest*:LocalBits*:LaneBits*:ScanTest*:DiffBits*:*BatchTest*:*Swept*" \
    ":*DiagonalsTest*:KeptAntidiagonals*:*Furthest*:CpuSkip*"
UNIT = "Fingerprint*:Identity*:*Folder*:*Slab*:Exhaustion*"


def gtest(program, filters="*"):
    return [program, f"--gtest_filter={filters}", "--gtest_fail_fast", "--gtest_brief=1"]


PARTS = {
    "engine": (["nwgpu_conformance", "nwgpu_memory"],
               [gtest("tests/conformance/nwgpu_conformance", CONFORMANCE), gtest("tests/conformance/nwgpu_memory")]),
    "letters": (["nwgpu_unit"], [gtest("tests/unit/nwgpu_unit", "FewChanges*:OneDiagonal*:LostWord*:MostOfLetters*:Landmark*:SmallPairsIn*")]),
    "checkpoints": (["nwgpu_unit", "nwgpu_conformance"],
                    [gtest("tests/unit/nwgpu_unit", UNIT),
                     gtest("tests/conformance/nwgpu_conformance", "CheckpointFiles*:*CheckpointTies*")]),
    "frame": (["nwgpu_unit", "nwgpu_conformance", "nwgpu_memory"],
              [gtest("tests/unit/nwgpu_unit", "Answers*:Failures*:Frame*:Empty*:AutoBackend*:Best*:PairsByQuery*"),
               gtest("tests/conformance/nwgpu_conformance", "*BestTest*"),
               gtest("tests/conformance/nwgpu_memory", "Memory.*:MemoryBatch*")]),
    "interface": (["nwgpu_capi_unit", "nwgpu_abi"],
                  [gtest("tests/unit/nwgpu_capi_unit"), gtest("tests/abi/nwgpu_abi")]),
    "adapter": (["nwgpu_seqan3_test"], [gtest("tests/seqan3/nwgpu_seqan3_test")]),
    "command": (["nwgpu_command"], [["ctest", "-R", "^cli[.](align|checkpoint|damage|errors|formats|golden|interrupt|realign)$",
                                     "--no-tests=error", "--stop-on-failure"]]),
}


def part_of(name):
    """The part that a file belongs to."""
    folders = name.split("/")
    if folders[0] != "libnwgpu":
        return {"cli": "command", "capi": "interface", "seqan_adapter": "adapter"}[folders[0]]
    if folders[1] in ("align", "backend", "model") or name in ("libnwgpu/path/empty.hpp", "libnwgpu/cpu/work.cpp", "libnwgpu/cpu/work_means.cpp", "libnwgpu/cpu/queue.cpp"):
        return "frame"
    if folders[-1].startswith(("few_changes", "one_diagonal", "detours", "separate_changes", "place_proofs", "far_words", "close_changes", "lost_word", "most_of_letters", "landmark_row", "align_by_landmarks", "align_along_changes", "free_ends", "boxes", "small_pairs")):
        return "letters"
    return "checkpoints" if folders[1] in ("checkpoint", "base") or "slab" in name else "engine"


def run(*command, **options):
    return subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, **options)


def survives(part, build):
    """Whether the tests of a part pass.  A mutation that does not compile is a mistake in the list above."""
    targets, commands = PARTS[part]
    subprocess.run(["ninja", "-C", str(build), *targets], check=True, stdout=subprocess.DEVNULL)
    try:
        return all(run(build / program if "/" in program else program, *rest, cwd=build, timeout=900).returncode == 0
                   for program, *rest in commands)
    except subprocess.TimeoutExpired:
        return False  # an endless walk is noticed too


def check_list():
    """Ends the program with the mutations whose text is not just once in its file."""
    counts = [(SOURCE / name).read_text().count(text) for name, text, *_ in MUTATIONS]
    stale = [f"mutation {number}: {MUTATIONS[number][0]} has {count} times: {MUTATIONS[number][1]}"
             for number, count in enumerate(counts) if count != 1]
    if stale:
        sys.exit("\n".join(stale))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("scratch", nargs="?", type=pathlib.Path)
    parser.add_argument("numbers", nargs="*", type=int)
    options = parser.parse_args()
    check_list()
    if options.check:
        return
    if options.scratch is None:
        parser.error("SCRATCH_FOLDER is missing")
    scratch = options.scratch.resolve()
    chosen = options.numbers or range(len(MUTATIONS))
    copy, build = scratch / "source", scratch / "build"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns(".git", "build*"))
    for name, *_ in MUTATIONS:
        (copy / name).touch()  # the objects of an earlier run may be those of its last mutation
    run("cmake", "-G", "Ninja", "-S", copy, "-B", build, "-DNWGPU_CUDA=OFF", "-DBUILD_TESTING=ON", check=True)
    for part in {part_of(MUTATIONS[number][0]) for number in chosen}:
        if not survives(part, build):
            sys.exit(f"{part}: its tests fail without a mutation")
    survivors = []
    for number in chosen:
        name, text, replacement, breaks = MUTATIONS[number]
        file = copy / name
        original = file.read_text()
        file.write_text(original.replace(text, replacement))
        alive = survives(part_of(name), build)
        file.write_text(original)
        print(f"{'SURVIVED' if alive else 'killed  '} {number} {name}: {breaks}", flush=True)
        if alive:
            survivors.append(number)
    sys.exit(f"survivors: {survivors}" if survivors else 0)


if __name__ == "__main__":
    main()
