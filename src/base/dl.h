/* base/dl.h - libraries opened on first use, from one list of symbols. */
#ifndef WEIR_BASE_DL_H
#define WEIR_BASE_DL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct weir_dl_symbol {
    const char *name;
    void **slot; /* receives the address */
} weir_dl_symbol;

/* Opens the first of the null-terminated |names| that loads and has every symbol, and fills the
 * slots. False, with nothing filled, if there is none. The library is never closed. */
bool weir_dl_open(const char *const *names, const weir_dl_symbol *symbols, size_t count);

#endif
