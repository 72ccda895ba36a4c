/* graph/import_names.c - chooses the names of imported nodes. */
#include <ctype.h>
#include <stdio.h>

#include "graph/import_impl.h"

static bool valid_name(const char *name)
{
    if (!isalnum((unsigned char)*name) && *name != '.' && *name != '_')
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("_.\\-/>", *name))
            return false;
    return true;
}

static bool taken(const weir_importing *im, const char *name)
{
    return weir_graph_find(im->graph, weir_str_of(name)) != NULL;
}

static bool prefix_taken(const weir_importing *im, const char *prefix)
{
    size_t length = strlen(prefix);
    for (size_t i = 0; i < im->graph->nodes.count; i++) {
        const char *name = im->graph->nodes.at[i]->site.name;
        if (strncmp(name, prefix, length) == 0 && (name[length] == 0 || name[length] == '/'))
            return true;
    }
    return false;
}

static const char *join(weir_importing *im, const char *prefix, const char *name)
{
    size_t room = strlen(prefix) + strlen(name) + 2;
    char *joined = weir_arena_alloc(&im->arena, room);
    snprintf(joined, room, "%s/%s", prefix, name);
    return joined;
}

static const char *numbered(weir_importing *im, const char *name, int number)
{
    size_t room = strlen(name) + 16;
    char *text = weir_arena_alloc(&im->arena, room);
    snprintf(text, room, "%s_%d", name, number);
    return text;
}

static const char *unique_prefix(weir_importing *im, const char *prefix)
{
    const char *candidate = prefix;
    for (int number = 1; prefix_taken(im, candidate); number++)
        candidate = numbered(im, prefix, number);
    return candidate;
}

/* A name that neither the graph nor the GraphDef uses. */
static const char *unique_name(weir_importing *im, const char *name)
{
    for (int number = 1;; number++) {
        const char *candidate = numbered(im, name, number);
        if (!taken(im, candidate) && !weir_map_get(&im->by_name, weir_str_of(candidate)))
            return candidate;
    }
}

/* The prefix of every name, without a trailing slash; null: none. */
static weir_status find_prefix(weir_importing *im, const char **out_prefix)
{
    const char *prefix = im->how->prefix;
    *out_prefix = NULL;
    if (!prefix || !*prefix)
        return WEIR_OK;
    if (prefix[strlen(prefix) - 1] == '/')
        prefix = weir_arena_strndup(&im->arena, prefix, strlen(prefix) - 1);
    if (!valid_name(prefix))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Imported node name prefix '%s/' would lead to invalid node names",
                          prefix);
    *out_prefix = im->how->uniquify_prefix ? unique_prefix(im, prefix) : prefix;
    return WEIR_OK;
}

static weir_status name_node(weir_importing *im, int i, const char *prefix)
{
    const char *name = im->defs[i].name;
    if (!valid_name(name))
        return weir_error(WEIR_INVALID_ARGUMENT, "Node '%s': Node name contains invalid characters",
                          name);
    if (weir_map_put(&im->by_name, weir_str_of(name), (void *)(intptr_t)(i + 1)))
        return weir_error(WEIR_INVALID_ARGUMENT, "Node '%s' is not unique", name);
    im->names[i] = prefix ? join(im, prefix, name) : name;
    if (taken(im, im->names[i]) && !im->how->uniquify_names)
        return weir_error(WEIR_INVALID_ARGUMENT, "Node name '%s' already exists in the Graph",
                          im->names[i]);
    return WEIR_OK;
}

/* Renames "loc:@name" along with its node of the GraphDef. */
static void rename_class(weir_importing *im, weir_str *class)
{
    static const char before[] = "loc:@";
    enum { BEFORE = sizeof before - 1 };
    if (class->length < BEFORE || memcmp(class->at, before, BEFORE) != 0)
        return;
    weir_str name = {class->at + BEFORE, class->length - BEFORE};
    intptr_t place = (intptr_t)weir_map_get(&im->by_name, name);
    if (!place)
        return;
    size_t room = strlen(im->names[place - 1]) + sizeof before;
    char *renamed = weir_arena_alloc(&im->arena, room);
    snprintf(renamed, room, "%s%s", before, im->names[place - 1]);
    *class = (weir_str){renamed, room - 1};
}

static void rename_classes(weir_importing *im, weir_function_node *def)
{
    for (int i = 0; i < def->attr_count; i++) {
        weir_attr *value = &def->attrs[i].value;
        if (strcmp(def->attrs[i].name, "_class") != 0 || value->kind != WEIR_ATTR_STRING ||
            !value->is_list)
            continue;
        for (int k = 0; k < value->count; k++)
            rename_class(im, (weir_str *)&value->ss[k]);
    }
}

weir_status weir_import_name(weir_importing *im)
{
    const char *prefix;
    WEIR_TRY(find_prefix(im, &prefix));
    for (int i = 0; i < im->count; i++)
        WEIR_TRY(name_node(im, i, prefix));
    for (int i = 0; i < im->count; i++)
        if (taken(im, im->names[i]))
            im->names[i] = unique_name(im, im->names[i]);
    for (int i = 0; i < im->count; i++)
        rename_classes(im, &im->defs[i]);
    return WEIR_OK;
}
