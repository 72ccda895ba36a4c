/* ops/collective/direct.c - all-to-all exchange of full values in one round. */
#include "ops/collective/direct.h"

#include <stdio.h>

#include "ops/common/elem_of.h"

enum { MOST_BYTES = 256 << 10 }; /* bytes that a member sends to all others */

/* A receive from one member. */
struct weir_direct_part {
    weir_direct *of;
    int rank;
};

struct weir_direct {
    weir_exchange *x;
    const weir_ring_spec *spec;
    void *given;                    /* copy of the own value, constant until all have taken it */
    weir_tensor *values;            /* the others', by rank */
    struct weir_direct_part *parts; /* by rank */
    int size;
    atomic_int missing;
};

bool weir_direct_suits(const weir_exchange *exchange, const weir_ring_spec *spec)
{
    size_t bytes = weir_tensor_bytes(&exchange->out);
    return spec->reduces && exchange->group->all_weir && exchange->group->size > 1 && bytes &&
           bytes <= MOST_BYTES / (size_t)(exchange->group->size - 1);
}

static void key_of(int from, int to, char *out, size_t room)
{
    snprintf(out, room, ":d:%d:%d", from, to);
}

static const void *value_of(const weir_direct *direct, int rank)
{
    return rank == direct->x->rank ? direct->given : direct->values[rank].data;
}

static void add_up(weir_direct *direct)
{
    weir_exchange *exchange = direct->x;
    const weir_tensor *out = &exchange->out;
    const weir_par *par = &exchange->call->run->par;
    weir_elem elem = weir_elem_of(out->dtype);
    int64_t count = weir_tensor_count(out);
    memcpy(out->data, value_of(direct, 0), weir_tensor_bytes(out));
    for (int i = 1; i < exchange->group->size; i++)
        weir_binary_flat(par, direct->spec->merge, elem, count, out->data, value_of(direct, i),
                         out->data, WEIR_BOTH_VARY);
    if (direct->spec->divides)
        weir_ring_divide(exchange, out->data, count);
}

/* Copies the received value: two members of one task would deadlock if each kept the other's
 * buffer. */
static weir_status keep(const weir_exchange *exchange, int rank, const weir_tensor *tensor,
                        weir_tensor *out)
{
    const weir_group_member *members = exchange->group->members;
    if (weir_group_same_task(&members[rank], &members[exchange->rank]))
        return weir_tensor_clone(tensor, out);
    *out = weir_tensor_share(tensor);
    return WEIR_OK;
}

static void came(weir_exchange *exchange, void *arg, const weir_tensor *tensor)
{
    struct weir_direct_part *part = arg;
    weir_direct *direct = part->of;
    weir_status status = keep(exchange, part->rank, tensor, &direct->values[part->rank]);
    if (status)
        weir_exchange_fail(exchange, status);
    else if (atomic_fetch_sub(&direct->missing, 1) == 1)
        add_up(direct);
}

static void exchange_with(weir_direct *direct, int rank)
{
    weir_exchange *exchange = direct->x;
    int64_t count = weir_tensor_count(&exchange->out);
    char key[48];
    key_of(exchange->rank, rank, key, sizeof key);
    weir_exchange_give(exchange, rank, key, direct->given, count, NULL, NULL);
    key_of(rank, exchange->rank, key, sizeof key);
    weir_exchange_take(exchange, rank, key, count, came, &direct->parts[rank]);
}

weir_direct *weir_direct_new(weir_exchange *exchange, const weir_ring_spec *spec)
{
    int size = exchange->group->size;
    weir_direct *direct = WEIR_NEW(weir_direct);
    direct->x = exchange;
    direct->spec = spec;
    direct->size = size;
    direct->given = weir_alloc(weir_tensor_bytes(&exchange->out));
    direct->values = WEIR_NEW_ARRAY(weir_tensor, size);
    direct->parts = WEIR_NEW_ARRAY(struct weir_direct_part, size);
    memcpy(direct->given, exchange->out.data, weir_tensor_bytes(&exchange->out));
    for (int i = 0; i < size; i++)
        direct->parts[i] = (struct weir_direct_part){direct, i};
    atomic_init(&direct->missing, size - 1);
    return direct;
}

void weir_direct_run(weir_direct *direct)
{
    for (int i = 0; i < direct->x->group->size; i++)
        if (i != direct->x->rank)
            exchange_with(direct, i);
}

void weir_direct_free(weir_direct *direct)
{
    if (!direct)
        return;
    for (int i = 0; i < direct->size; i++)
        weir_tensor_release(&direct->values[i]);
    weir_free(direct->values);
    weir_free(direct->parts);
    weir_free(direct->given);
    weir_free(direct);
}
