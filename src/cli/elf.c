/* cli/elf.c - reads section headers and dynamic symbols, with bounds checks. */
#include "cli/elf.h"

#include <elf.h>

#include "io/file.h"

static const size_t largest = (size_t)4 << 30;

static weir_status damaged(const char *what)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "it is not a whole ELF file: %s", what);
}

/* |count| items of |bytes| at |offset|, or null if out of bounds. */
static const void *at(const weir_buf *file, uint64_t offset, uint64_t count, size_t bytes)
{
    if (offset > file->length || count > (file->length - offset) / bytes)
        return NULL;
    return file->at + offset;
}

static weir_status no_elf_file(void)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "it is no ELF file");
}

/* Before the whole file is read, which may be long. */
static weir_status check_magic(const char *path)
{
    char magic[SELFMAG] = "";
    size_t length;
    WEIR_OWNED(weir_rfile) file = NULL;
    WEIR_TRY(weir_rfile_open(path, &file));
    WEIR_TRY(weir_rfile_read_some(file, 0, magic, sizeof magic, &length));
    return memcmp(magic, ELFMAG, SELFMAG) == 0 ? WEIR_OK : no_elf_file();
}

static weir_status read_header(const weir_buf *file, Elf64_Ehdr *out)
{
    const void *head = at(file, 0, 1, sizeof *out);
    if (!head || memcmp(head, ELFMAG, SELFMAG) != 0)
        return no_elf_file();
    memcpy(out, head, sizeof *out);
    if (out->e_ident[EI_CLASS] != ELFCLASS64 || out->e_ident[EI_DATA] != ELFDATA2LSB)
        return weir_error(WEIR_UNIMPLEMENTED, "it is not of a 64-bit little-endian machine");
    if (out->e_shentsize != sizeof(Elf64_Shdr))
        return damaged("its section headers");
    return WEIR_OK;
}

/* The name at |offset| of a string table; false if it is not terminated inside the table. */
static bool name_at(weir_str names, uint32_t offset, weir_str *out)
{
    if (offset >= names.length)
        return false;
    const char *begin = names.at + offset, *end = memchr(begin, 0, names.length - offset);
    *out = (weir_str){begin, end ? (size_t)(end - begin) : 0};
    return end != NULL;
}

static weir_status add_symbols(elf_symbols *symbols, const Elf64_Shdr *table, weir_str names)
{
    uint64_t count = table->sh_size / sizeof(Elf64_Sym);
    const char *from = at(&symbols->file, table->sh_offset, count, sizeof(Elf64_Sym));
    if (!from)
        return damaged("its dynamic symbols");
    for (uint64_t i = 0; i < count; i++) {
        Elf64_Sym symbol;
        weir_str name;
        memcpy(&symbol, from + i * sizeof symbol, sizeof symbol);
        if (!name_at(names, symbol.st_name, &name))
            return damaged("a symbol's name");
        if (symbol.st_shndx == SHN_UNDEF)
            weir_vec_push(&symbols->needed, name);
        else
            weir_vec_push(&symbols->defined, name);
    }
    return WEIR_OK;
}

static weir_status read_sections(elf_symbols *symbols)
{
    Elf64_Ehdr head;
    WEIR_TRY(read_header(&symbols->file, &head));
    const char *sections = at(&symbols->file, head.e_shoff, head.e_shnum, sizeof(Elf64_Shdr));
    if (!sections)
        return damaged("its section headers");
    for (int i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr table, strings;
        memcpy(&table, sections + i * sizeof table, sizeof table);
        if (table.sh_type != SHT_DYNSYM)
            continue;
        if (table.sh_link >= head.e_shnum)
            return damaged("the names of its dynamic symbols");
        memcpy(&strings, sections + table.sh_link * sizeof strings, sizeof strings);
        const char *names = at(&symbols->file, strings.sh_offset, strings.sh_size, 1);
        if (!names)
            return damaged("the names of its dynamic symbols");
        WEIR_TRY(add_symbols(symbols, &table, (weir_str){names, strings.sh_size}));
    }
    return WEIR_OK;
}

weir_status elf_read(const char *path, elf_symbols *out_symbols)
{
    *out_symbols = (elf_symbols){0};
    weir_status status = check_magic(path);
    if (!status)
        status = weir_file_read_all(path, largest, &out_symbols->file);
    if (!status)
        status = read_sections(out_symbols);
    if (status)
        elf_fini(out_symbols);
    return weir_file_note(status, path);
}

void elf_fini(elf_symbols *symbols)
{
    weir_vec_fini(&symbols->needed);
    weir_vec_fini(&symbols->defined);
    weir_buf_fini(&symbols->file);
    *symbols = (elf_symbols){0};
}
