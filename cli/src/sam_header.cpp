// SPDX-License-Identifier: BSD-3-Clause
// Threads take parts of the targets, as they were read; of several faults the first one in order is told.
#include "sam_header.hpp"

#include "failure.hpp"
#include "pieces.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace cli {

namespace {

using Parts = std::vector<TargetList::Part>;

constexpr std::uint64_t max_reference = (std::uint64_t{1} << 31) - 1; // LN of @SQ

constexpr std::array<bool, 256> reference_letters = [] {
    std::array<bool, 256> allowed{};
    for (char c = '!'; c <= '~'; ++c)
        allowed[static_cast<unsigned char>(c)] = std::string_view("\\,\"'`()[]{}<>").find(c) == std::string_view::npos;
    return allowed;
}();

bool is_reference_name(std::string_view name)
{
    return name.front() != '*' && name.front() != '=' &&
           std::ranges::all_of(name, [](char c) { return reference_letters[static_cast<unsigned char>(c)]; });
}

void check_target(std::string const & format, std::string_view name, std::uint64_t length)
{
    if (!is_reference_name(name))
        throw Failure(text("target '", name, "': not a name that SAM allows; use --format paf or tsv"));
    if (length == 0 || length > max_reference)
        throw Failure(text("target '", name, "' has ", length, " letters: SAM holds 1 to ", max_reference,
                           "; use --format paf or tsv"));
    check_length(format, "target", name, length);
}

// Names whose hashes have the same first bits: a table of them fits into a cache.
class NameShare {
public:
    NameShare(Parts const & parts, std::vector<std::vector<std::uint64_t>> const & hashes, std::uint64_t count) :
        parts_(parts), hashes_(hashes), slots_(std::bit_ceil(2 * (count / shares + count / 64 + 16)))
    {}

    static constexpr std::uint64_t shares = 16;

    // The part and the place in it of the first name that was there before.
    std::optional<std::pair<std::size_t, std::uint64_t>> first_repeated(std::uint64_t share)
    {
        for (std::size_t part = 0; part < hashes_.size(); ++part)
            for (std::uint64_t i = 0; i < hashes_[part].size(); ++i)
                if (hashes_[part][i] >> 60 == share && !add({hashes_[part][i], part, i}))
                    return std::pair(part, i);
        return std::nullopt;
    }

private:
    struct Slot {
        std::uint64_t hash = 0;
        std::size_t part = SIZE_MAX;
        std::uint64_t i = 0;
    };

    // False where the name is there.
    bool add(Slot const & slot)
    {
        if (2 * ++used_ > slots_.size())
            grow();
        Slot & place = find(slot);
        if (place.part != SIZE_MAX)
            return false;
        place = slot;
        return true;
    }

    Slot & find(Slot const & slot)
    {
        std::uint64_t const mask = slots_.size() - 1;
        std::uint64_t at = slot.hash & mask;
        while (slots_[at].part != SIZE_MAX && !(slots_[at].hash == slot.hash && name(slots_[at]) == name(slot)))
            at = (at + 1) & mask;
        return slots_[at];
    }

    void grow()
    {
        std::vector<Slot> const old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
        for (Slot const & slot : old)
            if (slot.part != SIZE_MAX)
                find(slot) = slot;
    }

    std::string_view name(Slot const & slot) const { return parts_[slot.part].names.part(slot.i); }

