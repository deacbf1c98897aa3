// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/slot.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/pieces.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr std::uint64_t block_pairs = Chunk::block_pairs;

constexpr std::uint64_t aligned(std::uint64_t bytes) { return ceil_div(bytes, std::uint64_t{16}) * 16; }

} // namespace

// Of page-locked memory that comes back.
struct Slot::Down {
    Notes * notes;
    Answer * answers;

    static constexpr std::uint64_t answers_at = 512; // where Slot::reserve() places them
    static_assert(sizeof(Notes) <= answers_at);

    static std::uint64_t bytes(std::uint64_t pairs) { return answers_at + pairs * sizeof(Answer); }
    explicit Down(void * memory)
    {
        auto * const bytes = static_cast<std::uint8_t *>(memory);
        notes = reinterpret_cast<Notes *>(bytes);
        answers = reinterpret_cast<Answer *>(bytes + answers_at);
    }
};

Slot::Slot(Device & device, cudaStream_t sweep_stream, ToTwoBits to_two_bits) :
    device_{device},
    stream_{make_stream(false)},
    sweep_stream_{sweep_stream},
    side_stream_{make_stream(true)},
    queries_up_{to_two_bits},
    targets_up_{to_two_bits}
{
    for (auto * const event : {&before_sweep_, &after_sweep_, &after_side_}) {
        cudaEvent_t made = nullptr;
        check(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), "creating an event");
        event->reset(made);
    }
}

void Slot::drop()
{
    cudaStreamSynchronize(sweep_stream_);
    cudaStreamSynchronize(side_stream_.get());
    cudaStreamSynchronize(stream_.get());
    cudaGetLastError(); // who began the work was told
    work_ = nullptr;
}

bool Slot::is_ready() const
{
    cudaError_t const state = cudaStreamQuery(stream_.get());
    if (state != cudaErrorNotReady)
        check(state, "running on the device");
    return state == cudaSuccess;
}

void Slot::reserve(Limits const & limits, BatchWork const & work)
{
    auto const pairs = static_cast<std::uint32_t>(limits.pairs);
    sort_bytes_ = order_work_bytes(pairs);
    queries_up_.begin_call();
    targets_up_.begin_call();
    stored_size_ = limits.stored;
    for (bool const counted : {false, true}) { // first how much, then where
        std::uint8_t * at = counted ? memory_.data() : nullptr;
        std::uint64_t bytes = 0;
        auto const place = [&](auto *& pointer, std::uint64_t count) {
            using T = std::remove_reference_t<decltype(*pointer)>;
            if (counted)
                pointer = reinterpret_cast<T *>(at + bytes);
            bytes += ceil_div(count * sizeof(T), std::uint64_t{512}) * 512;
        };
        place(stored_, limits.stored);
        place(in_, aligned(pairs * sizeof(ChunkPair)) + aligned(limits.letters) + 4 * letter_margin);
        place(two_bits_, TwoBitLayout{limits.letters}.most_bytes() + 2 * two_bit_bytes);
        place(notes_, 1);
        place(answers_, pairs); // behind the notes, as in Down
        place(classes_, 1);
        place(tables_, 1);
        place(letters_before_, ceil_div(std::uint64_t{pairs}, block_pairs));
        place(keys_, pairs);
        place(sorted_keys_, pairs);
        place(indices_, pairs);
        place(order_, pairs);
        place(stored_at_, pairs);
        place(sort_work_, sort_bytes_);
        if (work.cigar) {
            place(slot_at_, pairs);
            place(block_runs_, ceil_div(std::uint64_t{pairs}, std::uint64_t{gather_pairs}));
            place(slots_, limits.runs);
            place(gathered_runs_, limits.runs);
        }
        if (!counted)
            memory_ = {device_, bytes};
    }
}

void Slot::release() { memory_ = {}; }

void Slot::trim()
{
    pairs_.clear();
    queries_up_.trim();
    targets_up_.trim();
    down_.clear();
    runs_.clear();
}

ChunkPair * Slot::room_for_pairs(std::uint64_t count)
{
    try {
        return static_cast<ChunkPair *>(
            pairs_.grow(std::max<std::uint64_t>(count, 1) * sizeof(ChunkPair) +
                        ceil_div(count, block_pairs) * sizeof(LettersBefore))); // and those of gather_kept()
    } catch (Error const & error) {
        if (error.status != Status::out_of_host_memory)
            throw;
        return nullptr;
    }
}

