// SPDX-License-Identifier: BSD-3-Clause
// What the text formats share of which each alignment is some lines by itself: several threads make them, and they are
// written in order.
#pragma once

#include "text_output.hpp"
#include "writer.hpp"

#include <span>
#include <string>

namespace cli {

class LineWriter : public Writer {
public:
    explicit LineWriter(WriterSetup const & setup);

    void write(Alignment const & alignment) final;
    void write_all(std::span<Alignment const> alignments) final;
    std::unique_ptr<Made> make(std::span<Alignment const> alignments) const final;
    void write(Made & made) final;
    void flush() final { out_.flush(); }
    void close() final { out_.close(); }

protected:
    // Appends the lines of an alignment; nothing where the format has none for it.  Several threads may call it.
    virtual void append(std::string & lines, Alignment const & alignment) const = 0;

    TextOutput out_;

private:
    struct Lines : Made {
        std::string text;
    };

    int const threads_;
};

} // namespace cli
