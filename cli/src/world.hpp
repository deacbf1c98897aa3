// SPDX-License-Identifier: BSD-3-Clause
// The ranks of --mpi: which they are, how they begin and end together.
#pragma once

#include "options.hpp"

#include <nwgpu/nwgpu.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cli {

// Over libnwgpu_mpi.so, which is opened when it is asked for: the command links no MPI.
class MpiWorld {
public:
    // Throws Failure where there is no such file, or no MPI.  `arguments`: of the command, equal on all ranks.
    explicit MpiWorld(std::string const & arguments);
    MpiWorld(MpiWorld const &) = delete;

    nwgpu_communicator const & communicator() const { return communicator_; }
    bool is_first() const { return communicator_.rank == 0; }
    std::string version() const;
    // When all is done, on all ranks; without it a rank that ends leaves the others to the batch system.
    void end();
    // Ends all ranks at once.
    [[noreturn]] void abort(int exit_code) const;

private:
    template <class Function>
    Function * function(char const * name) const;

    std::string file_;
    void * library_ = nullptr;
    nwgpu_communicator communicator_ = NWGPU_COMMUNICATOR_INIT;
};

// Runs command() on rank 0, while the others compute what it hands out.  Returns the exit code; does not return where
// one rank cannot go on.
int run_in_world(EngineOptions & engine, ReportOptions const & report, std::string const & arguments,
                 std::function<int()> const & command);
// Whether a launcher of MPI has started this process: its standard output may look like a terminal then.
bool is_launched();
// Throws Failure where a batch system has started several processes, and --mpi is not given: each would do all the
// work.
void refuse_several_ranks();
// What `nwgpu doctor --mpi` prints.
int doctor_of_world(std::string const & arguments);

} // namespace cli
