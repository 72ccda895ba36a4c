/* gpu/unit.c - memory kept by size for reuse, kernels compiled when they are first launched. */
#include "gpu/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "gpu/times.h"

enum {
    SMALLEST = 256,     /* bytes of a block */
    STEPS = 8,          /* size classes between powers of two */
    GROUPS_A_UNIT = 32, /* groups of a launch for each multiprocessor, at most */
    GROUPS_MOST = 1 << 20,
};

/* A block that nobody uses; the list is the host's, the memory the device's. */
typedef struct weir_gpu_block {
    struct weir_gpu_block *next;
    void *at;
} weir_gpu_block;

/* ---- memory ---- */

/* The class of |bytes|, and the size that all of the class have. */
static int class_of(size_t bytes, size_t *out_bytes)
{
    size_t step = SMALLEST / STEPS, base = SMALLEST;
    int class = 0;
    while (bytes > base * 2 && class < WEIR_GPU_CLASSES - 2 * STEPS) {
        base *= 2;
        step *= 2;
        class += STEPS;
    }
    int up = bytes <= base ? 0 : (int)((bytes - base + step - 1) / step);
    *out_bytes = base + (size_t)up * step;
    return class + up;
}

static void drop_cache(weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock)
{
    for (int i = 0; i < WEIR_GPU_CLASSES; i++)
        while (unit->free[i]) {
            weir_gpu_block *block = unit->free[i];
            unit->free[i] = block->next;
            unit->driver->free(unit->device, block->at);
            weir_free(block);
        }
    unit->cached = 0;
}

static weir_status exhausted(const weir_gpu_unit *unit, size_t bytes)
{
    return weir_error(WEIR_RESOURCE_EXHAUSTED,
                      "OOM when allocating %zu bytes on %s: %lld bytes are in use, %lld are kept "
                      "for reuse, the limit is %lld",
                      bytes, unit->info.name, (long long)unit->used, (long long)unit->cached,
                      (long long)unit->limit);
}

static weir_status take(weir_gpu_unit *unit, size_t bytes, void **out_at) WEIR_REQUIRES(unit->lock)
{
    size_t room;
    int class = class_of(bytes, &room);
    weir_gpu_block *block = unit->free[class];
    if (unit->used + (int64_t)room > unit->limit)
        return exhausted(unit, bytes);
    if (block) {
        unit->free[class] = block->next;
        unit->cached -= (int64_t)room;
        *out_at = block->at;
        weir_free(block);
        return WEIR_OK;
    }
    if (unit->used + unit->cached + (int64_t)room > unit->limit)
        drop_cache(unit);
    weir_status status = unit->driver->alloc(unit->device, room, out_at);
    if (status) { /* others may use the device, too */
        weir_status_free(status);
        drop_cache(unit);
        status = unit->driver->alloc(unit->device, room, out_at);
    }
    if (!status)
        return WEIR_OK;
    weir_status_free(status);
    return exhausted(unit, bytes);
}

static void give(void *data, size_t bytes, void *arg)
{
    weir_gpu_unit *unit = arg;
    size_t room;
    weir_gpu_block *block = WEIR_NEW(weir_gpu_block);
    weir_mutex_lock(&unit->lock);
    int class = class_of(bytes, &room);
    *block = (weir_gpu_block){unit->free[class], data};
    unit->free[class] = block;
    unit->used -= (int64_t)room;
    unit->cached += (int64_t)room;
    weir_mutex_unlock(&unit->lock);
}

static weir_status alloc_buffer(weir_memory *memory, size_t bytes, weir_buffer **out_buffer)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    void *at;
    weir_mutex_lock(&unit->lock);
    weir_status status = take(unit, bytes, &at);
    if (!status) {
        size_t room;
        class_of(bytes, &room);
        unit->used += (int64_t)room;
        unit->peak = unit->used > unit->peak ? unit->used : unit->peak;
    }
    weir_mutex_unlock(&unit->lock);
    WEIR_TRY(status);
    *out_buffer = weir_buffer_wrap(at, bytes, give, unit);
    (*out_buffer)->memory = memory;
    return WEIR_OK;
}

static weir_status copy_in(weir_memory *memory, void *to, const void *from, size_t bytes)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    if (!bytes)
        return WEIR_OK;
    weir_mutex_lock(&unit->lock);
    bool timed = weir_gpu_timing_begin(unit);
    weir_status status = unit->driver->copy_in(unit->device, to, from, bytes);
    if (timed)
        weir_gpu_timing_end(unit, "copy in");
    weir_mutex_unlock(&unit->lock);
    return status;
}

