/* op/registry.c - the catalogue: ops by name, signatures parsed on first use; additions of
 * libraries. */
#include <stdlib.h>

#include "base/mutex.h"
#include "op/device.h"

typedef struct entry {
    const weir_op *op;
    _Atomic(const weir_opdef *) def;
} entry;

/* A snapshot of the ops. Readers may use an older one, so none is freed before the registry. */
typedef struct table {
    weir_map by_name; /* -> entry */
    entry **entries;  /* sorted by name */
    size_t count;
    struct table *older;
} table;

struct weir_registry {
    _Atomic(table *) ops;
    entry *first;    /* its initial entries, one allocation */
    weir_mutex lock; /* guards arena, parsing and growth */
    weir_arena arena;
};

static const table *ops_of(const weir_registry *registry)
{
    return atomic_load_explicit(&registry->ops, memory_order_acquire);
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(entry *const *)a)->op->name, (*(entry *const *)b)->op->name);
}

/* Takes over |entries|. */
static table *make_table(entry **entries, size_t count, table *older)
{
    table *made = WEIR_NEW(table);
    *made = (table){.entries = entries, .count = count, .older = older};
    qsort(entries, count, sizeof *entries, by_name);
    for (size_t i = 0; i < count; i++)
        weir_map_put(&made->by_name, weir_str_of(entries[i]->op->name), entries[i]);
    return made;
}

weir_registry *weir_registry_create(const weir_op *const *ops, size_t count)
{
    weir_registry *registry = WEIR_NEW(weir_registry);
    weir_mutex_init(&registry->lock);
    weir_arena_init(&registry->arena);
    registry->first = WEIR_NEW_ARRAY(entry, count);
    entry **entries = WEIR_NEW_ARRAY(entry *, count);
    for (size_t i = 0; i < count; i++) {
        registry->first[i].op = ops[i];
        entries[i] = &registry->first[i];
    }
    atomic_store(&registry->ops, make_table(entries, count, NULL));
    return registry;
}

void weir_registry_destroy(weir_registry *registry)
{
    if (!registry)
        return;
    for (table *at = atomic_load(&registry->ops), *older; at; at = older) {
        older = at->older;
        weir_map_fini(&at->by_name);
        weir_free(at->entries);
        weir_free(at);
    }
    weir_arena_fini(&registry->arena);
    weir_mutex_fini(&registry->lock);
    weir_free(registry->first);
    weir_free(registry);
}

const weir_op *weir_registry_find(const weir_registry *registry, weir_str name)
{
    const entry *entry = weir_map_get(&ops_of(registry)->by_name, name);
    return entry ? entry->op : NULL;
}

weir_flow weir_registry_flow(const weir_registry *registry, const char *name)
{
    const weir_op *op = weir_registry_find(registry, weir_str_of(name));
    return op ? op->flow : WEIR_FLOW_NONE;
}

size_t weir_registry_count(const weir_registry *registry)
{
    return ops_of(registry)->count;
}

const weir_op *weir_registry_at(const weir_registry *registry, size_t i)
{
    return ops_of(registry)->entries[i]->op;
}

static weir_status parse(weir_registry *registry, const weir_op *op, const weir_opdef **out_def)
    WEIR_REQUIRES(registry->lock)
{
    weir_opdef *def = WEIR_ARENA_NEW(&registry->arena, weir_opdef);
    weir_status status =
        weir_opdef_parse(&registry->arena, op->name, op->in, op->out, op->attrs, def);
    if (status) /* a built-in signature: the opdefs test would have failed */
        def->name = op->name;
    weir_opdef_mark_host(def, op->host);
    def->flags = op->flags;
    def->deprecated_at = op->deprecated_at;
    def->deprecation = op->deprecation;
    *out_def = def;
    return status;
}

const weir_opdef *weir_registry_def(const weir_registry *registry, const weir_op *op)
{
    weir_registry *r = (weir_registry *)registry; /* logically const: only fills a cache */
    entry *entry = weir_map_get(&ops_of(r)->by_name, weir_str_of(op->name));
    const weir_opdef *def = atomic_load_explicit(&entry->def, memory_order_acquire);
    if (def)
        return def;
    weir_mutex_lock(&r->lock);
    def = atomic_load_explicit(&entry->def, memory_order_relaxed);
    if (!def) {
        weir_status_free(parse(r, op, &def));
        atomic_store_explicit(&entry->def, def, memory_order_release);
    }
    weir_mutex_unlock(&r->lock);
    return def;
}

/* ---- growth ---------------------------------------------------------------------------------- */