void Slot::stage(Piece const & piece, BatchWork const & work, Chunk chunk, KeptOfCall const & kept, Team & team,
                 std::function<void()> const & meanwhile)
{
    work_ = &work;
    chunk_ = std::move(chunk);
    count_ = static_cast<std::uint32_t>(chunk_.count());
    Sums const & sums = chunk_.sums;
    Batch const & batch = piece.batch;
    letters_at_ = aligned(count_ * sizeof(ChunkPair)) + letter_margin;
    queries_ = lay_out(batch.queries, sums.first_query, sums.last_query, sums.query_letters, letters_at_, kept.queries);
    targets_ = lay_out(batch.targets, sums.first_target, sums.last_target, sums.target_letters,
                       aligned(queries_.at + queries_.bytes) + letter_margin, kept.targets);
    letter_bytes_ = targets_.at + targets_.bytes - letters_at_;
    Down const down{down_.grow(Down::bytes(count_))};
    auto * const pairs = static_cast<ChunkPair *>(pairs_.grow(0));
    if (queries_.lies_apart() || targets_.lies_apart())
        stage_by_sequence(piece, team);
    auto const begin = [](Side const & side, CodedSequences const & sequences, LettersUp & up, bool locked_too) {
        up.begin(sequences.letters(0) + side.first, side.goes_up() ? side.bytes : 0, locked_too);
    };
    begin(queries_, batch.queries, queries_up_, waits_for_letters(team));
    begin(targets_, batch.targets, targets_up_, false);
    for (bool again = true; again;) {
        std::uint64_t const pieces = queries_up_.pieces();
        auto const stage = [&](int thread, std::uint64_t k, std::uint64_t) {
            k < pieces ? queries_up_.stage(k) : targets_up_.stage(k - pieces);
            if (thread == 0)
                meanwhile();
        };
        for_pieces_of_threads(&team, team.size(), pieces + targets_up_.pieces(), stage, std::uint64_t{1});
        bool const queries_are_staged = queries_up_.end_stage();
        again = !targets_up_.end_stage() || !queries_are_staged;
    }
    auto * const stream = stream_.get();
    in_rows_ = sums.are_in_rows() && queries_.in_place && targets_.in_place;
    if (!in_rows_)
        copy(stream, in_, pairs, count_ * sizeof(ChunkPair), cudaMemcpyHostToDevice);
    copy_letters(queries_, queries_up_, two_bits_);
    copy_letters(targets_, targets_up_, two_bits_ + aligned(TwoBitLayout{queries_.bytes}.most_bytes()));
    gather_kept();
    check(cudaMemsetAsync(notes_, 0, Down::answers_at, stream), "clearing memory");
    note_letters(stream, {in_, queries_.at, queries_.at + queries_.bytes, targets_.at, targets_.at + targets_.bytes,
                          notes_->seen});
    copy(stream, down.notes, notes_, sizeof(Notes), cudaMemcpyDeviceToHost);
}

// Whether letters from page-locked memory take longer than the sweep, and the host has threads to spare.  Then its
// threads put those of the queries into two bits; all of them would take longer than they take as they are.
bool Slot::waits_for_letters(Team const & team) const
{
    // As short reads have: the sweep of a letter takes as long as its way.
    constexpr std::uint64_t cells_of_letter = 128;
    constexpr int many_threads = 12;
    return !work_->stores && team.size() >= many_threads &&
           chunk_.sums.cells / cells_of_letter <= queries_.bytes + targets_.bytes;
}

