// SPDX-License-Identifier: BSD-3-Clause
// Every row as pairs of name and value, written as a line with tabs or as a JSON object.
#include "bench_table.hpp"

#include "failure.hpp"

#include <nwgpu/nwgpu.h>

#include <cstdio>
#include <vector>

namespace cli {

namespace {

struct Field {
    char const * name;
    std::string value; // empty: there is none
    bool is_text = false;
};

std::string number(double value)
{
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.5g", value);
    return buffer;
}

// With the same names for every row.
std::vector<Field> fields_of(BenchRow const & row)
{
    Measurement const & m = row.measurement;
    bool const ok = row.status == "ok";
    auto const if_ok = [&](std::string value) { return ok ? value : std::string(); };
    return {{"suite", row.suite, true},
            {"algorithm", m.algorithm, true},
            {"query_length", std::to_string(m.query_length)},
            {"target_length", std::to_string(m.target_length)},
            {"output", row.output, true},
            {"status", row.status, true},
            {"score", if_ok(std::to_string(row.score))},
            {"repeats", std::to_string(row.repeats)},
            {"seconds", if_ok(number(row.seconds))},
            {"mean", if_ok(number(row.mean_seconds))},
            {"deviation", if_ok(number(row.deviation))},
            {"GCUPS", if_ok(number(row.gcups()))},
            {"speedup", if_ok(number(row.speedup))},
            {"host_bytes", if_ok(std::to_string(row.host_bytes))},
            {"device_bytes", if_ok(std::to_string(row.device_bytes))},
            {"joules", ok && row.joules ? number(*row.joules) : ""},
            {"published", m.published > 0 ? number(m.published) : ""},
            {"unit", m.unit, true},
            {"ratio", ok && row.ratio() ? number(*row.ratio()) : ""},
            {"published_in", m.where, true},
            {"gpus", m.gpus() > 0 ? std::to_string(m.gpus()) : ""},
            {"scaling", m.scaling, true},
            {"efficiency", ok && row.efficiency() ? number(*row.efficiency()) : ""}};
}

std::string quoted(std::string const & text)
{
    std::string out(1, '"');
    for (char const letter : text) {
        if (letter == '"' || letter == '\\')
            out += '\\';
        out += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
    out += '"';
    return out;
}

} // namespace

double BenchRow::gcups() const
{
    return static_cast<double>(measurement.query_length) * static_cast<double>(measurement.target_length) / seconds /
           1e9;
}

std::optional<double> BenchRow::ratio() const
{
    if (measurement.published <= 0)
        return std::nullopt;
    double const ours = measurement.unit == "s" ? seconds : measurement.unit == "x" ? speedup : gcups();
    return ours / measurement.published;
}

std::optional<double> BenchRow::efficiency() const
{
    if (measurement.scaling.empty())
        return std::nullopt;
    return speedup / measurement.gpus();
}

BenchTable::BenchTable(std::string const & tsv, std::string const & json, std::string const & machine) :
    tsv_(tsv.empty() ? nullptr : std::make_unique<TextOutput>(tsv, OutputFormat(), 1)),
    json_(json.empty() ? nullptr : std::make_unique<TextOutput>(json, OutputFormat(), 1))
{
    std::string line;
    for (Field const & field : fields_of({}))
        line += text(line.empty() ? "" : "\t", field.name);
    line += '\n';
    out_.write(line);
    if (tsv_)
        tsv_->write(line);
    if (json_)
        json_->write(text("{\"version\": ", quoted(nwgpu_version_string()), ", \"build\": ", quoted(nwgpu_build_info()),
                          ", \"machine\": ", quoted(machine), ",\n\"measurements\": ["));
}

void BenchTable::add(BenchRow const & row)
{
    std::string line, object;
    for (Field const & field : fields_of(row)) {
        std::string const & value = field.value;
        line += text(line.empty() ? "" : "\t", value.empty() ? "*" : value);
        object += text(object.empty() ? "" : ", ", quoted(field.name), ": ",
                       value.empty()   ? "null"
                       : field.is_text ? quoted(value)
                                       : value);
    }
    line += '\n';
    out_.write(line);
    out_.flush();
    if (tsv_) {
        tsv_->write(line);
        tsv_->flush();
    }
    if (json_)
        json_->write(text(first_ ? "\n{" : ",\n{", object, "}"));
    first_ = false;
}

void BenchTable::close()
{
    out_.close();
    if (tsv_)
        tsv_->close();
    if (json_) {
        json_->write("\n]}\n");
        json_->close();
    }
}

} // namespace cli
