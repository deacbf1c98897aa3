// SPDX-License-Identifier: BSD-3-Clause
// nwgpu align, once it is known with what: read a batch, align it, write it, until the input ends.
#pragma once

#include "circular.hpp"
#include "engine.hpp"
#include "pairing.hpp"
#include "progress.hpp"
#include "ranking.hpp"
#include "writer.hpp"

#include <memory>
#include <optional>
#include <string>

namespace cli {

// first: a batch that is read already; may be null.  ranked: the alignments of a query are looked at together.  output:
// for messages.  Returns the exit code.
int align_batches(Pairing & pairing, std::unique_ptr<Batch> first, Engine & engine, std::optional<Circular> circular,
                  Ranking ranking, bool ranked, std::unique_ptr<Writer> writer, std::string output,
                  Progress & progress);

} // namespace cli
