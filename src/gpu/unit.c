/* gpu/unit.c - memory kept by size for reuse, kernels compiled when they are first launched. */
#include "gpu/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "gpu/points.h"
#include "gpu/record_impl.h"
#include "gpu/times.h"
#include "gpu/walk_impl.h"

enum {
    SMALLEST = 256,     /* bytes of a block */
    STEPS = 8,          /* size classes between powers of two */
    GROUPS_A_UNIT = 32, /* groups of a launch for each multiprocessor, at most */
    GROUPS_MOST = 1 << 20,
};

/* A block of memory, in use or kept for reuse. What is said of it lies in the host's memory. */
typedef struct weir_gpu_block {
    struct weir_gpu_block *next,
        *previous; /* of the live ones, or of the free ones by next alone */
    weir_gpu_unit *unit;
    void *at;
    size_t room;
    int class;
    const char *user; /* the node it was taken for; null: not known */
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

/* ---- other units of the process ---- */

static weir_mutex all_lock = WEIR_MUTEX_INIT;
static weir_gpu_unit *all WEIR_GUARDED_BY(all_lock);

/* What units beside |unit| keep for reuse goes back to the device, which they may share. False:
 * they keep nothing. Not under a unit's lock. */
static bool drop_others(weir_gpu_unit *unit)
{
    bool any = false;
    weir_mutex_lock(&all_lock);
    for (weir_gpu_unit *other = all; other; other = other->next) {
        if (other == unit)
            continue;
        weir_mutex_lock(&other->lock);
        any |= other->cached > 0;
        drop_cache(other);
        weir_mutex_unlock(&other->lock);
    }
    weir_mutex_unlock(&all_lock);
    return any;
}

/* ---- what holds memory ---- */

typedef struct holder {
    const char *user;
    int64_t bytes, blocks;
} holder;

static int by_user(const void *a, const void *b)
{
    uintptr_t first = (uintptr_t)((const holder *)a)->user;
    uintptr_t second = (uintptr_t)((const holder *)b)->user;
    return (first > second) - (first < second);
}

static int largest_first(const void *a, const void *b)
{
    int64_t first = ((const holder *)a)->bytes, second = ((const holder *)b)->bytes;
    return (first < second) - (first > second);
}

/* One entry for each user; names are kept once, so that equal ones have one address. */
static size_t list_holders(const weir_gpu_unit *unit, holder **out_list) WEIR_REQUIRES(unit->lock)
{
    WEIR_VEC(holder) all = {0};
    size_t count = 0;
    for (const weir_gpu_block *block = unit->live; block; block = block->next)
        weir_vec_push(&all, ((holder){block->user, (int64_t)block->room, 1}));
    if (all.count)
        qsort(all.at, all.count, sizeof *all.at, by_user);
    for (size_t i = 0; i < all.count; i++)
        if (count && all.at[count - 1].user == all.at[i].user) {
            all.at[count - 1].bytes += all.at[i].bytes;
            all.at[count - 1].blocks++;
        } else {
            all.at[count++] = all.at[i];
        }
    if (count)
        qsort(all.at, count, sizeof *all.at, largest_first);
    *out_list = all.at;
    return count;
}

static void say_holders(const weir_gpu_unit *unit, weir_buf *out) WEIR_REQUIRES(unit->lock)
{
    enum { MOST = 10 };
    holder *list;
    size_t count = list_holders(unit, &list);
    for (size_t i = 0; i < count && i < MOST; i++)
        weir_buf_addf(out, "\n  %lld bytes in %lld tensor%s: %s", (long long)list[i].bytes,
                      (long long)list[i].blocks, list[i].blocks == 1 ? "" : "s",
                      list[i].user ? list[i].user : "(not of a node)");
    if (count > MOST)
        weir_buf_addf(out, "\n  and %zu more", count - MOST);
    weir_free(list);
}

static int64_t held(const weir_gpu_unit *unit)
{
    return unit->driver->held ? unit->driver->held(unit->device) : 0;
}

static weir_status exhausted(const weir_gpu_unit *unit, size_t bytes) WEIR_REQUIRES(unit->lock)
{
    WEIR_BUF(holders);
    say_holders(unit, &holders);
    return weir_error(WEIR_RESOURCE_EXHAUSTED,
                      "%s has no %zu bytes: %lld are in use, %lld are kept for reuse, %lld are the "
                      "libraries', the limit is %lld. The memory is held by%s",
                      unit->info.name, bytes, (long long)unit->used, (long long)unit->cached,
                      (long long)held(unit), (long long)unit->limit,
                      unit->live ? holders.at : " nobody");
}

/* ---- blocks ---- */

static const char *keep_name(weir_gpu_unit *unit, const char *name) WEIR_REQUIRES(unit->lock)
{
    if (!name)
        return NULL;
    char *kept = weir_map_get(&unit->users, weir_str_of(name));
    if (kept)
        return kept;
    kept = weir_strdup(name);
    weir_map_put(&unit->users, weir_str_of(name), kept);
    return kept;
}

static void enlist(weir_gpu_unit *unit, weir_gpu_block *block) WEIR_REQUIRES(unit->lock)
{
    block->user = keep_name(unit, weir_memory_user);
    block->previous = NULL;
    block->next = unit->live;
    if (unit->live)
        unit->live->previous = block;
    unit->live = block;
    unit->used += (int64_t)block->room;
    unit->peak = unit->used > unit->peak ? unit->used : unit->peak;
    unit->crest = unit->used > unit->crest ? unit->used : unit->crest;
}

static void delist(weir_gpu_unit *unit, weir_gpu_block *block) WEIR_REQUIRES(unit->lock)
{
    *(block->previous ? &block->previous->next : &unit->live) = block->next;
    if (block->next)
        block->next->previous = block->previous;
    unit->used -= (int64_t)block->room;
}

/* Null: none of that class is kept. */
static weir_gpu_block *take_kept(weir_gpu_unit *unit, int class) WEIR_REQUIRES(unit->lock)
{
    weir_gpu_block *block = unit->free[class];
    if (block) {
        unit->free[class] = block->next;
        unit->cached -= (int64_t)block->room;
    }
    return block;
}

static weir_status take_new(weir_gpu_unit *unit, int class, size_t room, weir_gpu_block **out_block)
    WEIR_REQUIRES(unit->lock)
{
    void *at;
    if (unit->used + unit->cached + held(unit) + (int64_t)room > unit->limit)
        drop_cache(unit);
    weir_status status = unit->driver->alloc(unit->device, room, &at);
    if (weir_status_code(status) == WEIR_RESOURCE_EXHAUSTED) { /* others use the device, too */
        weir_status_free(status);
        drop_cache(unit);
        status = unit->driver->alloc(unit->device, room, &at);
    }
    WEIR_TRY(status);
    *out_block = WEIR_NEW(weir_gpu_block);
    **out_block = (weir_gpu_block){.unit = unit, .at = at, .room = room, .class = class};
    return WEIR_OK;
}

static weir_status take(weir_gpu_unit *unit, size_t bytes, weir_gpu_block **out_block)
    WEIR_REQUIRES(unit->lock)
{
    size_t room;
    int class = class_of(bytes, &room);
    if (unit->used + held(unit) + (int64_t)room > unit->limit)
        return exhausted(unit, bytes);
    *out_block = take_kept(unit, class);
    weir_status status = *out_block ? WEIR_OK : take_new(unit, class, room, out_block);
    if (weir_status_code(status) != WEIR_RESOURCE_EXHAUSTED)
        return status;
    weir_status_free(status);
    return exhausted(unit, bytes);
}

static void give(void *data, size_t bytes, void *arg)
{
    weir_gpu_block *block = arg;
    weir_gpu_unit *unit = block->unit;
    weir_mutex_lock(&unit->lock);
    delist(unit, block);
    block->next = unit->free[block->class];
    unit->free[block->class] = block;
    unit->cached += (int64_t)block->room;
    weir_mutex_unlock(&unit->lock);
}

static weir_status take_enlisted(weir_gpu_unit *unit, size_t bytes, weir_gpu_block **out_block)
{
    weir_mutex_lock(&unit->lock);
    weir_status status = take(unit, bytes, out_block);
    if (!status)
        enlist(unit, *out_block);
    weir_mutex_unlock(&unit->lock);
    return status;
}

/* ---- memory of recordings: it stays theirs, and counts as used ---- */

static void give_recorded(void *data, size_t bytes, void *arg)
{
    weir_gpu_unit *unit = arg;
    (void)bytes;
    weir_mutex_lock(&unit->lock);
    weir_gpu_region_give(&unit->recorded, data);
    weir_mutex_unlock(&unit->lock);
}

static weir_status add_chunk(weir_gpu_unit *unit, size_t bytes) WEIR_REQUIRES(unit->lock)
{
    weir_gpu_block *block;
    WEIR_TRY(take(unit, bytes, &block));
    enlist(unit, block);
    weir_gpu_region_add(&unit->recorded, block->at, block->room, block);
    return WEIR_OK;
}

void weir_gpu_release_recorded(weir_gpu_unit *unit)
{
    weir_gpu_block *block;
    while ((block = weir_gpu_region_drop(&unit->recorded)) != NULL) {
        delist(unit, block);
        block->next = unit->free[block->class];
        unit->free[block->class] = block;
        unit->cached += (int64_t)block->room;
    }
}

static weir_status take_recorded(weir_gpu_unit *unit, size_t bytes, void **out_at)
{
    weir_status status = WEIR_OK;
    weir_mutex_lock(&unit->lock);
    *out_at = weir_gpu_region_take(&unit->recorded, bytes);
    if (!*out_at) {
        status = add_chunk(unit, weir_gpu_region_wants(&unit->recorded, bytes));
        *out_at = status ? NULL : weir_gpu_region_take(&unit->recorded, bytes);
    }
    weir_mutex_unlock(&unit->lock);
    return status;
}

/* One chunk that has room for what plain steps had alive at once: in many chunks, large tensors
 * would soon find no place. */
void weir_gpu_make_room(weir_gpu_unit *unit)
{
    enum { MUCH = 64 << 20 };
    int64_t alive = unit->crest - unit->used;
    if (alive < MUCH || (int64_t)unit->recorded.bytes >= alive)
        return;
    drop_cache(unit);
    weir_status_free(add_chunk(unit, (size_t)alive)); /* or smaller ones, when they are needed */
}

static weir_status alloc_buffer(weir_memory *memory, size_t bytes, weir_buffer **out_buffer)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    weir_gpu_block *block;
    if (weir_gpu_records(unit)) {
        void *at;
        WEIR_TRY(take_recorded(unit, bytes, &at));
        *out_buffer = weir_buffer_wrap(at, bytes, give_recorded, unit);
        (*out_buffer)->memory = memory;
        return WEIR_OK;
    }
    weir_status status = take_enlisted(unit, bytes, &block);
    if (weir_status_code(status) == WEIR_RESOURCE_EXHAUSTED && drop_others(unit)) {
        weir_status_free(status);
        status = take_enlisted(unit, bytes, &block);
    }
    WEIR_TRY(status);
    *out_buffer = weir_buffer_wrap(block->at, bytes, give, block);
    (*out_buffer)->memory = memory;
    return WEIR_OK;
}

