/* cli/elf.h - the dynamic symbols of a program or a library. */
#ifndef WEIR_CLI_ELF_H
#define WEIR_CLI_ELF_H

#include "base/mem.h"
#include "base/str.h"

typedef struct elf_symbols {
    WEIR_VEC(weir_str) needed;  /* undefined symbols */
    WEIR_VEC(weir_str) defined; /* defined symbols */
    weir_buf file;              /* the names are views into it */
} elf_symbols;

/* INVALID_ARGUMENT for a file that is not a 64-bit little-endian ELF file or is damaged. */
WEIR_CHECKED weir_status elf_read(const char *path, elf_symbols *out_symbols);
void elf_fini(elf_symbols *symbols); /* accepts a zeroed one */

#endif
