// SPDX-License-Identifier: BSD-3-Clause
// Alignments of a file, of this program or another one, for pictures.
#pragma once

#include "options.hpp"
#include "plot/letters.hpp"
#include "plot/picture.hpp"

#include <htslib/hfile.h>

#include <string>

namespace cli {

// Whether a file holds alignments: SAM, BAM or CRAM by what it is, PAF when it is neither FASTA nor FASTQ.
enum class FileKind { sequences, paf, sam };
FileKind kind_of(hFILE * bytes);

// Both take over the open file, and throw Failure, with the line or record, for what is damaged.  Alignments whose
// letters are known, from the file or from `letters`, get their steps by letters.
void read_paf(std::string const & path, hFILE * bytes, KnownLetters const & letters, PictureBuilder & into);
// reference: a FASTA file, for CRAM.
void read_sam(std::string const & path, hFILE * bytes, std::string const & reference, KnownLetters const & letters,
              PictureBuilder & into);

} // namespace cli