bool Slot::sweep(Piece const & piece)
{
    wait();
    queries_.note_kept();
    targets_.note_kept();
    Down const down{down_.grow(0)};
    std::bitset<256> seen;
    for (std::size_t byte = 0; byte < 256; ++byte)
        seen[byte] = down.notes->seen[byte] != 0;
    bool has_others = false; // invalid letters, of sequences that are no pair's
    for (std::size_t byte = 0; byte < 256 && !piece.batch.are_letters() && !piece.scoring.any_byte(); ++byte)
        if (seen[byte] && piece.scoring.codes()[byte] == invalid_code) {
            seen[byte] = false;
            has_others = true;
        }
    BatchScheme const & scheme = work_->scheme;
    auto table = make_letters(seen, piece.scoring, scheme);
    if (!table)
        return false;
    common_letters_ = static_cast<std::uint32_t>(table->letters);
    if (has_target_couples())
        choose_common(piece, *table);
    auto * const stream = stream_.get();
    letter_count_ = static_cast<std::uint32_t>(table->letters);
    std::uint32_t const words = (letter_count_ + 4) / 4;
    Tables tables;
    auto * const rows = reinterpret_cast<std::int8_t *>(tables.words.data());
    std::memset(rows, no_letter_score, sizeof(tables.words));
    for (std::uint32_t q = 0; q < letter_count_; ++q)
        for (std::uint32_t t = 0; t < letter_count_; ++t)
            rows[q * words * 4 + t] = static_cast<std::int8_t>(table->scores[q * letter_count_ + t] + 2 * scheme.drift);
    if (work_->stores) // for walks
        std::copy(table->scores.begin(), table->scores.end(), tables.scores.begin());
    put_tables(stream, tables_, tables);
    if (!table->identity || has_others)
        number_letters(stream, in_ + letters_at_, letter_bytes_, table->number);

    // Where sequences lie as in the batch, their places follow from their offsets.
    auto const shift = [](Side const & side, CodedSequences const & sequences, std::uint64_t first) {
        return side.in_place ? static_cast<std::uint32_t>(side.at) -
                                   static_cast<std::uint32_t>(sequences.codes(first) - sequences.codes(0))
                             : 0;
    };
    order_pairs(stream,
                {reinterpret_cast<ChunkPair *>(in_), count_,
                 shift(queries_, piece.batch.queries, chunk_.sums.first_query),
                 shift(targets_, piece.batch.targets, chunk_.sums.first_target), keys_, sorted_keys_, indices_, order_,
                 classes_, sort_work_, sort_bytes_, chunk_.sums.are_alike(), in_rows_, chunk_.sums.front, answers_});
    check(cudaEventRecord(before_sweep_.get(), stream), "noting a time");
    for (cudaStream_t const sweeps : {sweep_stream_, side_stream_.get()})
        check(cudaStreamWaitEvent(sweeps, before_sweep_.get()), "waiting for a time");
    bool const starts = start_sweeps();
    check(cudaEventRecord(after_sweep_.get(), sweep_stream_), "noting a time");
    check(cudaEventRecord(after_side_.get(), side_stream_.get()), "noting a time");
    for (auto * const event : {&after_sweep_, &after_side_})
        check(cudaStreamWaitEvent(stream, event->get()), "waiting for a time");
    if (!starts)
        return false;
    if (chunk_.sums.has_rings())
        prove_bands(stream, {count_, reinterpret_cast<ChunkPair const *>(in_), answers_, work_->band_rule()});
    if (work_->stores) {
        PathArgs args;
        args.letters = in_;
        args.pairs = reinterpret_cast<ChunkPair const *>(in_);
        args.order = order_;
        args.scores = tables_->scores.data(); // an address: nothing is read here
        args.counters = &notes_->counters;
        args.answers = answers_;
        args.stored = stored_;
        args.stored_at = stored_at_;
        args.slots = slots_;
        args.slot_at = slot_at_;
        args.pair_count = count_;
        args.letter_count = letter_count_;
        // Half of the warps that the device holds at once, if there are pairs for them.
        auto const threads = static_cast<std::uint32_t>(device_.multiprocessors()) * 1024;
        args.spread = std::clamp(std::bit_floor(threads / count_), 1u, 32u);
        args.path = work_->path;
        args.cigar = work_->cigar;
        args.scheme = walk_scheme(scheme, piece.request.style == CigarStyle::eqx);
        find_paths(stream, args, work_->bits(), chunk_.sums.has_chains());
    }
    if (work_->cigar)
        gather_runs(stream, {count_, answers_, slots_, slot_at_, &notes_->counters, block_runs_, gathered_runs_});
    copy(stream, down.notes, notes_, Down::bytes(count_), cudaMemcpyDeviceToHost); // both
    return true;
}

// Of two targets: where not all letters have room in the profile of two, those that the first targets have most.
void Slot::choose_common(Piece const & piece, LetterTable & table)
{
    constexpr std::uint64_t enough = 4096; // letters
    common_letters_ = TargetStrips::of(chunk_.sums.front.m)
                          .most_common(device_.shared_bytes_per_block() - TargetStrips::table_room, common_letters_);
    if (common_letters_ == static_cast<std::uint32_t>(table.letters))
        return;
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(table.letters));
    std::uint64_t counted = 0;
    for (std::uint64_t k = chunk_.first; k < chunk_.last && counted < enough; ++k) {
        std::uint64_t const target = piece.batch.pairs[piece.pairs[k]].target,
                            length = std::min(piece.batch.targets.length(target), enough - counted);
        std::uint8_t const * const letters = piece.batch.targets.letters(target);
        for (std::uint64_t i = 0; i < length; ++i)
            ++counts[table.number[letters[i]]];
        counted += length;
    }
    put_common_first(table, counts, static_cast<int>(common_letters_));
}

