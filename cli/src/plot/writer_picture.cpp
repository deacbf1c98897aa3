// SPDX-License-Identifier: BSD-3-Clause
// Pictures as output of `align`: the alignments are packed as they come, and drawn at the end.
#include "failure.hpp"
#include "plot/pictures.hpp"
#include "text_output.hpp"
#include "writer.hpp"

namespace cli {

namespace {

class PictureWriter : public Writer {
public:
    explicit PictureWriter(WriterSetup const & setup) :
        out_(setup.output.path, setup.format, setup.threads),
        format_(setup.format.name),
        options_(setup.output.plot),
        builder_(setup.scoring.alphabet().dna(), format_ == "html")
    {}

    void write(Alignment const & a) override
    {
        if (a.has_path && a.good() && !a.cigar.empty())
            builder_.add(a);
        else
            ++left_out_;
    }

    void flush() override {}

    void close() override
    {
        out_.write(draw_picture(builder_.take(), options_, format_));
        out_.close();
    }

    std::string note() const override
    {
        return left_out_ == 0 ? "" : text(left_out_, " pairs without an alignment are not drawn");
    }

private:
    TextOutput out_;
    std::string const format_;
    PlotOptions const & options_;
    PictureBuilder builder_;
    std::uint64_t left_out_ = 0;
};

} // namespace

std::unique_ptr<Writer> make_picture_writer(WriterSetup const & setup)
{
    return std::make_unique<PictureWriter>(setup);
}

} // namespace cli
