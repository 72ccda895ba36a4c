/* ops/collective/tree.c - tree broadcast: first over one member of each task, then within each
 * task. Trees and keys are TensorFlow's, so that its tasks can be members.
 */
#include "ops/collective/tree.h"

#include <stdio.h>

/* A tree over some of the group's members. */
typedef struct level {
    int *members; /* in tree order */
    int size;
    int own;    /* own index; -1: not a member of this level */
    int source; /* index of the source */
} level;

typedef struct tree {
    weir_exchange x;
    level *levels;
    int level_count;
    int at; /* index of the level that delivers the value next */
} tree;

/* ---- levels --------------------------------------------------------------------------------- */

static void add_member(tree *tree, level *level, int member)
{
    if (member == tree->x.rank)
        level->own = level->size;
    if (member == tree->x.source)
        level->source = level->size;
    level->members[level->size++] = member;
}

static void lay_levels(tree *tree)
{
    const weir_group *group = tree->x.group;
    level *levels = WEIR_NEW_ARRAY(level, group->size + 1), *this_level = levels;
    for (int i = 0; i <= group->size; i++)
        levels[i] = (level){.members = WEIR_NEW_ARRAY(int, group->size), .own = -1};
    for (int i = 0; i < group->size; i++) {
        if (!i || !weir_group_same_task(&group->members[i], &group->members[i - 1])) {
            this_level++;
            bool has_source =
                weir_group_same_task(&group->members[i], &group->members[tree->x.source]);
            add_member(tree, &levels[0], has_source ? tree->x.source : i);
        }
        add_member(tree, this_level, i);
    }
    tree->levels = levels;
    tree->level_count = (int)(this_level - levels) + 1;
    if (tree->level_count == 2) /* a single task: no tree between tasks */
        tree->at = 1;
}

/* Keys contain the level number, counting existing levels only. */
static int level_number(const tree *tree, const level *level)
{
    return (int)(level - tree->levels) - (tree->level_count == 2 ? 1 : 0);
}

static void level_key(const tree *tree, const level *level, int from, int to, char *out,
                      size_t room)
{
    snprintf(out, room, ":%d:%d:%d", level_number(tree, level), from, to);
}

/* ---- propagation ----------------------------------------------------------------------------- */

/* The parent of a member. A source that is not the first member counts as if it was also before the
 * first. */
static int parent_of(const level *level)
{
    if (level->source == 0)
        return (level->own - 1) / 2;
    int parent = level->own / 2 - 1;
    return parent < 0 ? level->source : parent;
}

static void give_to(tree *tree, const level *level, int to)
{
    char key[48];
    level_key(tree, level, level->own, to, key, sizeof key);
    weir_exchange_give(&tree->x, level->members[to], key, tree->x.out.data,
                       weir_tensor_count(&tree->x.out), NULL, NULL);
}

static void give_all(tree *tree, const level *level)
{
    if (tree->x.what.is_source && level->source != 0) {
        give_to(tree, level, 0);
        if (level->size > 2 && level->source != 1)
            give_to(tree, level, 1);
    }
    int child = level->source == 0 ? 2 * level->own + 1 : 2 * (level->own + 1);
    for (int i = child; i < child + 2; i++)
        if (i < level->size && i != level->source)
            give_to(tree, level, i);
}

static void go_on(tree *tree);

static void came(weir_exchange *exchange, void *arg, const weir_tensor *value)
{
    tree *this_tree = (tree *)exchange;
    memcpy(exchange->out.data, value->data, weir_tensor_bytes(value));
    give_all(this_tree, arg);
    go_on(this_tree);
}

static void go_on(tree *tree)
{
    while (tree->at < tree->level_count) {
        level *level = &tree->levels[tree->at++];
        if (level->own < 0)
            continue;
        if (level->own != level->source) {
            int from = parent_of(level);
            char key[48];
            level_key(tree, level, from, level->own, key, sizeof key);
            weir_exchange_take(&tree->x, level->members[from], key, weir_tensor_count(&tree->x.out),
                               came, level);
            return;
        }
        give_all(tree, level);
    }
}

static void run(weir_exchange *exchange)
{
    tree *this_tree = (tree *)exchange;
    lay_levels(this_tree);
    if (weir_tensor_count(&exchange->out))
        go_on(this_tree);
}

static void destroy(weir_exchange *exchange)
{
    tree *this_tree = (tree *)exchange;
    for (int i = 0; this_tree->levels && i <= exchange->what.group_size; i++)
        weir_free(this_tree->levels[i].members);
    weir_free(this_tree->levels);
    weir_free(this_tree);
}

void weir_tree_start(const weir_exchange *first)
{
    tree *new_tree = WEIR_NEW(tree);
    new_tree->x = *first;
    new_tree->x.run = run;
    new_tree->x.destroy = destroy;
    weir_exchange_start(&new_tree->x);
}
