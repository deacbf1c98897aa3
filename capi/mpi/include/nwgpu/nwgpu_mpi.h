/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nwgpu_mpi.h - a world of MPI's ranks for nwgpu_context_options.communicator.
 *
 * The library is one file, nwgpu_mpi.c, because a compiled one fits one MPI: on
 * a cluster it is compiled with that cluster's mpicc,
 *
 *     mpicc -O2 -shared -fPIC -o libnwgpu_mpi.so nwgpu_mpi.c -I <include folder>
 *
 * Programs link it, or open it as the command nwgpu does.  All ranks make their
 * context with the communicator; then rank 0 makes its calls, and the others
 * call nwgpu_context_serve.  Functions return 0, or an error code of MPI.
 */
#ifndef NWGPU_NWGPU_MPI_H
#define NWGPU_NWGPU_MPI_H

#include <nwgpu/nwgpu.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All ranks of MPI_COMM_WORLD; calls MPI_Init_thread where the program has not.
 * Messages have a communicator of their own, apart from the program's. */
NWGPU_API int32_t nwgpu_mpi_world(nwgpu_communicator *communicator);
#ifdef MPI_VERSION /* <mpi.h> is included */
/* The ranks of `ranks`; collective. */
NWGPU_API int32_t nwgpu_mpi_communicator(MPI_Comm ranks, nwgpu_communicator *communicator);
#endif
/* When the context is destroyed: waits until what was sent is received, and frees
 * the communicator's memory.  Collective. */
NWGPU_API int32_t nwgpu_mpi_free(nwgpu_communicator *communicator);
/* MPI_Finalize, where nwgpu_mpi_world called MPI_Init_thread. */
NWGPU_API int32_t nwgpu_mpi_finalize(void);
/* Ends all ranks at once: for a rank that cannot go on.  Does not return. */
NWGPU_API void    nwgpu_mpi_abort(int32_t exit_code);
/* "Open MPI v4.1.4, ..." */
NWGPU_API const char *nwgpu_mpi_version(void);

#ifdef __cplusplus
}
#endif
#endif /* NWGPU_NWGPU_MPI_H */
