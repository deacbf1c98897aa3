// SPDX-License-Identifier: BSD-3-Clause
#include "realign_reads.hpp"

#include "failure.hpp"
#include "mapped_read.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace cli {

void ReadsToRealign::add(SamRecordPtr record, Reference const & reference)
{
    Read read{.record = std::move(record)};
    if (can_be_realigned(read.record.get()))
        find_window(read, reference);
    else
        letters_ += static_cast<std::uint64_t>(read.record->l_data);
    reads_.push_back(std::move(read));
}

void ReadsToRealign::find_window(Read & read, Reference const & reference)
{
    bam1_t const * const record = read.record.get();
    bam1_core_t const & core = record->core;
    std::span<std::uint8_t const> const sequence = reference.sequence(core.tid);
    auto const length = static_cast<hts_pos_t>(sequence.size());
    hts_pos_t const end = bam_endpos(record);
    if (core.pos < 0 || end > length)
        throw Failure(text("read '", bam_get_qname(record), "' is mapped beyond the end of its reference"));
    auto const margin = std::min<hts_pos_t>(rules_.margin, length);
    read.window_begin = std::max<hts_pos_t>(0, core.pos - margin);
    hts_pos_t const window_end = std::min(length, end + margin);
    read.window = {reinterpret_cast<char const *>(sequence.data()) + read.window_begin,
                   static_cast<std::size_t>(window_end - read.window_begin)};
    letters_ += read.window.size() + static_cast<std::uint64_t>(core.l_qseq);
}

void ReadsToRealign::prepare()
{
    for (Read & read : reads_)
        if (!read.window.empty())
            take_letters(read);
    for (Part * const part : {&plain_, &ambiguous_}) {
        Batch & batch = part->batch;
        batch.forward_count = part->letters->size();
        for (std::uint64_t i = 0; i < batch.forward_count; ++i)
            batch.pairs.push_back({i, i});
        batch.queries = std::move(part->letters);
        batch.targets = std::move(part->windows);
        batch.own_queries = batch.own_targets = true;
        cells_ += count_cells(batch);
    }
}

void ReadsToRealign::take_letters(Read & read)
{
    bam1_t const * const record = read.record.get();
    Clips const clips = read_clips(record);
    std::string const query =
        sequence_letters(record, clips.soft_begin, std::int64_t{record->core.l_qseq} - clips.soft_end);
    bool const ambiguous = is_ambiguous(query) || is_ambiguous(read.window);
    Part & part = ambiguous ? ambiguous_ : plain_;
    part.letters->add_letters(query);
    part.letters->add_record(bam_get_qname(record));
    part.windows->add_letters(read.window);
    part.windows->add_record(sam_hdr_tid2name(rules_.header, record->core.tid));
    if (ambiguous)
        part.letters->set_ambiguous();
    read.part = &part;
    read.row = part.letters->size() - 1;
}

bool ReadsToRealign::is_ambiguous(std::string_view letters) const
{
    return cli::is_ambiguous({reinterpret_cast<std::uint8_t const *>(letters.data()), letters.size()},
                             rules_.scoring.alphabet());
}

void ReadsToRealign::align(std::function<Rows(Batch const &)> const & align)
{
    for (Part * const part : {&plain_, &ambiguous_})
        if (!part->batch.pairs.empty())
            part->rows = align(part->batch);
}

void ReadsToRealign::rebuild()
{
    for (Read & read : reads_)
        rebuild(read);
    are_rebuilt_ = true;
    plain_ = {};
    ambiguous_ = {};
}

void ReadsToRealign::rebuild(Read & read)
{
    if (read.part != nullptr)
        take_alignment(read);
    else
        ++kept_;
    set_read_group(read.now ? read.now.get() : read.record.get(), rules_.read_group);
}

void ReadsToRealign::take_alignment(Read & read)
{
    Alignment alignment = read.part->rows.row(read.row);
    trim_end_deletions(alignment, rules_.scoring.values());
    if (!alignment.ok() || alignment.target_begin == alignment.target_end) {
        messages_.push_back(text("read '", alignment.query_name, "' left as it was: ",
                                 alignment.ok() ? "nothing of it aligns" : read.part->rows.message(read.row)));
        return;
    }
    read.now = spare_ ? std::move(spare_) : SamRecordPtr(bam_init1());
    if (!read.now)
        throw std::bad_alloc();
    rebuild_record(read.now.get(), read.record.get(), alignment, read.window_begin, rules_.equal, rules_.cigar_style);
    ++aligned_;
}

void ReadsToRealign::for_each(std::function<void(bam1_t const *, bam1_t const *)> const & write)
{
    for (Read & read : reads_) {
        if (!are_rebuilt_)
            rebuild(read);
        write(read.record.get(), read.now ? read.now.get() : read.record.get());
        if (read.now)
            spare_ = std::move(read.now);
    }
}

} // namespace cli
