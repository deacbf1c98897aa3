/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lets what is linked on a newer system run with every glibc from 2.28 on (August 2018).
 *
 * glibc gives a function a new version where it moves to another library or changes at the edges, and the linker takes
 * the newest.  portable.cmake links with --wrap for each function below, so that all calls of it, those from libstdc++.a
 * among them, arrive here, and go on to the version that has always been there.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#if defined(__x86_64__)
#  define OLDEST "GLIBC_2.2.5"
#  define OLDEST_CLOCK "GLIBC_2.3.3"
#  define OLDEST_DLMOPEN "GLIBC_2.3.4"
#  define OLDEST_FXSTATAT "GLIBC_2.4"
#  define STAT_VERSION 1
#elif defined(__aarch64__)
#  define OLDEST "GLIBC_2.17"
#  define OLDEST_CLOCK OLDEST
#  define OLDEST_DLMOPEN OLDEST
#  define OLDEST_FXSTATAT OLDEST
#  define STAT_VERSION 0
#else
#  error "which version of glibc was the first on this machine?"
#endif

/* old_NAME is the NAME of a version. */
#define OLD(result, name, parameters, version) \
    result old_##name parameters; \
    __asm__(".symver old_" #name ", " #name "@" version)
#define WRAP_SINCE(result, name, parameters, arguments, version) \
    OLD(result, name, parameters, version); \
    result __wrap_##name parameters; \
    result __wrap_##name parameters { return old_##name arguments; }
#define WRAP(result, name, parameters, arguments) WRAP_SINCE(result, name, parameters, arguments, OLDEST)

/* In libpthread before 2.34. */
WRAP(int, pthread_create, (pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument),
     (thread, attributes, start, argument))
WRAP(int, pthread_join, (pthread_t thread, void **value), (thread, value))
WRAP(int, pthread_detach, (pthread_t thread), (thread))
WRAP(int, pthread_once, (pthread_once_t *control, void (*routine)(void)), (control, routine))
WRAP(int, pthread_key_create, (pthread_key_t *key, void (*destroy)(void *)), (key, destroy))
WRAP(int, __pthread_key_create, (pthread_key_t *key, void (*destroy)(void *)), (key, destroy))
WRAP(int, pthread_key_delete, (pthread_key_t key), (key))
WRAP(void *, pthread_getspecific, (pthread_key_t key), (key))
WRAP(int, pthread_setspecific, (pthread_key_t key, const void *value), (key, value))
WRAP(int, pthread_mutex_trylock, (pthread_mutex_t *mutex), (mutex))
WRAP(int, pthread_mutex_timedlock, (pthread_mutex_t *mutex, const struct timespec *end), (mutex, end))
WRAP(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old))
WRAP(int, pthread_kill, (pthread_t thread, int signal), (thread, signal))
WRAP(int, pthread_attr_getstacksize, (const pthread_attr_t *attributes, size_t *bytes), (attributes, bytes))
WRAP(int, pthread_attr_setstacksize, (pthread_attr_t *attributes, size_t bytes), (attributes, bytes))
WRAP(int, pthread_mutexattr_init, (pthread_mutexattr_t *attributes), (attributes))
WRAP(int, pthread_mutexattr_destroy, (pthread_mutexattr_t *attributes), (attributes))
WRAP(int, pthread_mutexattr_settype, (pthread_mutexattr_t *attributes, int type), (attributes, type))
WRAP(int, pthread_mutexattr_setpshared, (pthread_mutexattr_t *attributes, int shared), (attributes, shared))
WRAP(int, pthread_condattr_setpshared, (pthread_condattr_t *attributes, int shared), (attributes, shared))
WRAP_SINCE(int, pthread_condattr_setclock, (pthread_condattr_t *attributes, clockid_t clock), (attributes, clock),
           OLDEST_CLOCK)
WRAP(int, pthread_rwlockattr_init, (pthread_rwlockattr_t *attributes), (attributes))
WRAP(int, pthread_rwlockattr_destroy, (pthread_rwlockattr_t *attributes), (attributes))
WRAP(int, pthread_rwlockattr_setpshared, (pthread_rwlockattr_t *attributes, int shared), (attributes, shared))
WRAP(int, pthread_rwlock_init, (pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes), (lock, attributes))
WRAP(int, pthread_rwlock_destroy, (pthread_rwlock_t *lock), (lock))
WRAP(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
WRAP(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *lock), (lock))
WRAP(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))
WRAP(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *lock), (lock))
WRAP(int, pthread_rwlock_unlock, (pthread_rwlock_t *lock), (lock))
WRAP(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *lock, const struct timespec *end), (lock, end))
WRAP(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *lock, const struct timespec *end), (lock, end))
WRAP(int, pthread_spin_init, (pthread_spinlock_t *lock, int shared), (lock, shared))
WRAP(int, pthread_spin_destroy, (pthread_spinlock_t *lock), (lock))
WRAP(int, pthread_spin_lock, (pthread_spinlock_t *lock), (lock))
WRAP(int, pthread_spin_trylock, (pthread_spinlock_t *lock), (lock))
WRAP(int, pthread_spin_unlock, (pthread_spinlock_t *lock), (lock))
WRAP(int, sem_init, (sem_t *semaphore, int shared, unsigned value), (semaphore, shared, value))
WRAP(int, sem_destroy, (sem_t *semaphore), (semaphore))
WRAP(int, sem_wait, (sem_t *semaphore), (semaphore))
WRAP(int, sem_trywait, (sem_t *semaphore), (semaphore))
WRAP(int, sem_post, (sem_t *semaphore), (semaphore))
WRAP(int, sem_timedwait, (sem_t *semaphore, const struct timespec *end), (semaphore, end))

