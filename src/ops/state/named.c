/* ops/state/named.c - names, handles and lookups of stateful nodes. */
#include "ops/state/named.h"

#include <stdatomic.h>

#include "state/var.h"
#include "tensor/tstring.h"

/* Remembers the own name of a node among what belongs to its session. */
typedef struct own_name {
    weir_resource base;
    weir_resources *among; /* where the object is, under ... */
    char *container;       /* ... these two */
    char *name;
} own_name;

static const weir_resource_type own_name_type = {"weir::OwnName", "name"};

static void own_name_destroy(weir_ref *ref)
{
    own_name *n = (own_name *)ref;
    weir_status_free(weir_resources_delete(n->among, weir_str_of(n->container),
                                           weir_str_of(n->name), NULL)); /* if it was ever made */
    weir_resources_release(n->among);
    weir_free(n->container);
    weir_free(n->name);
    weir_free(n);
}

typedef struct naming {
    const weir_prepare *p;
    const char *container;
} naming;

static weir_status own_name_create(void *arg, weir_resource **out)
{
    static atomic_llong counter;
    const naming *how = arg;
    own_name *n = WEIR_NEW(own_name);
    weir_ref_init(&n->base.ref, own_name_destroy);
    n->base.type = &own_name_type;
    n->among = weir_resources_retain(how->p->resources);
    n->container = weir_strdup(how->container);
    weir_buf text = {0};
    weir_buf_addf(&text, "_%lld_%s", atomic_fetch_add(&counter, 1), how->p->site->name);
    n->name = weir_buf_take(&text);
    *out = &n->base;
    return WEIR_OK;
}

static weir_status find_own_name(const weir_prepare *p, const char *container, char **out_name)
{
    weir_resource *found;
    naming how = {p, container};
    WEIR_TRY(weir_resources_find_or_create(p->own, weir_str_of("names"), weir_str_of(p->site->name),
                                           &own_name_type, own_name_create, &how, &found));
    *out_name = weir_strdup(((own_name *)found)->name);
    weir_ref_release(&found->ref);
    return WEIR_OK;
}

static bool container_valid(weir_str s)
{
    for (size_t i = 0; i < s.length; i++) {
        char ch = s.at[i];
        bool alnum =
            (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9');
        if (!alnum && (i == 0 ? ch != '.' : !strchr("_.-/", ch)))
            return false;
    }
    return true;
}

static weir_status pick_name(weir_prepare *p, const char *container, weir_str shared,
                             weir_naming naming, char **out_name)
{
    if (shared.length && shared.at[0] == '_')
        return weir_error(WEIR_INVALID_ARGUMENT, "shared_name cannot start with '_':%.*s",
                          WEIR_STR_ARG(shared));
    if (!shared.length && naming == WEIR_BY_OWN_NAME)
        return find_own_name(p, container, out_name);
    *out_name = shared.length ? weir_strndup(shared.at, shared.length) : weir_strdup(p->site->name);
    return WEIR_OK;
}

static weir_tensor make_pair(const weir_named *n)
{
    weir_tstring strings[2] = {0};
    weir_tstring_set(&strings[0], n->container, strlen(n->container));
    weir_tstring_set(&strings[1], n->name, strlen(n->name));
    weir_shape shape = weir_shape_vector(2);
    weir_tensor t = weir_tensor_from(WEIR_STRING, &shape, strings);
    weir_tstring_fini(&strings[0]);
    weir_tstring_fini(&strings[1]);
    return t;
}

weir_status weir_named_prepare(weir_prepare *p, int container, int shared_name, weir_naming naming,
                               const weir_resource_type *type)
{
    if (!p->resources)
        return weir_error(WEIR_INVALID_ARGUMENT, "No container for node %s", p->site->name);
    weir_str none = {"", 0};
    weir_str wanted = container < 0 ? none : weir_site_str(p->site, container);
    weir_str shared = shared_name < 0 ? none : weir_site_str(p->site, shared_name);
    if (!container_valid(wanted))
        return weir_error(WEIR_INVALID_ARGUMENT, "container contains invalid characters: %.*s",
                          WEIR_STR_ARG(wanted));
    weir_named *n = WEIR_NEW(weir_named);
    n->type = type;
    n->container = wanted.length ? weir_strndup(wanted.at, wanted.length)
                                 : weir_strdup(weir_resources_default(p->resources));
    weir_status s = pick_name(p, n->container, shared, naming, &n->name);
    if (s) {
        weir_named_cleanup(n);
        return s;
    }
    n->handle = weir_tensor_from_handle(
        weir_handle_create(weir_resources_device(p->resources), n->container, n->name, type->name));
    n->pair = make_pair(n);
    p->state = n;
    return WEIR_OK;
}

void weir_named_cleanup(void *named)
{
    weir_named *n = named;
    if (!n)
        return;
    weir_tensor_release(&n->handle);
    weir_tensor_release(&n->pair);
    weir_free(n->container);
    weir_free(n->name);
    weir_free(n);
}

weir_status weir_named_open(weir_call *c, weir_status (*create)(void *, weir_resource **),
                            void *arg, weir_resource **out)
{
    const weir_named *n = c->state;
    return weir_resources_find_or_create(c->run->resources, weir_str_of(n->container),
                                         weir_str_of(n->name), n->type, create, arg, out);
}

void weir_named_output(weir_call *c, int out)
{
    const weir_named *n = c->state;
    if (!weir_dtype_is_ref(c->site->out_types[out])) {
        weir_call_set(c, out, weir_tensor_share(&n->handle));
        return;
    }
    weir_var *v = weir_var_create(&weir_legacy_var_type, WEIR_STRING, &n->pair.shape);
    weir_var_assign(v, weir_tensor_share(&n->pair));
    weir_call_set_ref(c, out, v);
    weir_var_release(v);
}

/* Reads the pair behind a reference, or a plain vector of two strings. */
static weir_status find_by_pair(weir_call *c, const weir_tensor *pair,
                                const weir_resource_type *type, weir_resource **out)
{
    if (pair->dtype != WEIR_STRING || weir_tensor_count(pair) != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Resource handle must have 2 elements, but had shape: %s",
                          WEIR_SHAPE_STR(&pair->shape));
    const weir_tstring *s = pair->data;
    return weir_resources_find(c->run->resources, weir_tstring_get(&s[0]), weir_tstring_get(&s[1]),
                               type, out);
}

weir_status weir_named_input(weir_call *c, int i, const weir_resource_type *type,
                             weir_resource **out)
{
    const weir_tensor *t = weir_in(c, i);
    if (c->in[i].var) {
        weir_tensor pair;
        if (!weir_var_read(c->in[i].var, &pair))
            return weir_error(WEIR_FAILED_PRECONDITION, "Resource handle is not initialized");
        weir_status s = find_by_pair(c, &pair, type, out);
        weir_tensor_release(&pair);
        return s;
    }
    if (t->dtype == WEIR_STRING)
        return find_by_pair(c, t, type, out);
    weir_handle *h = weir_tensor_handle(t);
    if (!h)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input %d of node %s is not a resource handle", i,
                          c->site->name);
    return weir_resources_of_handle(c->run->resources, h, type, out);
}
