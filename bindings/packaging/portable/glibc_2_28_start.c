/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What glibc_2_28.c is for a library, for a program.  Since glibc 2.34 the C library itself runs the constructors of a
 * program; before it, the program gave it a function that does.  Every glibc calls such a function where there is one.
 */
#if defined(__x86_64__)
#  define OLDEST "GLIBC_2.2.5"
#else
#  define OLDEST "GLIBC_2.17"
#endif

typedef int main_function(int, char **, char **);
typedef void constructor(int, char **, char **);

/* Of the linker. */
extern constructor *__init_array_start[] __attribute__((visibility("hidden")));
extern constructor *__init_array_end[] __attribute__((visibility("hidden")));
void _init(void);

static void construct(int count, char **arguments, char **environment)
{
    constructor **one;
    _init();
    for (one = __init_array_start; one != __init_array_end; ++one)
        (*one)(count, arguments, environment);
}

int old_libc_start_main(main_function *program, int count, char **arguments, constructor *init, void (*fini)(void),
                        void (*loader_fini)(void), void *stack_end);
__asm__(".symver old_libc_start_main, __libc_start_main@" OLDEST);

int __wrap___libc_start_main(main_function *program, int count, char **arguments, constructor *init, void (*fini)(void),
                             void (*loader_fini)(void), void *stack_end);
int __wrap___libc_start_main(main_function *program, int count, char **arguments, constructor *init, void (*fini)(void),
                             void (*loader_fini)(void), void *stack_end)
{
    return old_libc_start_main(program, count, arguments, init ? init : construct, fini, loader_fini, stack_end);
}