static weir_status copy_out(weir_memory *memory, void *to, const void *from, size_t bytes)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    if (!bytes)
        return WEIR_OK;
    weir_mutex_lock(&unit->lock);
    bool timed = weir_gpu_timing_begin(unit);
    weir_status status = unit->driver->copy_out(unit->device, to, from, bytes);
    if (timed)
        weir_gpu_timing_end(unit, "copy out");
    weir_mutex_unlock(&unit->lock);
    return status;
}

static weir_status copy_within(weir_memory *memory, void *to, const void *from, size_t bytes)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    if (!bytes)
        return WEIR_OK;
    weir_mutex_lock(&unit->lock);
    bool timed = weir_gpu_timing_begin(unit);
    weir_status status = unit->driver->copy(unit->device, to, from, bytes);
    if (timed)
        weir_gpu_timing_end(unit, "copy");
    weir_mutex_unlock(&unit->lock);
    return status;
}

static weir_elem elem_of_unit(int unit)
{
    return unit == 16  ? WEIR_E_c128
           : unit == 8 ? WEIR_E_u64
           : unit == 4 ? WEIR_E_u32
           : unit == 2 ? WEIR_E_u16
                       : WEIR_E_u8;
}

/* Units of four when runs of |unit| bytes can be moved so: 16 bytes at once. */
static void widen(int *unit, void *to, const void *from, weir_gpu_walk *walk)
{
    int last = (int)walk->rank - 1;
    while (*unit < 16 && last >= 0 && walk->to[last] == 1 && walk->from[last] == 1) {
        int wide = *unit * 2;
        bool even = walk->dims[last] % 2 == 0 && (uintptr_t)to % (uintptr_t)wide == 0 &&
                    (uintptr_t)from % (uintptr_t)wide == 0;
        for (int i = 0; i < last; i++)
            even &= walk->to[i] % 2 == 0 && walk->from[i] % 2 == 0;
        if (!even)
            return;
        *unit = wide;
        walk->dims[last] /= 2;
        walk->count /= 2;
        for (int i = 0; i < last; i++) {
            walk->to[i] /= 2;
            walk->from[i] /= 2;
        }
    }
}

/* The farthest element of either array. */
static int64_t reach_of(const weir_gpu_walk *walk)
{
    int64_t to = 0, from = 0;
    for (int i = 0; i < walk->rank; i++) {
        to += (walk->dims[i] - 1) * llabs(walk->to[i]);
        from += (walk->dims[i] - 1) * llabs(walk->from[i]);
    }
    to = to > from ? to : from;
    return to > walk->count ? to : walk->count;
}

/* Whether the last two dimensions change places and the others are a batch. */
static bool is_transpose(const weir_gpu_walk *walk)
{
    int last = (int)walk->rank - 1;
    if (last < 1 || last > 2)
        return false;
    int64_t columns = walk->dims[last - 1], rows = walk->dims[last];
    return walk->to[last] == 1 && walk->to[last - 1] == rows && walk->from[last - 1] == 1 &&
           walk->from[last] == columns && columns > 1 && rows > 1 &&
           (last == 1 || (walk->to[0] == rows * columns && walk->from[0] == rows * columns));
}

static weir_status transpose(weir_memory *memory, int unit, void *to, const void *from,
                             const weir_gpu_walk *walk)
{
    enum { EDGE = 32 };
    int last = (int)walk->rank - 1;
    int64_t batch = last == 2 ? walk->dims[0] : 1;
    int64_t columns = walk->dims[last - 1], rows = walk->dims[last];
    int64_t tiles = batch * ((columns + EDGE - 1) / EDGE) * ((rows + EDGE - 1) / EDGE);
    weir_gpu_arg args[] = {WEIR_GPU_AT(to), WEIR_GPU_AT(from), WEIR_GPU_VALUE(batch),
                           WEIR_GPU_VALUE(rows), WEIR_GPU_VALUE(columns)};
    weir_gpu_which which = {
        .family = WEIR_GPU_MOVE, .elem = elem_of_unit(unit), .kernel = "move_transpose"};
    return weir_gpu_unit_launch((weir_gpu_unit *)memory, &which, tiles * WEIR_GPU_LANES, args, 5);
}

static weir_status walk(weir_memory *memory, int unit, void *to, const void *from,
                        const weir_memory_walk *walk)
{
    weir_gpu_walk what = {.rank = walk->rank ? walk->rank : 1, .count = 1, .dims = {1}};
    for (int i = 0; i < walk->rank; i++) {
        what.dims[i] = walk->dims[i];
        what.to[i] = walk->to[i];
        what.from[i] = walk->from[i];
        what.count *= walk->dims[i];
    }
    if (what.count <= 0)
        return WEIR_OK;
    if (is_transpose(&what))
        return transpose(memory, unit, to, from, &what);
    widen(&unit, to, from, &what);
    weir_gpu_arg args[] = {WEIR_GPU_AT(to), WEIR_GPU_AT(from), WEIR_GPU_VALUE(what)};
    weir_gpu_which which = {.family = WEIR_GPU_MOVE,
                            .elem = elem_of_unit(unit),
                            .narrow = reach_of(&what) < WEIR_GPU_NARROW,
                            .kernel = "move_copy"};
    return weir_gpu_unit_launch((weir_gpu_unit *)memory, &which, what.count, args, 3);
}

