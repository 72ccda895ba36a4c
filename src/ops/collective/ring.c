/* ops/collective/ring.c - chunks that travel round rings of members. */
#include "ops/collective/ring.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arith.h"
#include "base/blocking.h"
#include "math/cast/cast.h"
#include "ops/common/elem_of.h"

enum {
    CHUNK_ALIGNMENT = 64,
    LARGEST_CHUNK = 4 << 20, /* bytes; subdivisions are added until chunks are as small */
    SUBDIVISIONS = 2,        /* per device, unless said otherwise */
    SOON_MERGED = 256 << 10, /* bytes that whoever brings them may merge */
};

typedef struct ring ring;

/* A chunk, or its part for one subdivision. */
typedef struct field {
    ring *of;
    int chunk, subdivision, number; /* number: among all fields */
    bool second_round;
    weir_tensor came; /* until it is used */
    atomic_int there; /* of what may_use waits for */
} field;

struct ring {
    weir_exchange x;
    const weir_ring_spec *spec;
    weir_tensor own; /* what a gathering member gives */
    int subdivisions;
    int *order; /* of each subdivision: the members as they stand in the ring */
    int *rank;  /* of each subdivision: the own place in it */
    int64_t chunk_elements;
    field *fields;
};

/* ---- rings ---------------------------------------------------------------------------------- */

static int task_of(const weir_group *g, int first)
{
    int end = first + 1;
    while (end < g->size && g->members[end].task_bytes == g->members[first].task_bytes &&
           memcmp(g->members[end].device, g->members[first].device, g->members[first].task_bytes) ==
               0)
        end++;
    return end;
}

static int count_tasks(const weir_group *g)
{
    int count = 0;
    for (int i = 0; i < g->size; i = task_of(g, i))
        count++;
    return count;
}

/* The members of each task, turned by |offset| (a negative one: from behind). */
static void lay_ring(const weir_group *g, int64_t offset, int *order)
{
    bool reverse = offset < 0;
    uint64_t turn = reverse ? 0 - (uint64_t)offset : (uint64_t)offset;
    for (int first = 0, end; first < g->size; first = end) {
        end = task_of(g, first);
        int count = end - first;
        for (int i = 0; i < count; i++) {
            int at = (int)(((uint64_t)i + turn) % (uint64_t)count);
            *order++ = first + (reverse ? count - (at + 1) : at);
        }
    }
}

/* How many subdivisions make chunks small enough. */
static int fit_subdivisions(const ring *r, int64_t bytes)
{
    int per_task = r->x.group->size / count_tasks(r->x.group);
    int most = r->spec->most_subdivisions > 0 ? r->spec->most_subdivisions : SUBDIVISIONS;
    int64_t limit = (int64_t)most * per_task, n = 1;
    while (bytes / (r->x.group->size * n) > LARGEST_CHUNK && n < limit)
        n++;
    return (int)n;
}

static void lay_rings(ring *r)
{
    const weir_group *g = r->x.group;
    const weir_ring_spec *spec = r->spec;
    bool fit = !spec->offset_count && spec->most_subdivisions >= 0;
    int n = spec->offset_count;
    if (!n)
        n = fit ? fit_subdivisions(r, (int64_t)weir_tensor_bytes(&r->x.out)) : 1;
    int stride = g->size / count_tasks(g) / n;
    r->subdivisions = n;
    r->order = WEIR_NEW_ARRAY(int, n * g->size);
    r->rank = WEIR_NEW_ARRAY(int, n);
    for (int s = 0; s < n; s++) {
        int64_t offset = (int64_t)(stride ? stride : 1) * s * (s % 2 ? -1 : 1);
        int *order = &r->order[s * g->size];
        lay_ring(g, spec->offset_count ? spec->offsets[s] : fit ? offset : 0, order);
        while (order[r->rank[s]] != r->x.rank)
            r->rank[s]++;
    }
}

/* ---- chunks --------------------------------------------------------------------------------- */

static void cut(ring *r)
{
    int64_t total = weir_tensor_count(&r->x.out), size = (int64_t)weir_dtype_size(r->x.out.dtype);
    int64_t chunks = (int64_t)r->x.group->size * r->subdivisions;
    if (!r->spec->reduces) {
        r->chunk_elements = total / chunks;
        return;
    }
    int64_t bytes = weir_ceil_div(total, chunks) * size;
    r->chunk_elements = (bytes + CHUNK_ALIGNMENT - bytes % CHUNK_ALIGNMENT) / size;
}

static int64_t field_elements(const field *f)
{
    int64_t total = weir_tensor_count(&f->of->x.out), each = f->of->chunk_elements;
    int64_t left = total - f->number * each;
    return weir_clamp(left, 0, each);
}

static char *field_data(const field *f)
{
    const weir_tensor *out = &f->of->x.out;
    return (char *)out->data +
           (size_t)(f->number * f->of->chunk_elements) * weir_dtype_size(out->dtype);
}

/* ---- a field's way -------------------------------------------------------------------------- */

