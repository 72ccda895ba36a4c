/* capi/library.c - TF_LoadLibrary: shared libraries with ops and kernels.
 *
 * A library registers its ops when it is loaded: from a constructor, in a function TF_InitKernel,
 * or by a table weir_ops (weir/op.h). If it was built for TensorFlow, it may need TensorFlow's
 * symbols or link to its libraries; this library provides both.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>

#include "capi/kernel_impl.h"
#include "graph/proto.h"
#include "tensorflow/c/c_api_experimental.h"
#include "weir/op.h"
#include "wire/messages.h"

/* ---- ops as one struct ----------------------------------------------------------------------- */

static weir_status check_spec(const weir_op_spec *spec)
{
    if (spec->size != sizeof *spec)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "a weir_op_spec has %zu bytes here, not %zu: build the library again",
                          sizeof *spec, spec->size);
    if (!spec->name || (!spec->compute && !spec->compute_async))
        return weir_error(WEIR_INVALID_ARGUMENT, "an op needs a name and a function that computes");
    return WEIR_OK;
}

static weir_buf text_in(const char *text)
{
    return (weir_buf){.at = (char *)text, .length = text ? strlen(text) : 0};
}

static weir_status register_spec(const weir_op_spec *spec)
{
    WEIR_TRY(check_spec(spec));
    unsigned flags = (spec->flags & WEIR_SPEC_STATEFUL ? WEIR_STATEFUL : 0u) |
                     (spec->flags & WEIR_SPEC_COMMUTATIVE ? WEIR_COMMUTATIVE : 0u);
    WEIR_TRY(weir_signature_register(&(weir_signature){.name = spec->name,
                                                       .in = text_in(spec->inputs),
                                                       .out = text_in(spec->outputs),
                                                       .attrs = text_in(spec->attrs),
                                                       .flags = flags,
                                                       .shape = spec->shape,
                                                       .gradient = spec->gradient}));
    weir_library_kernel_add(&(weir_library_kernel){
        .added = {.kernel = {.devices = WEIR_CPU, .types = spec->types ? spec->types : "*"},
                  .op = spec->name},
        .create = spec->create,
        .compute = spec->compute,
        .compute_async = spec->compute_async,
        .destroy = spec->destroy});
    return WEIR_OK;
}

void weir_op_register(const weir_op_spec *spec, TF_Status *status)
{
    weir_capi_end(status, register_spec(spec));
}

/* ---- opening -----------------------------------------------------------------------------------
 */

/* The loaded libraries; they are never unloaded, as their ops may be in use. */
typedef struct loaded {
    void *handle;
    weir_buf ops; /* a serialised OpList */
} loaded;

static weir_mutex load_lock = WEIR_MUTEX_INIT;
static WEIR_VEC(loaded) all WEIR_GUARDED_BY(load_lock);

struct TF_Library {
    char *ops;
    size_t length;
};

/* A sanitizer's runtime does not support RTLD_DEEPBIND. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define OWN_SYMBOLS 0
#else
#define OWN_SYMBOLS RTLD_DEEPBIND
#endif

/* Makes this library's C API visible to libraries, however it was loaded, and loads TensorFlow's
 * library names, which are links to it where installed beside it. If they are TensorFlow itself,
 * whose C++ API a library may need, that registers its ops with itself. */
