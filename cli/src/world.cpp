// SPDX-License-Identifier: BSD-3-Clause
// Which MPI: NWGPU_MPI names a libnwgpu_mpi.so, or openmpi or mpich; else what the launcher has set tells.
#include "world.hpp"

#include "app.hpp"
#include "engine.hpp"
#include "failure.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <thread>

namespace cli {

namespace {

std::optional<long> number_in(char const * variable)
{
    char const * const text = std::getenv(variable);
    if (!text || *text == 0)
        return std::nullopt;
    char * end = nullptr;
    long const number = std::strtol(text, &end, 10);
    return *end == 0 ? std::optional(number) : std::nullopt;
}

std::optional<long> first_of(std::initializer_list<char const *> variables)
{
    for (char const * const variable : variables)
        if (auto const number = number_in(variable))
            return number;
    return std::nullopt;
}

// Of the process that a launcher has started; nothing: none has.
std::optional<long> launched_size()
{
    if (auto const size = first_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}))
        return size;
    return std::getenv("SLURM_PROCID") ? number_in("SLURM_STEP_NUM_TASKS") : std::nullopt;
}
long launched_rank() { return first_of({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}).value_or(0); }

// Where libnwgpu_mpi.so of the MPI may be: beside the command as it is installed, or as it is built.
std::vector<std::string> files_of(std::string const & mpi)
{
    std::error_code unknown;
    std::filesystem::path const folder = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
    std::vector<std::string> files;
    for (char const * const place :
         {"../lib/nwgpu", "../lib64/nwgpu", "../lib/" NWGPU_MULTIARCH "/nwgpu", "../capi/mpi"})
        files.push_back((folder / place / mpi / "libnwgpu_mpi.so").lexically_normal().string());
    return files;
}

std::vector<std::string> candidates()
{
    std::string const asked = std::getenv("NWGPU_MPI") ? std::getenv("NWGPU_MPI") : "";
    if (asked.find('/') != asked.npos)
        return {asked};
    std::vector<std::string> kinds{"openmpi", "mpich"};
    if (!asked.empty())
        kinds = {asked};
    else if (!std::getenv("OMPI_COMM_WORLD_SIZE") && std::getenv("PMI_SIZE"))
        std::swap(kinds[0], kinds[1]);
    std::vector<std::string> files;
    for (std::string const & kind : kinds)
        for (std::string const & file : files_of(kind))
            if (std::filesystem::exists(file))
                files.push_back(file);
    files.push_back("libnwgpu_mpi.so"); // wherever the system looks
    return files;
}

// Equal on all machines, whatever their library.
std::uint64_t fingerprint(std::string const & text)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (char const letter : text)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    return hash;
}

std::string here(int rank)
{
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    return text("rank ", rank, " (", host, ")");
}

} // namespace

template <class Function>
Function * MpiWorld::function(char const * name) const
{
    void * const symbol = dlsym(library_, name);
    if (!symbol)
        throw Failure(text("--mpi: ", file_, " has no ", name));
    return reinterpret_cast<Function *>(symbol);
}

MpiWorld::MpiWorld(std::string const & arguments)
{
    std::string why;
    for (std::string const & file : candidates()) {
        // Open MPI finds its own parts only where its symbols are for all.
        library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
        file_ = file;
        if (library_)
            break;
        why += text("; ", dlerror());
    }
    if (!library_)
        throw Failure("--mpi: libnwgpu_mpi.so cannot be opened (NWGPU_MPI=FILE names another one)" + why);
    if (auto const error = function<std::int32_t(nwgpu_communicator *)>("nwgpu_mpi_world")(&communicator_))
        throw Failure(text("--mpi: MPI does not start: its error ", error));
    // Another MPI than the launcher's sees one rank in each process.
    if (auto const size = launched_size(); size && *size != communicator_.size)
        throw Failure(text("--mpi: ", *size, " ranks were started, but ", version(), " sees ", communicator_.size,
                           "; NWGPU_MPI=openmpi, mpich or FILE chooses another one"));
    communicator_.fingerprint = fingerprint(arguments);
}

std::string MpiWorld::version() const { return function<char const *()>("nwgpu_mpi_version")(); }

void MpiWorld::end()
{
    function<std::int32_t(nwgpu_communicator *)>("nwgpu_mpi_free")(&communicator_);
    function<std::int32_t()>("nwgpu_mpi_finalize")();
}

void MpiWorld::abort(int exit_code) const
{
    std::fflush(stdout);
    std::fflush(stderr);
    // mpirun takes what was written from a pipe, and forgets it when it kills all ranks at once.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    function<void(std::int32_t)>("nwgpu_mpi_abort")(exit_code);
    std::_Exit(exit_code);
}

int run_in_world(EngineOptions & engine, ReportOptions const & report, std::string const & arguments,
                 std::function<int()> const & command)
{
    MpiWorld world(arguments);
    engine.communicator = &world.communicator();
    int code = exit_ok;
    try {
        code = world.is_first() ? command() : serve(engine, report);
    } catch (Interrupted const &) { // the others are told by the end of the context
        code = exit_interrupted;
    } catch (...) {
        world.abort(report_error(here(world.communicator().rank)));
    }
    world.end();
    return code;
}

bool is_launched() { return launched_size().has_value(); }

void refuse_several_ranks()
{
    if (launched_size().value_or(1) <= 1)
        return;
    if (launched_rank() != 0) // rank 0 says it
        std::exit(exit_error);
    throw Failure(text(*launched_size(), " processes were started together, and each would do all the work: give --mpi "
                                         "to share it, or start one"));
}

int doctor_of_world(std::string const & arguments)
{
    MpiWorld world(arguments);
    nwgpu_communicator const & table = world.communicator();
    auto const take = [&](int from) { // the next message
        std::int32_t sender = -1;
        std::uint64_t count = 0;
        do {
            if (table.probe(table.user, &sender, &count) != 0)
                throw Failure("--mpi: no message can be received");
        } while (sender != from);
        std::string message(count, 0);
        if (table.receive(table.user, from, message.data(), count) != 0)
            throw Failure("--mpi: a message is lost");
        return message;
    };
    auto const send = [&](int to, std::string const & message) {
        if (table.send(table.user, to, message.data(), message.size()) != 0)
            throw Failure("--mpi: no message can be sent");
    };
    constexpr int turns = 1000;
    if (world.is_first()) {
        std::printf("MPI           %s\nranks         %d\n", world.version().c_str(), table.size);
        std::printf("rank 0        %s\n", here(0).c_str());
        for (int rank = 1; rank < table.size; ++rank) {
            send(rank, "who");
            std::string const name = take(rank);
            auto const begin = std::chrono::steady_clock::now();
            for (int turn = 0; turn < turns; ++turn) {
                send(rank, "ping");
                take(rank);
            }
            std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - begin;
            std::printf("rank %-9d%s, %.1f us there and back\n", rank, name.c_str(), 1e6 * seconds.count() / turns);
        }
    } else {
        take(0);
        send(0, here(table.rank));
        for (int turn = 0; turn < turns; ++turn)
            send(0, take(0));
    }
    world.end();
    return exit_ok;
}

} // namespace cli
