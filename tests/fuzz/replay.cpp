// SPDX-License-Identifier: BSD-3-Clause
// A fuzz target without libFuzzer: it is given each file of its corpus, and copies of it in which some bytes are
// changed, inserted or left out.
//
//     replay_<target> FOLDER [COPIES [SEED]]
//
// What fails ends the program, which says before which file and copy it was; that copy alone: COPIES of 1, its SEED.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const * data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

char now[1024]; // what is run

void tell(int signal)
{
    [[maybe_unused]] auto const written = write(STDERR_FILENO, now, std::char_traits<char>::length(now));
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

Bytes read(std::filesystem::path const & path)
{
    std::ifstream file(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(file), {});
}

Bytes changed(Bytes bytes, std::uint64_t seed)
{
    std::mt19937_64 random{seed};
    auto const byte = [&] { return static_cast<std::uint8_t>(random()); };
    for (std::uint64_t changes = 1 + random() % 4; changes > 0; --changes) {
        auto const at = bytes.begin() + static_cast<std::ptrdiff_t>(random() % (bytes.size() + 1));
        auto const some = static_cast<std::ptrdiff_t>(random() % 8);
        switch (random() % 4) {
        case 0:
            bytes.insert(at, byte());
            break;
        case 1:
            bytes.erase(at, at + std::min(some, bytes.end() - at));
            break;
        case 2:
            bytes.insert(at, static_cast<std::size_t>(some), byte());
            break;
        default:
            if (at != bytes.end())
                *at = random() % 2 == 0 ? byte() : static_cast<std::uint8_t>(*at ^ 1 << random() % 8);
        }
    }
    return bytes;
}

void run(std::string const & words, Bytes const & bytes)
{
    std::snprintf(now, sizeof now, "replay: %s\n", words.c_str());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

} // namespace

int main(int count, char ** arguments)
{
    if (count < 2) {
        std::fprintf(stderr, "usage: %s FOLDER [COPIES [SEED]]\n", arguments[0]);
        return 2;
    }
    std::uint64_t const copies = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 2000,
                        seed = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1;
    for (int const signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
        std::signal(signal, tell);
    std::vector<std::filesystem::path> files;
    for (auto const & entry : std::filesystem::directory_iterator(arguments[1]))
        files.push_back(entry.path());
    std::ranges::sort(files);
    for (auto const & file : files) {
        Bytes const bytes = read(file);
        run(file.string(), bytes);
        for (std::uint64_t k = seed; k < seed + copies; ++k)
            run(file.string() + " copies=1 seed=" + std::to_string(k), changed(bytes, k));
    }
    std::printf("%zu files, %zu inputs\n", files.size(), files.size() * (1 + static_cast<std::size_t>(copies)));
    return files.empty() ? 1 : 0;
}
