/* ops/collective/ring.c - ring algorithm: chunks circulate among members. */
#include "ops/collective/ring.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arith.h"
#include "base/blocking.h"
#include "math/cast/cast.h"
#include "ops/collective/direct.h"
#include "ops/common/elem_of.h"

enum {
    CHUNK_ALIGNMENT = 64,
    LARGEST_CHUNK = 4 << 20, /* bytes; subdivisions are added until chunks are no larger */
    SUBDIVISIONS = 2,        /* default per device; ... */
    OWN_SUBDIVISIONS = 16,   /* ... among Weir's members, overrides the default */
    SOON_MERGED = 256 << 10, /* up to this size, the receiving callback reduces by itself */
};

typedef struct ring ring;

/* A chunk, or its part for one subdivision. */
typedef struct field {
    ring *of;
    int chunk, subdivision, number; /* number: index among all fields */
    bool second_round;
    weir_tensor came; /* received value, until it is used */
    atomic_int there; /* number of preconditions met, see may_use */
} field;

struct ring {
    weir_exchange x;
    const weir_ring_spec *spec;
    weir_tensor own; /* a gathering member's input */
    int subdivisions;
    int *order; /* of each subdivision: the members in ring order */
    int *rank;  /* of each subdivision: the own position */
    int64_t chunk_elements;
    field *fields;
    int field_count;
    weir_direct *direct; /* if no rings are used */
};

/* ---- rings ---------------------------------------------------------------------------------- */

static int task_of(const weir_group *group, int first)
{
    int end = first + 1;
    while (end < group->size && weir_group_same_task(&group->members[end], &group->members[first]))
        end++;
    return end;
}

static int count_tasks(const weir_group *group)
{
    int count = 0;
    for (int i = 0; i < group->size; i = task_of(group, i))
        count++;
    return count;
}

/* The members of each task, rotated by |offset|; if it is negative, in reverse order. */
static void make_ring(const weir_group *group, int64_t offset, int *order)
{
    bool reverse = offset < 0;
    uint64_t shift = reverse ? 0 - (uint64_t)offset : (uint64_t)offset;
    for (int first = 0, end; first < group->size; first = end) {
        end = task_of(group, first);
        int count = end - first;
        for (int i = 0; i < count; i++) {
            int at = (int)(((uint64_t)i + shift) % (uint64_t)count);
            *order++ = first + (reverse ? count - (at + 1) : at);
        }
    }
}

/* True if Weir may choose the layout: a reduction with only Weir's members. */
static bool chooses(const ring *ring)
{
    return ring->x.group->all_weir && ring->spec->reduces;
}

/* The number of subdivisions that makes chunks small enough. */
static int fit_subdivisions(const ring *ring, int64_t bytes)
{
    int per_task = ring->x.group->size / count_tasks(ring->x.group);
    int most = ring->spec->most_subdivisions > 0 ? ring->spec->most_subdivisions : SUBDIVISIONS;
    if (chooses(ring))
        most = OWN_SUBDIVISIONS;
    int64_t limit = (int64_t)most * per_task, count = 1;
    while (bytes / (ring->x.group->size * count) > LARGEST_CHUNK && count < limit)
        count++;
    return (int)count;
}

static void make_rings(ring *ring)
{
    const weir_group *group = ring->x.group;
    const weir_ring_spec *spec = ring->spec;
    bool given = spec->offset_count && !chooses(ring);
    bool fit = !given && (spec->most_subdivisions >= 0 || chooses(ring));
    int count = given ? spec->offset_count : 0;
    if (!count)
        count = fit ? fit_subdivisions(ring, (int64_t)weir_tensor_bytes(&ring->x.out)) : 1;
    int stride = group->size / count_tasks(group) / count;
    ring->subdivisions = count;
    ring->order = WEIR_NEW_ARRAY(int, count * group->size);
    ring->rank = WEIR_NEW_ARRAY(int, count);
    for (int s = 0; s < count; s++) {
        int64_t offset = (int64_t)(stride ? stride : 1) * s * (s % 2 ? -1 : 1);
        int *order = &ring->order[s * group->size];
        make_ring(group, given ? spec->offsets[s] : fit ? offset : 0, order);
        while (order[ring->rank[s]] != ring->x.rank)
            ring->rank[s]++;
    }
}