static weir_status clear(weir_memory *memory, void *at, size_t bytes)
{
    uint8_t zero = 0;
    int64_t count = (int64_t)bytes;
    weir_gpu_arg args[] = {WEIR_GPU_AT(at), WEIR_GPU_VALUE(count), WEIR_GPU_VALUE(zero)};
    weir_gpu_which which = {.family = WEIR_GPU_MOVE, .elem = WEIR_E_u8, .kernel = "move_fill"};
    return weir_gpu_unit_launch((weir_gpu_unit *)memory, &which, count, args, 3);
}

/* ---- kernels ---- */

static void add_text(const weir_gpu_which *which, weir_buf *text)
{
    if (which->narrow)
        weir_buf_adds(text, "#define INDEX i32\n");
    if (which->quad)
        weir_buf_adds(text, "#define QUAD 4\n");
    switch (which->text) {
    case WEIR_GPU_IN_FAMILY:
        weir_gpu_text((weir_gpu_family)which->family, which->op, which->elem, text);
        break;
    case WEIR_GPU_IN_LAYERS:
        weir_gpu_text_layers(which->elem, text);
        break;
    case WEIR_GPU_IN_CAST:
        weir_gpu_text_cast((weir_elem)which->op, which->elem, text);
        break;
    case WEIR_GPU_IN_RULE:
        weir_gpu_text_rule(which->op, which->elem, text);
        break;
    case WEIR_GPU_IN_CHANNELS:
        weir_gpu_text_channels(which->elem, text);
        break;
    case WEIR_GPU_IN_PROGRAM:
        weir_gpu_text_program(which->program, which->family, which->op, which->elem, text);
        break;
    }
}

static weir_status get_module(weir_gpu_unit *unit, const weir_gpu_which *which, weir_str key,
                              weir_gpu_module **out_module) WEIR_REQUIRES(unit->lock)
{
    *out_module = weir_map_get(&unit->modules, key);
    if (*out_module)
        return WEIR_OK;
    WEIR_BUF(text);
    add_text(which, &text);
    WEIR_TRY(unit->driver->compile(unit->device, text.at, out_module));
    weir_map_put(&unit->modules, key, *out_module);
    return WEIR_OK;
}

static weir_status get_kernel(weir_gpu_unit *unit, const weir_gpu_which *which,
                              weir_gpu_kernel **out_kernel) WEIR_REQUIRES(unit->lock)
{
    char key[160];
    int module = snprintf(key, sizeof key, "%d.%d.%d.%d.%d%d", (int)which->text, which->family,
                          which->op, (int)which->elem, which->narrow, which->quad);
    if (which->program)
        module += snprintf(key + module, sizeof key - (size_t)module, ".%016llx",
                           (unsigned long long)weir_hash_bytes(
                               which->program, sizeof(int64_t) * 4 * (size_t)which->family, 0));
    int length = module + snprintf(key + module, sizeof key - (size_t)module, "/%s", which->kernel);
    weir_str whole = {key, (size_t)length}, first = {key, (size_t)module};
    *out_kernel = weir_map_get(&unit->kernels, whole);
    if (*out_kernel)
        return WEIR_OK;
    weir_gpu_module *made;
    WEIR_TRY_NOTE(get_module(unit, which, first, &made), " for kernel '%s' of %s", which->kernel,
                  unit->info.name);
    WEIR_TRY(unit->driver->find(made, which->kernel, out_kernel));
    weir_map_put(&unit->kernels, whole, *out_kernel);
    return WEIR_OK;
}

weir_status weir_gpu_unit_launch(weir_gpu_unit *unit, const weir_gpu_which *which, int64_t items,
                                 const weir_gpu_arg *args, int count)
{
    int64_t groups = (items + WEIR_GPU_LANES - 1) / WEIR_GPU_LANES;
    int64_t most = unit->info.units * GROUPS_A_UNIT;
    if (items <= 0)
        return WEIR_OK;
    groups = groups > most ? most : groups;
    weir_gpu_kernel *kernel;
    weir_mutex_lock(&unit->lock);
    weir_status status = get_kernel(unit, which, &kernel);
    bool timed = weir_gpu_timing_begin(unit);
    if (!status)
        status = unit->driver->launch(unit->device, kernel, groups < 1 ? 1 : groups, args, count);
    unit->launches++;
    if (timed)
        weir_gpu_timing_end(unit, which->kernel);
    weir_mutex_unlock(&unit->lock);
    return status
               ? weir_status_note(status, " in kernel '%s' on %s", which->kernel, unit->info.name)
               : WEIR_OK;
}