static void field_key(const field *f, int from, char *out, size_t room)
{
    snprintf(out, room, "%d:%d:%d", f->second_round, f->number, from);
}

/* In the first round a chunk starts at the member of its number; in the second at the one before,
 * where it arrived merged. */
static bool starts_here(const field *f)
{
    int size = f->of->x.group->size, start = f->chunk + (f->second_round ? size - 1 : 0);
    return f->of->rank[f->subdivision] == start % size;
}

static bool ends_here(const field *f)
{
    int size = f->of->x.group->size, end = f->chunk + size - (f->second_round ? 2 : 1);
    return f->of->rank[f->subdivision] == end % size;
}

static void advance(field *f);
static void may_use(void *arg);

/* What came has been used: passes it on. A second round overwrites what the first gave, and so
 * needs to know that it was taken; it is asked for at once, because that is how this member hears
 * of the failure of another. */
static void pass_on(field *f)
{
    ring *r = f->of;
    char key[48];
    bool last_round = !r->spec->reduces || f->second_round;
    field_key(f, r->rank[f->subdivision], key, sizeof key);
    atomic_store(&f->there, 0);
    if (!ends_here(f))
        weir_exchange_give(&r->x, key, field_data(f), field_elements(f),
                           last_round ? NULL : may_use, f);
    if (last_round)
        return;
    f->second_round = true;
    advance(f);
}

static void use(field *f, const weir_tensor *t)
{
    ring *r = f->of;
    const weir_par *par = &r->x.call->run->par;
    weir_elem elem = weir_elem_of(t->dtype);
    char *data = field_data(f);
    int64_t count = field_elements(f);
    if (!r->spec->reduces || f->second_round) {
        memcpy(data, t->data, weir_tensor_bytes(t));
        return;
    }
    weir_binary_flat(par, r->spec->merge, elem, count, data, t->data, data, WEIR_BOTH_VARY);
    if (!r->spec->divides || !ends_here(f))
        return;
    int32_t size = r->x.group->size;
    _Alignas(16) char divisor[16];
    weir_cast_run(par, WEIR_E_i32, elem, 1, &size, divisor);
    weir_binary_flat(par, WEIR_B_div, elem, count, data, divisor, data, WEIR_Y_REPEATS);
}

static void use_and_pass_on(void *arg)
{
    field *f = arg;
    weir_exchange *x = &f->of->x;
    use(f, &f->came);
    weir_tensor_release(&f->came);
    pass_on(f);
    weir_exchange_let_go(x);
}

/* One of the two things that a second round needs is there: its value, and the end of what the
 * first gave. */
static void may_use(void *arg)
{
    field *f = arg;
    if (atomic_fetch_add(&f->there, 1) != 1)
        return;
    if (weir_tensor_bytes(&f->came) <= SOON_MERGED)
        use_and_pass_on(f);
    else
        weir_blocking_submit(use_and_pass_on, f);
}

static void came(weir_exchange *x, void *arg, const weir_tensor *t)
{
    field *f = arg;
    weir_exchange_hold(x);
    f->came = weir_tensor_share(t);
    if (!f->of->spec->reduces || !f->second_round)
        atomic_store(&f->there, 1); /* nothing was given before */
    may_use(f);
}

static void advance(field *f)
{
    ring *r = f->of;
    int size = r->x.group->size, at = (r->rank[f->subdivision] + size - 1) % size;
    char key[48];
    if (starts_here(f)) {
        pass_on(f);
        return;
    }
    field_key(f, at, key, sizeof key);
    weir_exchange_take(&r->x, r->order[f->subdivision * size + at], key, field_elements(f), came,
                       f);
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* A gathering member's own value is the chunk of its rank. */
static void place_own(ring *r)
{
    field own = {.of = r, .number = r->rank[0]};
    memcpy(field_data(&own), r->own.data, weir_tensor_bytes(&r->own));
}

static void run(weir_exchange *x)
{
    ring *r = (ring *)x;
    int size = x->group->size;
    lay_rings(r);
    cut(r);
    if (!r->spec->reduces)
        place_own(r);
    r->fields = WEIR_NEW_ARRAY(field, size * r->subdivisions);
    for (int i = 0; i < size * r->subdivisions; i++) {
        field *f = &r->fields[i];
        *f = (field){
            .of = r, .chunk = i / r->subdivisions, .subdivision = i % r->subdivisions, .number = i};
        if (field_elements(f) && size > 1)
            advance(f);
    }
}

static void destroy(weir_exchange *x)
{
    ring *r = (ring *)x;
    weir_tensor_release(&r->own);
    weir_free(r->order);
    weir_free(r->rank);
    weir_free(r->fields);
    weir_free(r);
}

void weir_ring_start(const weir_exchange *first, const weir_ring_spec *spec, const weir_tensor *own)
{
    ring *r = WEIR_NEW(ring);
    r->x = *first;
    r->x.run = run;
    r->x.destroy = destroy;
    r->spec = spec;
    if (own)
        r->own = weir_tensor_share(own);
    weir_exchange_start(&r->x);
}
