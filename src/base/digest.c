// What identifies bytes: their BLAKE2b-256, by libsodium. A cryptographic hash, because a wrong match would not show: the
// cache would answer for a file with what was found in another one, and fix would write that.
#include "base/base.h"

#include <pthread.h>
#include <sodium.h>

_Static_assert(DIGEST_BYTES >= crypto_generichash_BYTES_MIN && DIGEST_BYTES <= crypto_generichash_BYTES_MAX,
               "a size that BLAKE2b has");

// Picks the code for this CPU. It can fail only for want of random numbers, which are not needed here.
static void start(void) {
    int ignored = sodium_init();
    (void)ignored;
}

Digest digest_of(Str bytes) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    Digest digest;
    pthread_once(&once, start);
    int failed = crypto_generichash(digest.bytes, sizeof digest.bytes, (const unsigned char *)bytes.ptr,
                                    bytes.len, NULL, 0);
    CHECK(failed == 0);
    return digest;
}

bool digest_eq(const Digest *a, const Digest *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}
