/* ops/collective/tree.c - broadcasting over trees: one of a member of each task, then one within
 * each task. Trees and keys are TensorFlow's, so that its tasks can be members.
 */
#include "ops/collective/tree.h"

#include <stdio.h>

/* A tree over some of the group's members. */
typedef struct level {
    int *members; /* as they stand in it */
    int size;
    int own;    /* place; -1: the member is not in it */
    int source; /* place */
} level;

typedef struct tree {
    weir_exchange x;
    level *levels;
    int level_count;
    int at; /* the level that the value comes by next */
} tree;

/* ---- levels --------------------------------------------------------------------------------- */

static bool same_task(const weir_group_member *a, const weir_group_member *b)
{
    return a->task_bytes == b->task_bytes && memcmp(a->device, b->device, a->task_bytes) == 0;
}

static void add_member(tree *t, level *l, int member)
{
    if (member == t->x.rank)
        l->own = l->size;
    if (member == t->x.source)
        l->source = l->size;
    l->members[l->size++] = member;
}

static void lay_levels(tree *t)
{
    const weir_group *g = t->x.group;
    level *levels = WEIR_NEW_ARRAY(level, g->size + 1), *l = levels;
    for (int i = 0; i <= g->size; i++)
        levels[i] = (level){.members = WEIR_NEW_ARRAY(int, g->size), .own = -1};
    for (int i = 0; i < g->size; i++) {
        if (!i || !same_task(&g->members[i], &g->members[i - 1])) {
            l++;
            bool has_source = same_task(&g->members[i], &g->members[t->x.source]);
            add_member(t, &levels[0], has_source ? t->x.source : i);
        }
        add_member(t, l, i);
    }
    t->levels = levels;
    t->level_count = (int)(l - levels) + 1;
    if (t->level_count == 2) /* one task: no tree between tasks */
        t->at = 1;
}

/* Keys count the trees that there are. */
static int level_number(const tree *t, const level *l)
{
    return (int)(l - t->levels) - (t->level_count == 2 ? 1 : 0);
}

static void level_key(const tree *t, const level *l, int from, int to, char *out, size_t room)
{
    snprintf(out, room, "%d:%d:%d", level_number(t, l), from, to);
}

/* ---- the value's way ------------------------------------------------------------------------ */

/* Who a member gets the value from. A source that is not the first counts as if it stood before the
 * first as well. */
static int parent_of(const level *l)
{
    if (l->source == 0)
        return (l->own - 1) / 2;
    int parent = l->own / 2 - 1;
    return parent < 0 ? l->source : parent;
}

static void give_to(tree *t, const level *l, int to)
{
    char key[48];
    level_key(t, l, l->own, to, key, sizeof key);
    weir_exchange_give(&t->x, key, t->x.out.data, weir_tensor_count(&t->x.out), NULL, NULL);
}

static void give_all(tree *t, const level *l)
{
    if (t->x.what.is_source && l->source != 0) {
        give_to(t, l, 0);
        if (l->size > 2 && l->source != 1)
            give_to(t, l, 1);
    }
    int child = l->source == 0 ? 2 * l->own + 1 : 2 * (l->own + 1);
    for (int i = child; i < child + 2; i++)
        if (i < l->size && i != l->source)
            give_to(t, l, i);
}

static void go_on(tree *t);

static void came(weir_exchange *x, void *arg, const weir_tensor *value)
{
    tree *t = (tree *)x;
    memcpy(x->out.data, value->data, weir_tensor_bytes(value));
    give_all(t, arg);
    go_on(t);
}

static void go_on(tree *t)
{
    while (t->at < t->level_count) {
        level *l = &t->levels[t->at++];
        if (l->own < 0)
            continue;
        if (l->own != l->source) {
            int from = parent_of(l);
            char key[48];
            level_key(t, l, from, l->own, key, sizeof key);
            weir_exchange_take(&t->x, l->members[from], key, weir_tensor_count(&t->x.out), came, l);
            return;
        }
        give_all(t, l);
    }
}

static void run(weir_exchange *x)
{
    tree *t = (tree *)x;
    lay_levels(t);
    if (weir_tensor_count(&x->out))
        go_on(t);
}

static void destroy(weir_exchange *x)
{
    tree *t = (tree *)x;
    for (int i = 0; t->levels && i <= x->what.group_size; i++)
        weir_free(t->levels[i].members);
    weir_free(t->levels);
    weir_free(t);
}

void weir_tree_start(const weir_exchange *first)
{
    tree *t = WEIR_NEW(tree);
    t->x = *first;
    t->x.run = run;
    t->x.destroy = destroy;
    weir_exchange_start(&t->x);
}
