// SPDX-License-Identifier: BSD-3-Clause
// PNG by cairo, which is loaded when a PNG is drawn: no other command waits for it and its many libraries, and a
// machine without it runs all the rest.
#include "failure.hpp"
#include "plot/canvas.hpp"
#include "plot/words.hpp"

#ifdef NWGPU_CAIRO
#include <cairo.h>
#include <dlfcn.h>

#include <cmath>
#endif

namespace cli {

#ifndef NWGPU_CAIRO

std::unique_ptr<Canvas> make_png_canvas(double, double)
{
    throw Failure("this build cannot draw PNG, because cairo (libcairo2-dev) was not there: draw SVG");
}

#else

namespace {

constexpr char const * library_name = "libcairo.so.2";
constexpr double pixels = 2; // per unit

// The functions that are needed, under their names without cairo_.
class Cairo {
public:
    Cairo() : library_(dlopen(library_name, RTLD_NOW | RTLD_LOCAL))
    {
        if (library_ == nullptr)
            throw Failure(text("PNG needs cairo, which cannot be loaded: ", dlerror(), "; draw SVG"));
    }

#define NWGPU_CAIRO_FUNCTION(name) decltype(&cairo_##name) const name = find<decltype(&cairo_##name)>("cairo_" #name)

private:
    void * library_; // stays loaded

    template <typename Function>
    Function find(char const * name) const
    {
        void * const found = dlsym(library_, name);
        if (found == nullptr)
            throw Failure(text(library_name, " has no function ", name, "; draw SVG"));
        return reinterpret_cast<Function>(found);
    }

public:
    NWGPU_CAIRO_FUNCTION(image_surface_create);
    NWGPU_CAIRO_FUNCTION(surface_destroy);
    NWGPU_CAIRO_FUNCTION(surface_write_to_png_stream);
    NWGPU_CAIRO_FUNCTION(create);
    NWGPU_CAIRO_FUNCTION(destroy);
    NWGPU_CAIRO_FUNCTION(status);
    NWGPU_CAIRO_FUNCTION(save);
    NWGPU_CAIRO_FUNCTION(restore);
    NWGPU_CAIRO_FUNCTION(scale);
    NWGPU_CAIRO_FUNCTION(translate);
    NWGPU_CAIRO_FUNCTION(rotate);
    NWGPU_CAIRO_FUNCTION(clip);
    NWGPU_CAIRO_FUNCTION(rectangle);
    NWGPU_CAIRO_FUNCTION(move_to);
    NWGPU_CAIRO_FUNCTION(line_to);
    NWGPU_CAIRO_FUNCTION(fill);
    NWGPU_CAIRO_FUNCTION(stroke);
    NWGPU_CAIRO_FUNCTION(set_source_rgb);
    NWGPU_CAIRO_FUNCTION(set_line_width);
    NWGPU_CAIRO_FUNCTION(set_line_cap);
    NWGPU_CAIRO_FUNCTION(set_line_join);
    NWGPU_CAIRO_FUNCTION(select_font_face);
    NWGPU_CAIRO_FUNCTION(set_font_size);
    NWGPU_CAIRO_FUNCTION(text_extents);
    NWGPU_CAIRO_FUNCTION(show_text);
#undef NWGPU_CAIRO_FUNCTION
};

class PngCanvas : public Canvas {
public:
    PngCanvas(double width, double height) :
        surface_(cairo_.image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * pixels)),
                                             static_cast<int>(std::lround(height * pixels)))),
        draw_(cairo_.create(surface_))
    {
        cairo_.scale(draw_, pixels, pixels);
        cairo_.set_line_cap(draw_, CAIRO_LINE_CAP_ROUND);
        cairo_.set_line_join(draw_, CAIRO_LINE_JOIN_ROUND);
        rectangle({0, 0, width, height}, white);
    }

    ~PngCanvas() override
    {
        cairo_.destroy(draw_);
        cairo_.surface_destroy(surface_);
    }
    PngCanvas(PngCanvas const &) = delete;
    PngCanvas & operator=(PngCanvas const &) = delete;

    void rectangle(Box const & box, Colour colour) override
    {
        use(colour);
        cairo_.rectangle(draw_, box.x, box.y, box.width, box.height);
        cairo_.fill(draw_);
    }

    void line(Point from, Point to, Colour colour, double width) override
    {
        use(colour);
        cairo_.set_line_width(draw_, width);
        cairo_.move_to(draw_, from.x, from.y);
        cairo_.line_to(draw_, to.x, to.y);
        cairo_.stroke(draw_);
    }

    void text(Point at, std::string_view words, Label const & label) override
    {
        std::string const shown = clean_text(words);
        cairo_.select_font_face(draw_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                                label.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
        cairo_.set_font_size(draw_, label.size);
        cairo_text_extents_t extents{};
        cairo_.text_extents(draw_, shown.c_str(), &extents);
        double const before = label.anchor == Label::Anchor::begin ? 0
                              : label.anchor == Label::Anchor::end ? extents.x_advance
                                                                   : extents.x_advance / 2;
        cairo_.save(draw_);
        cairo_.translate(draw_, at.x, at.y);
        if (label.upright)
            cairo_.rotate(draw_, -std::acos(-1.0) / 2);
        use(label.colour);
        cairo_.move_to(draw_, -before, 0);
        cairo_.show_text(draw_, shown.c_str());
        cairo_.restore(draw_);
    }

    void begin_area(Box const & box, Box const & inside) override
    {
        box_ = box;
        inside_ = inside;
        cairo_.save(draw_);
        cairo_.rectangle(draw_, box.x, box.y, box.width, box.height);
        cairo_.clip(draw_);
    }

    void path(std::span<Point const> points, Colour colour, double width, std::string_view) override
    {
        use(colour);
        cairo_.set_line_width(draw_, width);
        trace(points);
        cairo_.stroke(draw_);
    }

    void fill(std::span<Point const> outline, Colour colour) override
    {
        use(colour);
        trace(outline);
        cairo_.fill(draw_);
    }

    void end_area() override { cairo_.restore(draw_); }

    std::string finish() override
    {
        std::string bytes;
        auto const append = [](void * to, unsigned char const * data, unsigned int length) {
            static_cast<std::string *>(to)->append(reinterpret_cast<char const *>(data), length);
            return CAIRO_STATUS_SUCCESS;
        };
        if (cairo_.status(draw_) != CAIRO_STATUS_SUCCESS ||
            cairo_.surface_write_to_png_stream(surface_, append, &bytes) != CAIRO_STATUS_SUCCESS)
            throw Failure("cairo cannot draw this picture: is --size too large?");
        return bytes;
    }

private:
    void use(Colour colour)
    {
        cairo_.set_source_rgb(draw_, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0);
    }

    void trace(std::span<Point const> points)
    {
        for (Point const & point : points) // without a point before it line_to is move_to
            cairo_.line_to(draw_, box_.x + (point.x - inside_.x) * box_.width / inside_.width,
                           box_.y + box_.height - (point.y - inside_.y) * box_.height / inside_.height);
    }

    Cairo const cairo_;
    cairo_surface_t * const surface_;
    cairo_t * const draw_;
    Box box_{}, inside_{};
};

} // namespace

std::unique_ptr<Canvas> make_png_canvas(double width, double height)
{
    return std::make_unique<PngCanvas>(width, height);
}

#endif

} // namespace cli
