/* graph/function_sort.c - topological sort of a function's nodes. */
#include "graph/graph_impl.h"

typedef struct sorting {
    const weir_function *f;
    const weir_registry *registry;
    weir_map places;  /* name -> its index in the given order + 1 */
    const int *order; /* indices of nodes */
    int count;
    int *pending;      /* number of unsorted inputs, by index */
    int *first, *uses; /* users of index p: uses[first[p]] to uses[first[p + 1]] */
} sorting;

/* The index of the node that produces |input|; -1: no dependency. */
static int place_of(const sorting *sorting, const char *input)
{
    input += input[0] == '^';
    size_t length = strcspn(input, ":");
    intptr_t place = (intptr_t)weir_map_get(&sorting->places, (weir_str){input, length});
    const char *op = place ? sorting->f->nodes[sorting->order[place - 1]].op : NULL;
    return op && weir_registry_flow(sorting->registry, op) != WEIR_FLOW_NEXT_ITERATION
               ? (int)place - 1
               : -1;
}

/* Counts the uses of every index (|uses| null), then stores them. */
static void note_uses(sorting *sorting)
{
    for (int i = 0; i < sorting->count; i++) {
        const weir_function_node *node = &sorting->f->nodes[sorting->order[i]];
        for (int k = 0; k < node->in_count; k++) {
            int from = place_of(sorting, node->in[k]);
            if (from < 0)
                continue;
            if (sorting->uses)
                sorting->uses[sorting->first[from]++] = i;
            else
                sorting->first[from + 1]++;
            sorting->pending[i] += sorting->uses != NULL;
        }
    }
}

static void find_uses(sorting *sorting)
{
    note_uses(sorting);
    for (int i = 0; i < sorting->count; i++)
        sorting->first[i + 1] += sorting->first[i];
    sorting->uses = WEIR_NEW_ARRAY(int, sorting->first[sorting->count] + 1);
    note_uses(sorting);
    for (int i = sorting->count; i > 0; i--) /* each offset was advanced to the next start */
        sorting->first[i] = sorting->first[i - 1];
    sorting->first[0] = 0;
}

/* Nodes in a cycle, or behind one, come last. */
static void write_sorted(sorting *sorting, int *out)
{
    WEIR_FREED int *ready = WEIR_NEW_ARRAY(int, sorting->count);
    WEIR_FREED bool *sorted = WEIR_NEW_ARRAY(bool, sorting->count);
    int count = 0, at = 0;
    for (int i = 0; i < sorting->count; i++)
        if (!sorting->pending[i])
            ready[count++] = i;
    for (; at < count; at++) {
        out[at] = sorting->order[ready[at]];
        sorted[ready[at]] = true;
        for (int k = sorting->first[ready[at]]; k < sorting->first[ready[at] + 1]; k++)
            if (--sorting->pending[sorting->uses[k]] == 0)
                ready[count++] = sorting->uses[k];
    }
    for (int i = 0; i < sorting->count; i++)
        if (!sorted[i])
            out[at++] = sorting->order[i];
}

void weir_function_sort(const weir_function *function, const weir_registry *registry, int *order,
                        int count)
{
    WEIR_FREED int *given = WEIR_NEW_ARRAY(int, count);
    memcpy(given, order, sizeof *given * (size_t)count);
    sorting sorting = {.f = function,
                       .registry = registry,
                       .order = given,
                       .count = count,
                       .pending = WEIR_NEW_ARRAY(int, count),
                       .first = WEIR_NEW_ARRAY(int, count + 1)};
    for (int i = 0; i < count; i++)
        weir_map_put(&sorting.places, weir_str_of(function->nodes[order[i]].name),
                     (void *)(intptr_t)(i + 1));
    find_uses(&sorting);
    write_sorted(&sorting, order);
    weir_map_fini(&sorting.places);
    weir_free(sorting.pending);
    weir_free(sorting.first);
    weir_free(sorting.uses);
}
