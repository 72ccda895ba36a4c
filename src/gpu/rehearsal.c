/* gpu/rehearsal.c - assigns offsets by live ranges: the largest blocks first, best fit. */
#include "gpu/rehearsal.h"

#include <stdlib.h>

enum {
    ALIGNED = 256,
    MOST_STAYS = 1 << 13, /* placement is quadratic in their number */
};

int weir_rehearsal_take(weir_rehearsal *rehearsal, size_t bytes)
{
    size_t room = bytes ? (bytes + ALIGNED - 1) / ALIGNED * ALIGNED : ALIGNED;
    weir_vec_push(&rehearsal->stays, (weir_gpu_stay){.bytes = room, .from = ++rehearsal->clock});
    rehearsal->now += room;
    rehearsal->most = rehearsal->now > rehearsal->most ? rehearsal->now : rehearsal->most;
    return (int)rehearsal->stays.count - 1;
}

void weir_rehearsal_give(weir_rehearsal *rehearsal, int number)
{
    weir_gpu_stay *stay = &rehearsal->stays.at[number];
    stay->to = ++rehearsal->clock;
    rehearsal->now -= stay->bytes;
}

void weir_rehearsal_free(weir_rehearsal *rehearsal)
{
    if (rehearsal)
        weir_vec_fini(&rehearsal->stays);
    weir_free(rehearsal);
}

static int largest_first(const void *a, const void *b)
{
    const weir_gpu_stay *first = *(weir_gpu_stay *const *)a, *second = *(weir_gpu_stay *const *)b;
    if (first->bytes != second->bytes)
        return first->bytes < second->bytes ? 1 : -1;
    return first->from - second->from;
}

/* The smallest sufficient gap for |stay| among the placed blocks, which are sorted by
 * offset. */
static size_t find_gap(weir_gpu_stay *const *placed, size_t count, const weir_gpu_stay *stay)
{
    size_t end = 0, best = 0, best_room = 0;
    for (size_t i = 0; i < count; i++) {
        const weir_gpu_stay *other = placed[i];
        if (other->from > stay->to || other->to < stay->from)
            continue;
        size_t room = other->at > end ? other->at - end : 0;
        if (room >= stay->bytes && (!best_room || room < best_room)) {
            best = end;
            best_room = room;
        }
        end = other->at + other->bytes > end ? other->at + other->bytes : end;
    }
    return best_room ? best : end;
}

static void place_all(weir_rehearsal *rehearsal, weir_gpu_stay **order, weir_gpu_stay **placed)
{
    for (size_t i = 0; i < rehearsal->stays.count; i++) {
        weir_gpu_stay *stay = order[i];
        stay->at = find_gap(placed, i, stay);
        size_t at = i;
        for (; at && placed[at - 1]->at > stay->at; at--)
            placed[at] = placed[at - 1];
        placed[at] = stay;
        if (stay->at + stay->bytes > rehearsal->bytes)
            rehearsal->bytes = stay->at + stay->bytes;
    }
}

/* The total size without overlap; with |place|, assigns these offsets. */
static size_t side_by_side(weir_rehearsal *rehearsal, bool place)
{
    size_t end = 0;
    for (size_t i = 0; i < rehearsal->stays.count; i++) {
        if (place)
            rehearsal->stays.at[i].at = end;
        end += rehearsal->stays.at[i].bytes;
    }
    return end;
}

void weir_rehearsal_end(weir_rehearsal *rehearsal, size_t apart)
{
    size_t count = rehearsal->stays.count;
    if (side_by_side(rehearsal, false) <= apart) {
        rehearsal->bytes = side_by_side(rehearsal, true);
        rehearsal->apart = true;
        return;
    }
    if (!count || count > MOST_STAYS)
        return;
    weir_gpu_stay **order = WEIR_NEW_ARRAY(weir_gpu_stay *, count);
    weir_gpu_stay **placed = WEIR_NEW_ARRAY(weir_gpu_stay *, count);
    for (size_t i = 0; i < count; i++) {
        order[i] = &rehearsal->stays.at[i];
        if (!order[i]->to)
            order[i]->to = rehearsal->clock + 1;
    }
    qsort(order, count, sizeof *order, largest_first);
    place_all(rehearsal, order, placed);
    weir_free(order);
    weir_free(placed);
}

/* ---- a block laid out by a rehearsal --------------------------------------------------------- */

weir_gpu_places *weir_gpu_places_create(const weir_rehearsal *rehearsal, void *block, void *owner)
{
    size_t count = rehearsal->stays.count;
    weir_gpu_places *places = weir_zalloc(sizeof *places + count * sizeof *places->at);
    *places = (weir_gpu_places){.rehearsal = rehearsal, .owner = owner, .block = block, .users = 1};
    for (size_t i = 0; i < count; i++) {
        const weir_gpu_stay *stay = &rehearsal->stays.at[i];
        places->at[i] = (struct weir_gpu_place){
            .places = places, .at = stay->at, .end = stay->at + stay->bytes};
    }
    return places;
}

static bool is_free(const weir_gpu_places *places, const struct weir_gpu_place *place)
{
    if (places->rehearsal->apart)
        return true;
    for (int i = 0; i < places->next; i++) {
        const struct weir_gpu_place *other = &places->at[i];
        if (other->taken && other->at < place->end && other->end > place->at)
            return false;
    }
    return true;
}

struct weir_gpu_place *weir_gpu_places_take(weir_gpu_places *places, size_t bytes)
{
    if (!places->rehearsal || places->next >= (int)places->rehearsal->stays.count)
        return NULL;
    struct weir_gpu_place *place = &places->at[places->next];
    bool fits = bytes <= place->end - place->at && is_free(places, place);
    places->next++;
    if (!fits)
        return NULL;
    place->taken = true;
    places->users++;
    return place;
}

static bool drop_user(weir_gpu_places *places)
{
    if (--places->users)
        return false;
    weir_free(places);
    return true;
}

bool weir_gpu_places_give(struct weir_gpu_place *place)
{
    place->taken = false;
    return drop_user(place->places);
}

bool weir_gpu_places_end(weir_gpu_places *places)
{
    places->rehearsal = NULL;
    return drop_user(places);
}
