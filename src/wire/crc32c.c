/* wire/crc32c.c - the table-driven loop, and the selection of a faster one on first use. */
#include "wire/crc32c.h"

#include <pthread.h>
#include <string.h>

#include "wire/crc32c_impl.h"

enum { POLYNOMIAL_BITS = 8, LANES = 8 };
static const uint32_t polynomial = 0x82f63b78u; /* reflected */

static uint32_t table[LANES][256]; /* table[k][b]: byte b followed by k zero bytes */
static weir_crc32c_fn *extend;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t extend_table(uint32_t state, const unsigned char *p, size_t length)
{
    for (; length >= LANES; p += LANES, length -= LANES) {
        uint32_t lo, hi;
        memcpy(&lo, p, 4);
        memcpy(&hi, p + 4, 4);
        lo ^= state;
        state = table[7][lo & 255] ^ table[6][lo >> 8 & 255] ^ table[5][lo >> 16 & 255] ^
                table[4][lo >> 24] ^ table[3][hi & 255] ^ table[2][hi >> 8 & 255] ^
                table[1][hi >> 16 & 255] ^ table[0][hi >> 24];
    }
    while (length--)
        state = table[0][(state ^ *p++) & 255] ^ (state >> 8);
    return state;
}

static void fill_table(void)
{
    for (int b = 0; b < 256; b++) {
        uint32_t crc = (uint32_t)b;
        for (int i = 0; i < POLYNOMIAL_BITS; i++)
            crc = crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1;
        table[0][b] = crc;
    }
    for (int k = 1; k < LANES; k++)
        for (int b = 0; b < 256; b++)
            table[k][b] = table[0][table[k - 1][b] & 255] ^ (table[k - 1][b] >> 8);
}

static void choose(void)
{
    extend = weir_crc32c_hardware();
    if (extend)
        return;
    fill_table();
    extend = extend_table;
}

uint32_t weir_crc32c_extend(uint32_t crc, const void *bytes, size_t length)
{
    pthread_once(&once, choose);
    return ~extend(~crc, bytes, length);
}