static void put_entry(weir_registry *registry, entry *added) WEIR_REQUIRES(registry->lock)
{
    table *now = atomic_load(&registry->ops);
    entry **entries = WEIR_NEW_ARRAY(entry *, now->count + 1);
    memcpy(entries, now->entries, sizeof *entries * now->count);
    entries[now->count] = added;
    atomic_store_explicit(&registry->ops, make_table(entries, now->count + 1, now),
                          memory_order_release);
}

static weir_status add_locked(weir_registry *registry, const weir_op *op)
    WEIR_REQUIRES(registry->lock)
{
    if (weir_registry_find(registry, weir_str_of(op->name)))
        return weir_error(WEIR_ALREADY_EXISTS, "Op with name %s", op->name);
    const weir_opdef *def;
    WEIR_TRY(parse(registry, op, &def));
    entry *added = WEIR_ARENA_NEW(&registry->arena, entry);
    added->op = op;
    atomic_init(&added->def, def);
    put_entry(registry, added);
    return WEIR_OK;
}

weir_status weir_registry_add(weir_registry *registry, const weir_op *op)
{
    weir_mutex_lock(&registry->lock);
    weir_status status = add_locked(registry, op);
    weir_mutex_unlock(&registry->lock);
    return status;
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

/* "T: float, double": does attr T (every one of a list) have one of these? */
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

/* With the wording of TensorFlow's sessions: the node's attrs, and the existing kernels. */
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
    for (const weir_added_kernel *added = weir_kernels_added(); added; added = added->next)
        if (strcmp(added->op, site->def->name) == 0 && added->kernel.devices)
            weir_buf_addf(&rows, "\n  device='CPU'; %s", added->kernel.types);
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "No OpKernel was registered to support Op '%s' used by {{node %s}} "
                      "with these attrs: [%s]\nRegistered devices: [CPU]\n"
                      "Registered kernels:%s",
                      site->def->name, site->name, attrs.length ? attrs.at : "",
                      rows.length ? rows.at : "\n  <no registered kernels>");
}

static _Atomic(const weir_added_kernel *) all_added;

void weir_kernel_add(weir_added_kernel *kernel)
{
    kernel->next = atomic_load(&all_added);
    while (!atomic_compare_exchange_weak(&all_added, &kernel->next, kernel))
        ;
}

const weir_added_kernel *weir_kernels_added(void)
{
    return atomic_load_explicit(&all_added, memory_order_acquire);
}

bool weir_op_has_kernel(const weir_op *op, unsigned flags)
{
    for (int i = 0; i < WEIR_KERNELS_MAX; i++)
        if (op->kernels[i].flags & flags)
            return true;
    for (const weir_added_kernel *added = weir_kernels_added(); added; added = added->next)
        if (added->kernel.flags & flags && strcmp(added->op, op->name) == 0)
            return true;
    return false;
}

static const weir_kernel *own_kernel(const weir_site *site, unsigned device)
{
    for (int i = 0; i < WEIR_KERNELS_MAX && site->op->kernels[i].devices; i++) {
        const weir_kernel *kernel = &site->op->kernels[i];
        if (kernel->devices & device && weir_kernel_fits(site, kernel->types))
            return kernel;
    }
    return NULL;
}

/* Replaces |*kernel| by the added kernel of the highest priority, if that is above the
 * catalogue's. */
static weir_status prefer_added(const weir_site *site, unsigned device, const weir_kernel **kernel)
{
    int best = 0;
    bool twice = false;
    for (const weir_added_kernel *added = weir_kernels_added(); added; added = added->next) {
        if (strcmp(added->op, site->def->name) != 0 || *added->label ||
            !(added->kernel.devices & device) || !weir_kernel_fits(site, added->kernel.types))
            continue;
        if (*kernel && added->priority <= best) {
            twice |= added->priority == best;
            continue;
        }
        *kernel = &added->kernel;
        best = added->priority;
        twice = false;
    }
    if (!twice)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Multiple OpKernel registrations match NodeDef at the same priority '%d': "
                      "{{node %s}} of op '%s'",
                      best, site->name, site->def->name);
}

weir_status weir_op_kernel(const weir_site *site, unsigned device, const weir_kernel **out_kernel)
{
    const weir_kernel *kernel = site->op ? own_kernel(site, device) : NULL;
    if (site->op && weir_kernels_added())
        WEIR_TRY(prefer_added(site, device, &kernel));
    if (!kernel)
        return no_kernel(site);
    *out_kernel = kernel;
    return WEIR_OK;
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