// Runs of neighbours go to where they stay at once; not under a limit, whose plan has them in blocks first.
void Slot::fetch(Piece const & piece, Answers & answers)
{
    wait();
    Down const down{down_.grow(0)};
    if (down.notes->counters.failed)
        throw Error{Status::internal, "the plan of a batch was too small"};
    run_count_ = down.notes->counters.runs;
    unproven_.clear();
    if (chunk_.sums.has_rings())
        for (std::uint64_t k = 0; k < count_; ++k)
            if (Answer const & answer = down.answers[k]; !answer.proven())
                unproven_.push_back({piece.pairs[chunk_.first + k], answer.half_width()});
    place_ = {};
    if (!work_->cigar)
        return;
    std::uint64_t const first_pair = piece.pairs[chunk_.first];
    if (piece.max_host_bytes == 0 && chunk_.sums.suited == chunk_.sums.pairs && unproven_.empty() &&
        piece.pairs[chunk_.last - 1] - first_pair + 1 == chunk_.sums.pairs)
        place_ = answers.next_runs(piece.pairs.size(), first_pair, count_, run_count_);
    if (!place_.runs) {
        if (piece.queue)
            answers.end_order(first_pair);
        place_ = answers.other_runs(run_count_);
    }
    try {
        copy(stream_.get(), place_.page_locked ? place_.runs : runs_.grow(4 * run_count_), gathered_runs_,
             4 * run_count_, cudaMemcpyDeviceToHost);
    } catch (...) {
        if (place_.in_order)
            answers.take_back(place_, count_, run_count_);
        throw;
    }
}

void Slot::publish(Piece const & piece, Team & team, Answers & answers, std::vector<Unproven> & unproven)
{
    wait();
    Down const down{down_.grow(0)};
    bool const all_answered = chunk_.sums.suited == chunk_.sums.pairs && unproven_.empty();
    unproven.insert(unproven.end(), unproven_.begin(), unproven_.end());
    bool const are_long = chunk_.sums.has_rings() && chunk_.sums.has_chains(); // and global
    auto const * const fetched = place_.page_locked ? nullptr : static_cast<std::uint32_t const *>(runs_.grow(0));
    auto const publish_some = [&](std::uint64_t first, std::uint64_t last) {
        AnswerWriter writer{&answers};
        std::uint64_t at = first > 0 ? down.answers[first - 1].runs : 0; // runs of the pairs before
        if (std::uint64_t const end = down.answers[last - 1].runs; fetched && end > at)
            std::memcpy(place_.runs + at, fetched + at, 4 * (end - at));
        for (std::uint64_t k = first; k < last; ++k) {
            Answer const & answer = down.answers[k];
            std::uint64_t const p = piece.pairs[chunk_.first + k];
            if (!all_answered && (!answer.proven() || work_->class_of(piece.batch.view(p), chunk_.first + k) < 0))
                continue;
            AlignedSpan span{answer.query_begin, answer.query_end, answer.target_begin, answer.target_end};
            if (are_long) {
                PairView const pair = piece.batch.view(p);
                span = {0, pair.m, 0, pair.n};
            }
            if (piece.request.output == Output::end) {
                span.query_begin = span.target_begin = no_position;
                if (!work_->stores && !work_->ends) {
                    PairView const pair = piece.batch.view(p);
                    span.query_end = pair.m;
                    span.target_end = pair.n;
                }
            }
            std::int64_t const score = work_->scheme.unit * answer.score;
            if (place_.in_order)
                writer.put_next(p, score, span, place_.offset + answer.runs);
            else
                writer.put(p, score, span, {place_.runs + at, answer.runs - at});
            at = answer.runs;
        }
    };
    for_pieces(&team, count_, publish_some, chunk_.blocks_of_thread(team) * block_pairs);
    if (place_.in_order)
        answers.keep_next(place_, piece.pairs[chunk_.first], count_);
    work_ = nullptr;
}

} // namespace nwgpu::cuda::batch