/* In libdl before 2.34. */
WRAP(void *, dlopen, (const char *file, int mode), (file, mode))
WRAP(int, dlclose, (void *handle), (handle))
WRAP(void *, dlsym, (void *handle, const char *name), (handle, name))
WRAP(void *, dlvsym, (void *handle, const char *name, const char *version), (handle, name, version))
WRAP(char *, dlerror, (void), ())
WRAP_SINCE(void *, dlmopen, (Lmid_t space, const char *file, int mode), (space, file, mode), OLDEST_DLMOPEN)

/* In librt before 2.34. */
WRAP(int, shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode))
WRAP(int, shm_unlink, (const char *name), (name))

/* Since 2.29 without the handling of errors of SVID. */
WRAP(double, exp, (double x), (x))
WRAP(double, exp2, (double x), (x))
WRAP(double, log, (double x), (x))
WRAP(double, log2, (double x), (x))
WRAP(double, pow, (double x, double y), (x, y))

/* Before 2.33 inline functions over these, whose first argument is the version of struct stat. */
OLD(int, __xstat, (int version, const char *path, struct stat *found), OLDEST);
OLD(int, __lxstat, (int version, const char *path, struct stat *found), OLDEST);
OLD(int, __fxstat, (int version, int file, struct stat *found), OLDEST);
OLD(int, __fxstatat, (int version, int folder, const char *path, struct stat *found, int flags), OLDEST_FXSTATAT);
#define WRAP_STAT(name, parameters, arguments, old) \
    int __wrap_##name parameters; \
    int __wrap_##name parameters { return old arguments; }
WRAP_STAT(stat, (const char *path, struct stat *found), (STAT_VERSION, path, found), old___xstat)
WRAP_STAT(lstat, (const char *path, struct stat *found), (STAT_VERSION, path, found), old___lxstat)
WRAP_STAT(fstat, (int file, struct stat *found), (STAT_VERSION, file, found), old___fxstat)
WRAP_STAT(fstatat, (int folder, const char *path, struct stat *found, int flags),
          (STAT_VERSION, folder, path, found, flags), old___fxstatat)
/* On 64-bit machines the same. */
WRAP_STAT(stat64, (const char *path, struct stat *found), (STAT_VERSION, path, found), old___xstat)
WRAP_STAT(lstat64, (const char *path, struct stat *found), (STAT_VERSION, path, found), old___lxstat)
WRAP_STAT(fstat64, (int file, struct stat *found), (STAT_VERSION, file, found), old___fxstat)
WRAP_STAT(fstatat64, (int folder, const char *path, struct stat *found, int flags),
          (STAT_VERSION, folder, path, found, flags), old___fxstatat)

/* Since 2.36, for std::random_device. */
uint32_t __wrap_arc4random(void);
uint32_t __wrap_arc4random(void)
{
    uint32_t number = 0;
    while (getrandom(&number, sizeof number, 0) != sizeof number) {
    }
    return number;
}

/* Since 2.32, for libstdc++: no thread but one was ever started.  "Perhaps there are more" is right, too. */
char __libc_single_threaded;

/* Since 2.30: with a clock of the caller's choice.  libstdc++ waits by the steady clock with them. */
static int on_real_clock(clockid_t clock, const struct timespec *end, struct timespec *real_end)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, real_end) != 0)
        return EINVAL;
    real_end->tv_sec += end->tv_sec - now.tv_sec;
    real_end->tv_nsec += end->tv_nsec - now.tv_nsec;
    if (real_end->tv_nsec < 0) {
        real_end->tv_nsec += 1000000000;
        --real_end->tv_sec;
    } else if (real_end->tv_nsec >= 1000000000) {
        real_end->tv_nsec -= 1000000000;
        ++real_end->tv_sec;
    }
    return 0;
}

int __wrap_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end);
int __wrap_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end)
{
    struct timespec real_end;
    int const failed = on_real_clock(clock, end, &real_end);
    return failed ? failed : old_pthread_mutex_timedlock(mutex, &real_end);
}

int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *end);
int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *end)
{
    struct timespec real_end;
    int const failed = on_real_clock(clock, end, &real_end);
    return failed ? failed : pthread_cond_timedwait(condition, mutex, &real_end);
}