static weir_status copy_in(weir_memory *memory, void *to, const void *from, size_t bytes)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    if (!bytes)
        return WEIR_OK;
    if (weir_gpu_records(unit))
        return weir_gpu_record_bytes(unit, to, from, bytes);
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
    weir_gpu_record_impossible(unit, "a value is read");
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
    if (!status)
        weir_gpu_record(unit,
                        &(weir_gpu_command){.kind = WEIR_GPU_COPY, .copy = {to, from, bytes}});
    weir_mutex_unlock(&unit->lock);
    return status;
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
    if (which->quad > 1)
        weir_buf_addf(text, "#define QUAD %d\n", which->quad);
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
        weir_gpu_text_rule(which->op, which->elem,
                           which->family ? (weir_elem)(which->family - 1) : which->elem, text);
        break;
    case WEIR_GPU_IN_CHANNELS:
        weir_gpu_text_channels(which->elem, text);
        break;
    case WEIR_GPU_IN_PROGRAM:
        weir_gpu_text_program(which->program, which->family, which->op, which->elem, text);
        break;
    case WEIR_GPU_IN_CELL:
        weir_gpu_text_cell(which->program, which->family, which->op, which->elem, text);
        break;
    case WEIR_GPU_IN_PIECES:
        weir_gpu_text_pieces(which->op, which->elem, text);
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

