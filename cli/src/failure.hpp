// SPDX-License-Identifier: BSD-3-Clause
// How a command ends before its work is done, the exit codes, and the helper that composes messages.
#pragma once

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace cli {

enum ExitCode : int { exit_ok = 0, exit_error = 1, exit_pairs_failed = 2, exit_interrupted = 130 };

// Bad usage, bad input or a failed write: the text says where and what; the command exits with exit_error.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The user pressed Ctrl-C: what is complete has been written.
struct Interrupted {};

// Appends all parts, one after the other, as text.  No stream behind it: writers call this for every line.
template <typename... Parts>
void append_text(std::string & out, Parts const &... parts)
{
    auto const add = [&](auto const & part) {
        using Part = std::remove_cvref_t<decltype(part)>;
        if constexpr (std::is_integral_v<Part> && !std::is_same_v<Part, char>) {
            char digits[20];
            out.append(digits, std::to_chars(digits, digits + sizeof digits, part).ptr);
        } else {
            out += part;
        }
    };
    (add(parts), ...);
}

template <typename... Parts>
std::string text(Parts const &... parts)
{
    std::string out;
    append_text(out, parts...);
    return out;
}

// As it can be shown in a message: control bytes, which could move a terminal's cursor, as \x1b and the like.
inline std::string printable(std::string_view message)
{
    std::string out;
    for (char const letter : message) {
        auto const byte = static_cast<unsigned char>(letter);
        if ((byte >= ' ' && byte != 0x7f) || letter == '\n') {
            out += letter;
        } else {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
            out += escaped;
        }
    }
    return out;
}

// "name: No such file or directory"
inline Failure system_failure(std::string const & name, int error = errno)
{
    return Failure(text(name, ": ", error != 0 ? std::strerror(error) : "input/output error"));
}

} // namespace cli
