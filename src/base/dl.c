/* base/dl.c - dlopen over a list. */
#include "base/dl.h"

#include <dlfcn.h>

static bool fill(void *lib, const weir_dl_symbol *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!dlsym(lib, symbols[i].name))
            return false;
    for (size_t i = 0; i < count; i++)
        *symbols[i].slot = dlsym(lib, symbols[i].name);
    return true;
}

bool weir_dl_open(const char *const *names, const weir_dl_symbol *symbols, size_t count)
{
    for (; *names; names++) {
        void *lib = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (lib && fill(lib, symbols, count))
            return true;
        if (lib)
            dlclose(lib);
    }
    return false;
}