/* ---- chunks --------------------------------------------------------------------------------- */

static void cut(ring *ring)
{
    int64_t total = weir_tensor_count(&ring->x.out),
            size = (int64_t)weir_dtype_size(ring->x.out.dtype);
    int64_t chunks = (int64_t)ring->x.group->size * ring->subdivisions;
    if (!ring->spec->reduces) {
        ring->chunk_elements = total / chunks;
        return;
    }
    int64_t bytes = weir_ceil_div(total, chunks) * size;
    ring->chunk_elements = (bytes + CHUNK_ALIGNMENT - bytes % CHUNK_ALIGNMENT) / size;
}

static int64_t field_elements(const field *field)
{
    int64_t total = weir_tensor_count(&field->of->x.out), each = field->of->chunk_elements;
    int64_t left = total - field->number * each;
    return weir_clamp(left, 0, each);
}

static char *field_data(const field *field)
{
    const weir_tensor *out = &field->of->x.out;
    return (char *)out->data +
           (size_t)(field->number * field->of->chunk_elements) * weir_dtype_size(out->dtype);
}

/* ---- progress of a field --------------------------------------------------------------------- */

static void field_key(const field *field, int from, char *out, size_t room)
{
    snprintf(out, room, ":%d:%d:%d", field->second_round, field->number, from);
}

/* In the first cycle a chunk starts at the member of its number; in the second at the one before,
 * where it arrived fully reduced. */
static bool starts_here(const field *field)
{
    int size = field->of->x.group->size,
        start = field->chunk + (field->second_round ? size - 1 : 0);
    return field->of->rank[field->subdivision] == start % size;
}

static bool ends_here(const field *field)
{
    int size = field->of->x.group->size, end = field->chunk + size - (field->second_round ? 2 : 1);
    return field->of->rank[field->subdivision] == end % size;
}

static void advance(field *field);
static void may_use(void *arg);

/* The member |places| positions behind this one in the field's ring. */
static int neighbour(const field *field, int places)
{
    const ring *ring = field->of;
    int size = ring->x.group->size, at = (ring->rank[field->subdivision] + places) % size;
    return ring->order[field->subdivision * size + at];
}

/* Passes on a used value. The second cycle overwrites the buffer sent in the first, and so must
 * know that it was taken; the receive is posted immediately, because that is how this member
 * detects the failure of another. */
static void pass_on(field *field)
{
    ring *ring = field->of;
    char key[48];
    bool last_round = !ring->spec->reduces || field->second_round;
    field_key(field, ring->rank[field->subdivision], key, sizeof key);
    atomic_store(&field->there, 0);
    if (!ends_here(field))
        weir_exchange_give(&ring->x, neighbour(field, 1), key, field_data(field),
                           field_elements(field), last_round ? NULL : may_use, field);
    if (last_round)
        return;
    field->second_round = true;
    advance(field);
}

void weir_ring_divide(const weir_exchange *exchange, void *data, int64_t count)
{
    const weir_par *par = &exchange->call->run->par;
    weir_elem elem = weir_elem_of(exchange->out.dtype);
    int32_t size = exchange->group->size;
    _Alignas(16) char divisor[16];
    weir_cast_run(par, WEIR_E_i32, elem, 1, &size, divisor);
    weir_binary_flat(par, WEIR_B_div, elem, count, data, divisor, data, WEIR_Y_REPEATS);
}

