// What a unit test needs: a program that runs its TESTs and prints "N passed, N failed".
//
//     TEST(adds) { EXPECT(1 + 1 == 2); EXPECT_STR(buf_view(&buf), "text"); }
//     int main(void) { RUN(adds); return test_report(); }
#ifndef GM_TEST_H
#define GM_TEST_H

#include "base/base.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int tests_passed, tests_failed, expectations_failed;

#define TEST(name) static void test_##name(void)
#define EXPECT(cond) ((cond) ? (void)0 : test_fail(__FILE__, __LINE__, #cond))
#define EXPECT_STR(actual, expected) test_expect_str(__FILE__, __LINE__, (actual), str_of(expected))
// The statement ends the process as a bug of our own does: panic, so SIGABRT.
#define EXPECT_PANIC(statement)                                                                              \
    EXPECT(({                                                                                                \
        pid_t child_ = fork();                                                                               \
        if (child_ == 0) {                                                                                   \
            test_silence();                                                                                  \
            statement;                                                                                       \
            _exit(0);                                                                                        \
        }                                                                                                    \
        test_died_of(child_, SIGABRT);                                                                       \
    }))
#define RUN(name) test_run(#name, test_##name)

static inline void test_fail(const char *file, int line, const char *what) {
    expectations_failed++;
    printf("%s:%d: %s\n", file, line, what);
}

static inline void test_expect_str(const char *file, int line, Str actual, Str expected) {
    if (str_eq(actual, expected))
        return;
    expectations_failed++;
    printf("%s:%d: expected \"%.*s\"\n  got \"%.*s\"\n", file, line, STR_ARG(expected), STR_ARG(actual));
}

static inline void test_silence(void) {
    if (!freopen("/dev/null", "w", stderr))
        _exit(0);
}

static inline bool test_died_of(pid_t child, int signal_number) {
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == signal_number;
}

static inline void test_run(const char *name, void (*test)(void)) {
    expectations_failed = 0;
    test();
    if (expectations_failed)
        printf("FAILED %s\n", name);
    *(expectations_failed ? &tests_failed : &tests_passed) += 1;
    fflush(stdout);
}

static inline int test_report(void) {
    printf("%d passed, %d failed\n", tests_passed, tests_failed);
    return tests_failed != 0;
}

#endif
