// Runs one function over a range of indices on several threads.
//
// Input: a count, a number of threads, the work. Output: returns when every index is done. Indices are handed out in
// order, one at a time; which thread takes which is open, so work writes only to what belongs to its index.
//
// Also with one thread the work runs on a thread of its own, because its stack is of a known size: the depth limits of
// the parser and the passes are set for it, not for whatever ulimit -s says. Where not one can be started the process ends:
// on a smaller stack a file that is nested deeply would end it without a word.
#include "base/base.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum { STACK_BYTES = 64 * 1024 * 1024 }; // address space; pages are taken as they are touched

typedef struct Pool {
    atomic_uint next;
    uint32_t count;
    void (*work)(void *context, uint32_t index);
    void *context;
} Pool;

static void *run(void *argument) {
    Pool *pool = argument;
    for (uint32_t index; (index = atomic_fetch_add(&pool->next, 1)) < pool->count;)
        pool->work(pool->context, index);
    return NULL;
}

static uint32_t online_cpus(void) {
    cpu_set_t allowed; // a container or taskset may allow fewer than the machine has
    int count = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
    return count > 0 ? (uint32_t)count : 1;
}

void pool_run(uint32_t count, uint32_t jobs, void (*work)(void *context, uint32_t index), void *context) {
    CHECK(count <= UINT32_MAX - POOL_JOBS_MAX); // each thread counts once past the end
    Pool pool = {.count = count, .work = work, .context = context};
    if (jobs == 0)
        jobs = online_cpus();
    if (jobs > POOL_JOBS_MAX)
        jobs = POOL_JOBS_MAX;
    if (jobs > count)
        jobs = count;

    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0);
    pthread_t threads[POOL_JOBS_MAX];
    uint32_t started = 0;
    int error = 0;
    while (started < jobs && (error = pthread_create(&threads[started], &attributes, run, &pool)) == 0)
        started++;
    pthread_attr_destroy(&attributes);
    if (started == 0 && jobs > 0)
        PANIC("cannot start a thread with a stack of 64 MiB: %s", strerror(error));
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