static void offer_symbols(void)
{
    static const char *const names[] = {"libtensorflow_framework.so.2", "libtensorflow_cc.so.2"};
    Dl_info self;
    if (!dladdr((void *)(uintptr_t)TF_LoadLibrary, &self) || !self.dli_fname)
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        dlopen(names[i], RTLD_NOW | RTLD_LOCAL | OWN_SYMBOLS);
    dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/* A symbol of the library itself, not of its dependencies. */
static void *own_symbol(void *handle, const char *name)
{
    void *symbol = dlsym(handle, name), *base;
    Dl_info of_symbol, of_self;
    if (!symbol || !dladdr(symbol, &of_symbol))
        return NULL;
    base = of_symbol.dli_fbase;
    return dladdr((void *)(uintptr_t)TF_LoadLibrary, &of_self) && of_self.dli_fbase == base
               ? NULL
               : symbol;
}

/* Registers what the library's constructors did not. */
static weir_status register_rest(void *handle)
{
    void (*init)(void) = (void (*)(void))(uintptr_t)own_symbol(handle, "TF_InitKernel");
    if (init)
        init();
    const weir_op_spec *const *specs = own_symbol(handle, "weir_ops");
    for (; specs && *specs; specs++)
        WEIR_TRY(register_spec(*specs));
    return WEIR_OK;
}

static void list_ops(size_t first, weir_buf *out)
{
    const weir_registry *registry = weir_catalogue();
    for (size_t i = first; i < weir_library_op_count(); i++) {
        size_t mark = weir_message_open(out, WEIR_FIELD_op_list_op);
        weir_opdef_export(weir_registry_def(registry, weir_library_op_at(i)), out);
        weir_message_close(out, mark);
    }
}

static loaded *find_loaded(void *handle) WEIR_REQUIRES(load_lock)
{
    for (size_t i = 0; i < all.count; i++)
        if (all.at[i].handle == handle)
            return &all.at[i];
    return NULL;
}

static weir_status open_library(const char *file, const loaded **out_loaded)
    WEIR_REQUIRES(load_lock)
{
    size_t first = weir_library_op_count();
    offer_symbols();
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return weir_error(WEIR_NOT_FOUND, "%s", dlerror());
    if (!find_loaded(handle)) {
        WEIR_TRY(register_rest(handle));
        loaded one = {.handle = handle};
        list_ops(first, &one.ops);
        weir_vec_push(&all, one);
    }
    *out_loaded = find_loaded(handle);
    return WEIR_OK;
}

static weir_status load(const char *file, TF_Library **out_library) WEIR_REQUIRES(load_lock)
{
    const loaded *found;
    WEIR_TRY(open_library(file, &found));
    TF_Library *library = WEIR_NEW(TF_Library);
    library->ops = weir_strndup(found->ops.length ? found->ops.at : "", found->ops.length);
    library->length = found->ops.length;
    *out_library = library;
    return WEIR_OK;
}

weir_status weir_capi_load_library(const char *file)
{
    const loaded *found;
    weir_mutex_lock(&load_lock);
    weir_status status = open_library(file, &found);
    weir_mutex_unlock(&load_lock);
    return status;
}

/* ---- the interface -----------------------------------------------------------------------------
 */

TF_Library *TF_LoadLibrary(const char *library_filename, TF_Status *status)
{
    TF_Library *library = NULL;
    weir_mutex_lock(&load_lock);
    weir_status failed = load(library_filename, &library);
    weir_mutex_unlock(&load_lock);
    weir_capi_end(status, failed);
    return library;
}

TF_Buffer TF_GetOpList(TF_Library *lib_handle)
{
    return (TF_Buffer){lib_handle->ops, lib_handle->length, NULL};
}

/* The library itself is not unloaded: its ops may be in use. */
void TF_DeleteLibraryHandle(TF_Library *lib_handle)
{
    if (!lib_handle)
        return;
    weir_free(lib_handle->ops);
    weir_free(lib_handle);
}

TF_Library *TF_LoadPluggableDeviceLibrary(const char *library_filename, TF_Status *status)
{
    weir_capi_end(status, weir_error(WEIR_UNIMPLEMENTED, "Devices cannot be added by libraries: %s",
                                     library_filename));
    return NULL;
}

void TF_DeletePluggableDeviceLibraryHandle(TF_Library *lib_handle)
{
    TF_DeleteLibraryHandle(lib_handle);
}

void TF_RegisterFilesystemPlugin(const char *plugin_filename, TF_Status *status)
{
    weir_capi_end(status,
                  weir_error(WEIR_UNIMPLEMENTED, "File systems cannot be added by libraries: %s",
                             plugin_filename));
}
