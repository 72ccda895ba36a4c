/* op/registry.c - the catalogue: ops by name, signatures parsed when first asked for. */
#include <stdlib.h>

#include "base/mutex.h"
#include "op/device.h"

typedef struct entry {
    const weir_op *op;
    _Atomic(const weir_opdef *) def;
} entry;

struct weir_registry {
    weir_map by_name; /* -> entry */
    entry *entries;   /* sorted by name */
    size_t count;
    weir_mutex lock; /* over arena and parsing */
    weir_arena arena;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->op->name, ((const entry *)b)->op->name);
}

weir_registry *weir_registry_create(const weir_op *const *ops, size_t count)
{
    weir_registry *registry = WEIR_NEW(weir_registry);
    weir_mutex_init(&registry->lock);
    weir_arena_init(&registry->arena);
    registry->entries = WEIR_NEW_ARRAY(entry, count);
    registry->count = count;
    for (size_t i = 0; i < count; i++)
        registry->entries[i].op = ops[i];
    qsort(registry->entries, count, sizeof *registry->entries, by_name);
    for (size_t i = 0; i < count; i++)
        weir_map_put(&registry->by_name, weir_str_of(registry->entries[i].op->name),
                     &registry->entries[i]);
    return registry;
}

void weir_registry_destroy(weir_registry *registry)
{
    if (!registry)
        return;
    weir_map_fini(&registry->by_name);
    weir_arena_fini(&registry->arena);
    weir_mutex_fini(&registry->lock);
    weir_free(registry->entries);
    weir_free(registry);
}

const weir_op *weir_registry_find(const weir_registry *registry, weir_str name)
{
    const entry *entry = weir_map_get(&registry->by_name, name);
    return entry ? entry->op : NULL;
}

weir_flow weir_registry_flow(const weir_registry *registry, const char *name)
{
    const weir_op *op = weir_registry_find(registry, weir_str_of(name));
    return op ? op->flow : WEIR_FLOW_NONE;
}

size_t weir_registry_count(const weir_registry *registry)
{
    return registry->count;
}

const weir_op *weir_registry_at(const weir_registry *registry, size_t i)
{
    return registry->entries[i].op;
}

static const weir_opdef *parse(weir_registry *registry, const weir_op *op)
{
    weir_opdef *def = WEIR_ARENA_NEW(&registry->arena, weir_opdef);
    weir_status status =
        weir_opdef_parse(&registry->arena, op->name, op->in, op->out, op->attrs, def);
    if (status) { /* our own text: the opdefs test finds it long before a user could */
        weir_status_free(status);
        def->name = op->name;
    }
    weir_opdef_mark_host(def, op->host);
    def->flags = op->flags;
    def->deprecated_at = op->deprecated_at;
    def->deprecation = op->deprecation;
    return def;
}

const weir_opdef *weir_registry_def(const weir_registry *registry, const weir_op *op)
{
    weir_registry *r = (weir_registry *)registry; /* a cache behind a read-only face */
    entry *entry = weir_map_get(&r->by_name, weir_str_of(op->name));
    const weir_opdef *def = atomic_load_explicit(&entry->def, memory_order_acquire);
    if (def)
        return def;
    weir_mutex_lock(&r->lock);
    def = atomic_load_explicit(&entry->def, memory_order_relaxed);
    if (!def) {
        def = parse(r, op);
        atomic_store_explicit(&entry->def, def, memory_order_release);
    }
    weir_mutex_unlock(&r->lock);
    return def;
}

/* ---- kernels -------------------------------------------------------------------------------- */

static bool type_in(weir_str list, int dtype)
{
    const char *at = list.at, *end = list.at + list.length;
    while (at < end) {
        while (at < end && (*at == ' ' || *at == ','))
            at++;
        const char *start = at;
        while (at < end && *at != ',' && *at != ' ')
            at++;
        weir_str one = {start, (size_t)(at - start)};
        if (weir_str_is(one, "*") || (one.length && weir_dtype_parse(one) == dtype))
            return true;
    }
    return false;
}

/* "T: float, double": does attr T have one of these (every one of a list)? */
static bool clause_fits(const weir_site *site, weir_str clause)
{
    const char *colon = memchr(clause.at, ':', clause.length);
    if (!colon)
        return true;
    const char *start = clause.at;
    while (*start == ' ')
        start++;
    weir_str name = {start, (size_t)(colon - start)};
    weir_str list = {colon + 1, (size_t)(clause.at + clause.length - colon - 1)};
    for (int i = 0; i < site->def->attr_count; i++) {
        if (!weir_str_is(name, site->def->attrs[i].name))
            continue;
        const weir_attr *attr = &site->attrs[i];
        if (!attr->is_list)
            return type_in(list, attr->type);
        for (int k = 0; k < attr->count; k++)
            if (!type_in(list, attr->types[k]))
                return false;
        return true;
    }
    return false;
}

bool weir_kernel_fits(const weir_site *site, const char *types)
{
    if (!types || strcmp(types, "*") == 0)
        return true;
    for (const char *at = types; *at;) {
        const char *end = strchrnul(at, ';');
        if (!clause_fits(site, (weir_str){at, (size_t)(end - at)}))
            return false;
        at = *end ? end + 1 : end;
    }
    return true;
}

/* In the words of TensorFlow's sessions: the node's attrs, and what there is instead. */
static weir_status no_kernel(const weir_site *site)
{
    WEIR_BUF(attrs);
    WEIR_BUF(rows);
    for (int i = 0; i < site->def->attr_count; i++)
        if (site->def->attrs[i].kind == WEIR_ATTR_TYPE) {
            weir_buf_addf(&attrs, "%s%s=", attrs.length ? ", " : "", site->def->attrs[i].name);
            weir_attr_text(&site->attrs[i], &attrs);
        }
    for (int i = 0; site->op && i < WEIR_KERNELS_MAX && site->op->kernels[i].devices; i++)
        weir_buf_addf(&rows, "\n  device='%s'; %s",
                      site->op->kernels[i].devices & WEIR_CPU ? "CPU" : "GPU",
                      site->op->kernels[i].types ? site->op->kernels[i].types : "*");
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "No OpKernel was registered to support Op '%s' used by {{node %s}} "
                      "with these attrs: [%s]\nRegistered devices: [CPU]\n"
                      "Registered kernels:%s",
                      site->def->name, site->name, attrs.length ? attrs.at : "",
                      rows.length ? rows.at : "\n  <no registered kernels>");
}

weir_status weir_op_kernel(const weir_site *site, unsigned device, const weir_kernel **out_kernel)
{
    if (site->op)
        for (int i = 0; i < WEIR_KERNELS_MAX && site->op->kernels[i].devices; i++) {
            const weir_kernel *kernel = &site->op->kernels[i];
            if (kernel->devices & device && weir_kernel_fits(site, kernel->types)) {
                *out_kernel = kernel;
                return WEIR_OK;
            }
        }
    return no_kernel(site);
}

static weir_range range_of(const weir_site *site, const weir_argdef *args, int arg)
{
    weir_range range = {0, 0};
    for (int i = 0; i <= arg; i++) {
        range.start += range.count;
        if (args[i].number_attr >= 0)
            range.count = (int)site->attrs[args[i].number_attr].i;
        else if (args[i].type_list_attr >= 0)
            range.count = site->attrs[args[i].type_list_attr].count;
        else
            range.count = 1;
    }
    return range;
}

weir_range weir_site_in(const weir_site *site, int arg)
{
    return range_of(site, site->def->in, arg);
}

weir_range weir_site_out(const weir_site *site, int arg)
{
    return range_of(site, site->def->out, arg);
}
