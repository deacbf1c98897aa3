// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "failure.hpp"

#include <htslib/kstring.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

namespace cli {

Reference::Reference(std::string const & path, Alphabet const & alphabet, sam_hdr_t * header, bool check_all) :
    path_(path), header_(header), checked_(static_cast<std::size_t>(sam_hdr_nref(header)))
{
    SequenceReader reader(path);
    reader.first(); // throws where there is none
    reader.use_alphabet(alphabet);
    reader.read_all(records_);
    for (std::uint64_t i = 0; i < records_.size(); ++i)
        if (!index_.emplace(records_.name(i), i).second)
            throw Failure(text(path, ": two records are named '", records_.name(i), "'"));
    for (std::int32_t tid = 0; check_all && tid < sam_hdr_nref(header); ++tid)
        if (index_.contains(sam_hdr_tid2name(header, tid)))
            sequence(tid);
}

// As the SAM specification says: the MD5 of the letters in upper case.
void Reference::check_m5(std::int32_t tid, std::span<std::uint8_t const> letters) const
{
    kstring_t told = KS_INITIALIZE;
    if (sam_hdr_find_tag_id(header_, "SQ", "SN", sam_hdr_tid2name(header_, tid), "M5", &told) == 0) {
        std::unique_ptr<hts_md5_context, decltype(&hts_md5_destroy)> const md5(hts_md5_init(), &hts_md5_destroy);
        if (!md5)
            throw std::bad_alloc();
        std::string piece;
        for (std::size_t at = 0; at < letters.size(); at += piece.size()) {
            auto const part = letters.subspan(at, std::min<std::size_t>(letters.size() - at, 1 << 16));
            piece.assign(part.begin(), part.end());
            for (char & letter : piece)
                letter = static_cast<char>(letter >= 'a' && letter <= 'z' ? letter - 32 : letter);
            hts_md5_update(md5.get(), piece.data(), piece.size());
        }
        std::array<unsigned char, 16> digest{};
        std::array<char, 33> hex{};
        hts_md5_final(digest.data(), md5.get());
        hts_md5_hex(hex.data(), digest.data());
        std::string const expected(told.s);
        ks_free(&told);
        if (expected != hex.data())
            throw Failure(text(path_, ": '", sam_hdr_tid2name(header_, tid),
                               "' is not the reference of the reads: its M5 is ", hex.data(),
                               ", the reads' header says ", expected));
    }
    ks_free(&told);
}

std::span<std::uint8_t const> Reference::sequence(std::int32_t tid) const
{
    std::string const name = sam_hdr_tid2name(header_, tid);
    auto const found = index_.find(name);
    if (found == index_.end())
        throw Failure(text(path_, ": no record '", name, "', to which reads are mapped"));
    std::span<std::uint8_t const> const letters = records_.letters(found->second);
    auto const expected = static_cast<std::uint64_t>(sam_hdr_tid2len(header_, tid));
    if (letters.size() != expected)
        throw Failure(
            text(path_, ": '", name, "' has ", letters.size(), " letters, the reads' header says ", expected));
    if (!checked_[static_cast<std::size_t>(tid)]) {
        check_m5(tid, letters);
        checked_[static_cast<std::size_t>(tid)] = true;
    }
    return letters;
}

} // namespace cli
