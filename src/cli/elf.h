/* cli/elf.h - the dynamic symbols of a program or a library. */
#ifndef WEIR_CLI_ELF_H
#define WEIR_CLI_ELF_H

#include "base/mem.h"
#include "base/str.h"

typedef struct elf_symbols {
    WEIR_VEC(weir_str) needed;  /* what others have to define */
    WEIR_VEC(weir_str) defined; /* what it defines */
    weir_buf file;              /* the names point into it */
} elf_symbols;

/* INVALID_ARGUMENT for a file that is no 64-bit little-endian ELF file or is damaged. */
WEIR_CHECKED weir_status elf_read(const char *path, elf_symbols *out_symbols);
void elf_fini(elf_symbols *symbols); /* takes a zeroed one */

#endif
