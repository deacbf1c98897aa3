/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of functions over MPI, with bytes in host memory.  What is sent is
 * copied, so that nobody waits for the receiver; copies go when MPI says that
 * they have arrived.
 */
#include <mpi.h>

#include <nwgpu/nwgpu_mpi.h>

#include <stdlib.h>
#include <string.h>

#define TAG 1

struct sent {
    MPI_Request request;
    struct sent *next;
    char bytes[];
};

struct ranks {
    MPI_Comm comm;
    struct sent *sent; /* that have not arrived */
};

static int initialised_here = 0;

/* Frees the copies of what has arrived. */
static int clean(struct ranks *ranks)
{
    struct sent **place = &ranks->sent;
    while (*place) {
        struct sent *const sent = *place;
        int done = 0;
        int const error = MPI_Test(&sent->request, &done, MPI_STATUS_IGNORE);
        if (error != MPI_SUCCESS)
            return error;
        if (done) {
            *place = sent->next;
            free(sent);
        } else {
            place = &sent->next;
        }
    }
    return MPI_SUCCESS;
}

static int32_t send_bytes(void *user, int32_t to, const void *bytes, uint64_t count)
{
    struct ranks *const ranks = user;
    int error = clean(ranks);
    if (error != MPI_SUCCESS)
        return error;
    if (count > INT32_MAX)
        return MPI_ERR_COUNT;
    struct sent *const sent = malloc(sizeof *sent + count);
    if (!sent)
        return MPI_ERR_NO_MEM;
    memcpy(sent->bytes, bytes, count);
    error = MPI_Isend(sent->bytes, (int)count, MPI_BYTE, to, TAG, ranks->comm, &sent->request);
    if (error != MPI_SUCCESS) {
        free(sent);
        return error;
    }
    sent->next = ranks->sent;
    ranks->sent = sent;
    return MPI_SUCCESS;
}

static int32_t probe(void *user, int32_t *from, uint64_t *count)
{
    struct ranks *const ranks = user;
    MPI_Status status;
    int there = 0, bytes = 0;
    *from = -1;
    *count = 0;
    int error = clean(ranks);
    if (error == MPI_SUCCESS)
        error = MPI_Iprobe(MPI_ANY_SOURCE, TAG, ranks->comm, &there, &status);
    if (error == MPI_SUCCESS && there) {
        error = MPI_Get_count(&status, MPI_BYTE, &bytes);
        *from = status.MPI_SOURCE;
        *count = (uint64_t)bytes;
    }
    return error;
}

static int32_t receive(void *user, int32_t from, void *bytes, uint64_t count)
{
    struct ranks *const ranks = user;
    return count > INT32_MAX ? MPI_ERR_COUNT
                             : MPI_Recv(bytes, (int)count, MPI_BYTE, from, TAG, ranks->comm, MPI_STATUS_IGNORE);
}

/* Receives a message, if there is one, and forgets it. */
static int drop_one(struct ranks *ranks)
{
    int32_t from;
    uint64_t count;
    int error = probe(ranks, &from, &count);
    if (error != MPI_SUCCESS || from < 0)
        return error;
    void *const place = malloc(count > 0 ? count : 1);
    if (!place)
        return MPI_ERR_NO_MEM;
    error = receive(ranks, from, place, count);
    free(place);
    return error;
}

/* Until nothing is on its way: what a rank did not wait for any more, as it had
 * ended, is received here, or its sender would wait for ever. */
static int drain(struct ranks *ranks)
{
    int error = MPI_SUCCESS, all_here = 0;
    while (error == MPI_SUCCESS && ranks->sent)
        error = drop_one(ranks); /* which frees what has arrived */
    MPI_Request barrier;
    if (error == MPI_SUCCESS)
        error = MPI_Ibarrier(ranks->comm, &barrier);
    while (error == MPI_SUCCESS && !all_here) {
        error = drop_one(ranks);
        if (error == MPI_SUCCESS)
            error = MPI_Test(&barrier, &all_here, MPI_STATUS_IGNORE);
    }
    return error;
}

int32_t nwgpu_mpi_communicator(MPI_Comm from, nwgpu_communicator *communicator)
{
    struct ranks *const ranks = malloc(sizeof *ranks);
    if (!ranks)
        return MPI_ERR_NO_MEM;
    ranks->sent = NULL;
    int error = MPI_Comm_dup(from, &ranks->comm);
    if (error != MPI_SUCCESS) {
        free(ranks);
        return error;
    }
    int rank = 0, size = 1;
    MPI_Comm_set_errhandler(ranks->comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(ranks->comm, &rank);
    MPI_Comm_size(ranks->comm, &size);
    nwgpu_communicator const table = {sizeof(nwgpu_communicator), rank, size, 0, 0, ranks, send_bytes, probe, receive};
    *communicator = table;
    return MPI_SUCCESS;
}

int32_t nwgpu_mpi_world(nwgpu_communicator *communicator)
{
    int there = 0, level = 0;
    int error = MPI_Initialized(&there);
    if (error == MPI_SUCCESS && !there) {
        error = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
        initialised_here = error == MPI_SUCCESS;
    }
    return error == MPI_SUCCESS ? nwgpu_mpi_communicator(MPI_COMM_WORLD, communicator) : error;
}

int32_t nwgpu_mpi_free(nwgpu_communicator *communicator)
{
    struct ranks *const ranks = communicator->user;
    if (!ranks)
        return MPI_SUCCESS;
    int error = drain(ranks);
    if (error == MPI_SUCCESS)
        error = MPI_Comm_free(&ranks->comm);
    free(ranks);
    communicator->user = NULL;
    return error;
}

int32_t nwgpu_mpi_finalize(void) { return initialised_here ? MPI_Finalize() : MPI_SUCCESS; }

void nwgpu_mpi_abort(int32_t exit_code) { MPI_Abort(MPI_COMM_WORLD, exit_code); }

const char *nwgpu_mpi_version(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (MPI_Get_library_version(text, &length) != MPI_SUCCESS)
        length = 0;
    text[length] = 0;
    text[strcspn(text, "\n")] = 0; /* MPICH writes a page, with tabs */
    for (char *tab = text; (tab = strchr(tab, '\t')) != NULL;)
        *tab = ' ';
    return text;
}