    Parts const & parts_;
    std::vector<std::vector<std::uint64_t>> const & hashes_;
    std::vector<Slot> slots_; // a power of two of them, at most half of which are used
    std::uint64_t used_ = 0;
};

void check_unique(TargetList const & targets, int threads)
{
    Parts const & parts = targets.parts();
    std::vector<std::vector<std::uint64_t>> hashes(parts.size());
    for_indices(parts.size(), threads, [&](std::size_t part) {
        hashes[part].resize(parts[part].size());
        for (std::uint64_t i = 0; i < parts[part].size(); ++i)
            hashes[part][i] = std::hash<std::string_view>()(parts[part].names.part(i));
    });
    std::array<std::optional<std::pair<std::size_t, std::uint64_t>>, NameShare::shares> repeated;
    for_indices(NameShare::shares, threads, [&](std::size_t share) {
        repeated[share] = NameShare(parts, hashes, targets.size()).first_repeated(share);
    });
    std::ranges::sort(repeated, {}, [](auto const & of) { return of.value_or(std::pair(SIZE_MAX, UINT64_MAX)); });
    if (repeated.front())
        throw Failure(text("two targets are named '",
                           parts[repeated.front()->first].names.part(repeated.front()->second),
                           "': SAM needs unique names; use --format paf or tsv"));
}

template <typename Item>
Item * allocate(std::uint64_t count)
{
    if (void * const memory = std::calloc(std::max<std::uint64_t>(count, 1), sizeof(Item)))
        return static_cast<Item *>(memory);
    throw std::bad_alloc();
}

// The lines of the header: its first one, @SQ lines, and the others.
std::vector<std::string> lines_with_targets(sam_hdr_t & header, Parts const & parts, int threads)
{
    char const * const given = sam_hdr_str(&header);
    if (given == nullptr)
        throw std::bad_alloc();
    std::string_view const lines(given, sam_hdr_length(&header));
    std::size_t const first = lines.find('\n') + 1;
    std::vector<std::string> pieces(parts.size() + 2);
    pieces.front() = lines.substr(0, first);
    pieces.back() = lines.substr(first);
    for_indices(parts.size(), threads, [&](std::size_t k) {
        constexpr std::size_t most_beside_name = 32;
        TargetList::Part const & part = parts[k];
        pieces[k + 1].reserve(part.names.letters.size() + most_beside_name * part.size());
        for (std::uint64_t i = 0; i < part.size(); ++i)
            append_text(pieces[k + 1], "@SQ\tSN:", part.names.part(i), "\tLN:", part.lengths[i], '\n');
    });
    return pieces;
}

void append_int32(std::string & bytes, std::uint64_t number) // little-endian, as BAM has all numbers
{
    for (int shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>(number >> shift & 255);
}

} // namespace

void check_length(std::string const & format, char const * what, std::string_view name, std::uint64_t length)
{
    if (format == "bam" && length >= bam_length_limit)
        throw Failure(text(what, " '", name, "' has ", length,
                           " letters: BAM cannot hold alignments of 2^28 letters "
                           "and more; use --format sam or paf"));
}

void check_targets(TargetList const & targets, std::string const & format, int threads)
{
    Parts const & parts = targets.parts();
    std::vector<std::exception_ptr> faults(parts.size());
    for_indices(parts.size(), threads, [&](std::size_t part) {
        try {
            for (std::uint64_t i = 0; i < parts[part].size(); ++i)
                check_target(format, parts[part].names.part(i), parts[part].lengths[i]);
        } catch (Failure const &) {
            faults[part] = std::current_exception();
        }
    });
    for (std::exception_ptr const & fault : faults)
        if (fault)
            std::rethrow_exception(fault);
    check_unique(targets, threads);
}

// htslib takes lines and tables as they are here; lines that it adds itself it looks at one by one, which takes seven
// times as long.
SamHeaderPtr with_targets(sam_hdr_t & header, TargetList const & targets, int threads)
{
    std::vector<std::string> const pieces = lines_with_targets(header, targets.parts(), threads);
    std::size_t letters = 0;
    for (std::string const & piece : pieces)
        letters += piece.size();
    SamHeaderPtr full(sam_hdr_init());
    if (!full)
        throw std::bad_alloc();
    full->target_len = allocate<std::uint32_t>(targets.size());
    full->target_name = allocate<char *>(targets.size());
    targets.for_each([&](std::string_view name, std::uint64_t length) {
        full->target_len[full->n_targets] = static_cast<std::uint32_t>(length);
        full->target_name[full->n_targets] = allocate<char>(name.size() + 1);
        std::ranges::copy(name, full->target_name[full->n_targets]);
        ++full->n_targets;
    });
    full->text = allocate<char>(letters + 1);
    for (std::string const & piece : pieces) {
        std::ranges::copy(piece, full->text + full->l_text);
        full->l_text += piece.size();
    }
    return full;
}

std::vector<std::string> bam_header(sam_hdr_t & header, TargetList const & targets, int threads)
{
    Parts const & parts = targets.parts();
    std::vector<std::string> pieces = lines_with_targets(header, parts, threads);
    std::size_t letters = 0;
    for (std::string const & piece : pieces)
        letters += piece.size();
    if (letters > INT32_MAX)
        throw Failure("the SAM header of so many targets has more than 2^31 letters: use --format paf or tsv");
    std::string begin = "BAM\1";
    append_int32(begin, letters);
    pieces.insert(pieces.begin(), std::move(begin));
    append_int32(pieces.emplace_back(), targets.size());
    std::size_t const lines = pieces.size();
    pieces.resize(lines + parts.size());
    for_indices(parts.size(), threads, [&](std::size_t k) {
        constexpr std::size_t beside_name = 9;
        TargetList::Part const & part = parts[k];
        std::string & bytes = pieces[lines + k];
        bytes.reserve(part.names.letters.size() + beside_name * part.size());
        for (std::uint64_t i = 0; i < part.size(); ++i) {
            std::string_view const name = part.names.part(i);
            append_int32(bytes, name.size() + 1);
            bytes += name;
            bytes += '\0';
            append_int32(bytes, part.lengths[i]);
        }
    });
    return pieces;
}

} // namespace cli