static weir_status own_product(weir_gpu_unit *unit, const weir_gpu_product *p)
{
    int64_t a_row = p->a_transposed ? 1 : p->k, a_column = p->a_transposed ? p->m : 1;
    int64_t b_row = p->b_transposed ? 1 : p->n, b_column = p->b_transposed ? p->k : 1;
    int64_t tiles = (p->m + 15) / 16 * ((p->n + 15) / 16) * p->batch;
    weir_gpu_arg args[] = {
        WEIR_GPU_AT(p->a),         WEIR_GPU_AT(p->b),        WEIR_GPU_AT(p->c),
        WEIR_GPU_VALUE(p->m),      WEIR_GPU_VALUE(p->n),     WEIR_GPU_VALUE(p->k),
        WEIR_GPU_VALUE(p->batch),  WEIR_GPU_VALUE(a_row),    WEIR_GPU_VALUE(a_column),
        WEIR_GPU_VALUE(b_row),     WEIR_GPU_VALUE(b_column), WEIR_GPU_VALUE(p->a_step),
        WEIR_GPU_VALUE(p->b_step), WEIR_GPU_VALUE(p->c_step)};
    weir_gpu_which which = {
        .text = WEIR_GPU_IN_LAYERS, .elem = (weir_elem)p->elem, .kernel = "product"};
    return weir_gpu_unit_launch(unit, &which, tiles * WEIR_GPU_LANES, args, 14);
}

weir_status weir_gpu_unit_product(weir_gpu_unit *unit, const weir_gpu_product *product)
{
    if (!product->m || !product->n || !product->batch)
        return WEIR_OK;
    if (!unit->driver->product || !product->k)
        return product->bias ? weir_error(WEIR_UNIMPLEMENTED, "a product with a bias")
                             : own_product(unit, product);
    weir_mutex_lock(&unit->lock);
    bool timed = weir_gpu_timing_begin(unit);
    weir_status status = unit->driver->product(unit->device, product);
    if (timed)
        weir_gpu_timing_end(unit, "product");
    weir_mutex_unlock(&unit->lock);
    if (weir_status_code(status) != WEIR_UNIMPLEMENTED || product->bias)
        return status;
    weir_status_free(status);
    return own_product(unit, product);
}

static const char *name_convolution(const weir_gpu_convolution *c, char *text, size_t room)
{
    static const char *const passes[] = {"convolution", "gradient by input", "gradient by filter"};
    snprintf(text, room, "%s %lldx%lldx%lld %lldx%lld to %lld", passes[c->pass],
             (long long)c->in[0], (long long)c->in[1], (long long)c->channels,
             (long long)c->taps[0], (long long)c->taps[1], (long long)c->out_c);
    return text;
}

weir_status weir_gpu_unit_convolve(weir_gpu_unit *unit, const weir_gpu_convolution *convolution)
{
    if (!unit->driver->convolve)
        return weir_error(WEIR_UNIMPLEMENTED, "%s has no library of convolutions",
                          unit->driver->name);
    char name[96];
    weir_mutex_lock(&unit->lock);
    bool timed = weir_gpu_timing_begin(unit);
    weir_status status = unit->driver->convolve(unit->device, convolution);
    if (timed)
        weir_gpu_timing_end(unit, name_convolution(convolution, name, sizeof name));
    weir_mutex_unlock(&unit->lock);
    return status;
}

weir_status weir_gpu_unit_wait(weir_gpu_unit *unit)
{
    weir_mutex_lock(&unit->lock);
    weir_status status = unit->driver->synchronize(unit->device);
    weir_mutex_unlock(&unit->lock);
    return status;
}

weir_status weir_gpu_unit_open(const weir_gpu_driver *driver, int index, weir_gpu_unit **out_unit)
{
    weir_gpu_unit *unit = WEIR_NEW(weir_gpu_unit);
    unit->driver = driver;
    unit->memory = (weir_memory){.alloc = alloc_buffer,
                                 .copy_in = copy_in,
                                 .copy_out = copy_out,
                                 .copy = copy_within,
                                 .walk = walk,
                                 .clear = clear};
    weir_mutex_init(&unit->lock);
    weir_status status = driver->describe(index, &unit->info);
    if (!status)
        status = driver->open(index, &unit->device);
    if (status) {
        weir_mutex_fini(&unit->lock);
        weir_free(unit);
        return status;
    }
    unit->limit = unit->info.memory_bytes;
    *out_unit = unit;
    return WEIR_OK;
}
