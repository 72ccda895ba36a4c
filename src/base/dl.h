/* base/dl.h - libraries opened when first needed, from one list of symbols. */
#ifndef WEIR_BASE_DL_H
#define WEIR_BASE_DL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct weir_dl_symbol {
    const char *name;
    void **slot; /* where the address goes */
} weir_dl_symbol;

/* Opens the first of the null-terminated |names| that loads and fills every symbol. False, with
 * nothing filled, when no library has them all. The library stays open for good. */
bool weir_dl_open(const char *const *names, const weir_dl_symbol *symbols, size_t count);

#endif