static int numbers_of(const weir_gpu_which *which)
{
    return which->family * (which->text == WEIR_GPU_IN_CELL ? WEIR_CELL_NUMBERS : 4);
}

static weir_status get_kernel(weir_gpu_unit *unit, const weir_gpu_which *which,
                              weir_gpu_kernel **out_kernel) WEIR_REQUIRES(unit->lock)
{
    char key[160];
    int module = snprintf(key, sizeof key, "%d.%d.%d.%d.%d.%d", (int)which->text, which->family,
                          which->op, (int)which->elem, which->narrow, which->quad);
    if (which->program)
        module += snprintf(key + module, sizeof key - (size_t)module, ".%016llx",
                           (unsigned long long)weir_hash_bytes(
                               which->program, sizeof(int64_t) * (size_t)numbers_of(which), 0));
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
    groups = groups < 1 ? 1 : groups;
    weir_gpu_kernel *kernel;
    weir_mutex_lock(&unit->lock);
    weir_status status = get_kernel(unit, which, &kernel);
    bool timed = weir_gpu_timing_begin(unit);
    if (!status)
        status = unit->driver->launch(unit->device, kernel, groups, args, count);
    if (!status)
        weir_gpu_record(unit, &(weir_gpu_command){.kind = WEIR_GPU_LAUNCH,
                                                  .launch = {kernel, groups, args, count}});
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
    if (!status)
        weir_gpu_record(unit, &(weir_gpu_command){.kind = WEIR_GPU_MULTIPLY, .product = *product});
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
    if (!status)
        weir_gpu_record(
            unit, &(weir_gpu_command){.kind = WEIR_GPU_CONVOLVE, .convolution = *convolution});
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
                                 .walk = weir_gpu_walk_run,
                                 .walk_pieces = weir_gpu_walk_pieces,
                                 .clear = clear,
                                 .mark = weir_gpu_mark,
                                 .when = weir_gpu_when,
                                 .record_begin = weir_gpu_record_begin,
                                 .record_pause = weir_gpu_record_pause,
                                 .record_end = weir_gpu_record_end,
                                 .replay = weir_gpu_replay,
                                 .record_drop = weir_gpu_record_drop};
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
    if (driver->room)
        weir_status_free(driver->room(unit->device, &unit->limit)); /* else all of it */
    weir_mutex_lock(&all_lock);
    unit->next = all;
    all = unit;
    weir_mutex_unlock(&all_lock);
    *out_unit = unit;
    return WEIR_OK;
}