static void use(field *field, const weir_tensor *tensor)
{
    ring *ring = field->of;
    const weir_par *par = &ring->x.call->run->par;
    weir_elem elem = weir_elem_of(tensor->dtype);
    char *data = field_data(field);
    int64_t count = field_elements(field);
    if (!ring->spec->reduces || field->second_round) {
        memcpy(data, tensor->data, weir_tensor_bytes(tensor));
        return;
    }
    weir_binary_flat(par, ring->spec->merge, elem, count, data, tensor->data, data, WEIR_BOTH_VARY);
    if (ring->spec->divides && ends_here(field))
        weir_ring_divide(&ring->x, data, count);
}

static void use_and_pass_on(void *arg)
{
    field *field = arg;
    weir_exchange *exchange = &field->of->x;
    use(field, &field->came);
    weir_tensor_release(&field->came);
    pass_on(field);
    weir_exchange_let_go(exchange);
}

/* Called when one of the preconditions of the second cycle is met: its value has arrived, or the
 * buffer sent in the first was taken. */
static void may_use(void *arg)
{
    field *field = arg;
    if (atomic_fetch_add(&field->there, 1) != 1)
        return;
    weir_exchange_hold(&field->of->x);
    if (weir_tensor_bytes(&field->came) <= SOON_MERGED)
        use_and_pass_on(field);
    else
        weir_blocking_submit(use_and_pass_on, field);
}

static void came(weir_exchange *exchange, void *arg, const weir_tensor *tensor)
{
    field *field = arg;
    field->came = weir_tensor_share(tensor);
    if (!field->of->spec->reduces || !field->second_round)
        atomic_store(&field->there, 1); /* nothing was sent before */
    may_use(field);
}

static void advance(field *field)
{
    ring *ring = field->of;
    int size = ring->x.group->size, at = (ring->rank[field->subdivision] + size - 1) % size;
    char key[48];
    if (starts_here(field)) {
        pass_on(field);
        return;
    }
    field_key(field, at, key, sizeof key);
    weir_exchange_take(&ring->x, neighbour(field, size - 1), key, field_elements(field), came,
                       field);
}

/* ---- start ----------------------------------------------------------------------------------- */

/* A gathering member's own value is the chunk of its rank. */
static void place_own(ring *ring)
{
    field own = {.of = ring, .number = ring->rank[0]};
    memcpy(field_data(&own), ring->own.data, weir_tensor_bytes(&ring->own));
}

static void run(weir_exchange *exchange)
{
    ring *this_ring = (ring *)exchange;
    int size = exchange->group->size;
    if (weir_direct_suits(exchange, this_ring->spec)) {
        this_ring->direct = weir_direct_new(exchange, this_ring->spec);
        weir_direct_run(this_ring->direct);
        return;
    }
    make_rings(this_ring);
    cut(this_ring);
    if (!this_ring->spec->reduces)
        place_own(this_ring);
    this_ring->field_count = size * this_ring->subdivisions;
    this_ring->fields = WEIR_NEW_ARRAY(field, this_ring->field_count);
    for (int i = 0; i < this_ring->field_count; i++) {
        field *this_field = &this_ring->fields[i];
        *this_field = (field){.of = this_ring,
                              .chunk = i / this_ring->subdivisions,
                              .subdivision = i % this_ring->subdivisions,
                              .number = i};
        if (field_elements(this_field) && size > 1)
            advance(this_field);
    }
}

static void destroy(weir_exchange *exchange)
{
    ring *this_ring = (ring *)exchange;
    weir_tensor_release(&this_ring->own);
    for (int i = 0; i < this_ring->field_count; i++)
        weir_tensor_release(&this_ring->fields[i].came); /* of an op that has failed */
    weir_free(this_ring->order);
    weir_free(this_ring->rank);
    weir_free(this_ring->fields);
    weir_direct_free(this_ring->direct);
    weir_free(this_ring);
}

void weir_ring_start(const weir_exchange *first, const weir_ring_spec *spec, const weir_tensor *own)
{
    ring *new_ring = WEIR_NEW(ring);
    new_ring->x = *first;
    new_ring->x.run = run;
    new_ring->x.destroy = destroy;
    new_ring->spec = spec;
    if (own)
        new_ring->own = weir_tensor_share(own);
    weir_exchange_start(&new_ring->x);
}
