/* The generator of gamecore/rng.py, so that both sides draw the same numbers. */
#include <stdint.h>

static inline uint64_t next_uint64(uint64_t *s) {
    uint64_t x = s[1] * 5, result = (x << 7 | x >> 57) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

static inline int64_t below(uint64_t *s, uint64_t n) {
    uint64_t product = (next_uint64(s) >> 32) * n;
    if ((uint32_t)product < n) {
        uint64_t threshold = (0x100000000u - n) % n;
        while ((uint32_t)product < threshold) product = (next_uint64(s) >> 32) * n;
    }
    return product >> 32;
}
