/* tensor/tstring.h - string elements, laid out as TF_TString (24 bytes, little-endian).
 *
 *   low two bits of byte 0: 0 small, 1 large, 2 offset, 3 view
 *   small   byte 0 = length << 2, up to 22 bytes from byte 1, then a NUL
 *   large   size_t length << 2 | 1, size_t capacity, char *bytes (malloc'ed, NUL-terminated)
 *   offset  uint32 length << 2 | 2, uint32 offset from the struct, uint32 count
 *   view    size_t length << 2 | 3, const char *bytes, owner
 * All-zero bytes are an empty string. Large strings are freed by free(), because clients compiled
 * against the layout do so.
 */
#ifndef WEIR_TENSOR_TSTRING_H
#define WEIR_TENSOR_TSTRING_H

#include "base/str.h"

typedef struct weir_tstring {
    union {
        uint8_t bytes[24];
        struct {
            size_t head, capacity;
            char *at;
        } large;
        struct {
            size_t head;
            const char *at;
            void *owner;
        } view;
        struct {
            uint32_t head, offset, count;
        } off;
    };
} weir_tstring;

weir_str weir_tstring_get(const weir_tstring *tstring);
void weir_tstring_set(weir_tstring *tstring, const void *bytes,
                      size_t length); /* replaces what was there */
/* Sets the length to |length| and returns the bytes, which are uninitialised. */
char *weir_tstring_resize(weir_tstring *tstring, size_t length);
void weir_tstring_fini(weir_tstring *tstring); /* leaves an empty string */
/* Stops counting its bytes, which a client will free, as memory in use. */
void weir_tstring_uncount(weir_tstring *tstring);

#endif
