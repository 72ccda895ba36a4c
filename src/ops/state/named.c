/* ops/state/named.c - names, handles and lookups of stateful nodes. */
#include "ops/state/named.h"

#include <stdatomic.h>

#include "state/var.h"
#include "tensor/tstring.h"

/* A generated name, registered with the session for clean-up. */
typedef struct own_name {
    weir_resource base;
    weir_resources *among; /* container of the object's resource manager, under ... */
    char *container;       /* ... these two */
    char *name;
} own_name;

static const weir_resource_type own_name_type = {"weir::OwnName", "name"};

static void own_name_destroy(weir_ref *ref)
{
    own_name *name = (own_name *)ref;
    weir_status_free(weir_resources_delete(name->among, weir_str_of(name->container),
                                           weir_str_of(name->name),
                                           NULL)); /* if it was ever created */
    weir_resources_release(name->among);
    weir_free(name->container);
    weir_free(name->name);
    weir_free(name);
}

typedef struct naming {
    const weir_prepare *p;
    const char *container;
} naming;

static weir_status own_name_create(void *arg, weir_resource **out)
{
    static atomic_llong counter;
    const naming *how = arg;
    own_name *name = WEIR_NEW(own_name);
    weir_ref_init(&name->base.ref, own_name_destroy);
    name->base.type = &own_name_type;
    name->among = weir_resources_retain(how->p->resources);
    name->container = weir_strdup(how->container);
    weir_buf text = {0};
    weir_buf_addf(&text, "_%lld_%s", atomic_fetch_add(&counter, 1), how->p->site->name);
    name->name = weir_buf_take(&text);
    *out = &name->base;
    return WEIR_OK;
}

static weir_status find_own_name(const weir_prepare *preparation, const char *container,
                                 char **out_name)
{
    weir_resource *found;
    naming how = {preparation, container};
    WEIR_TRY(weir_resources_find_or_create(preparation->own, weir_str_of("names"),
                                           weir_str_of(preparation->site->name), &own_name_type,
                                           own_name_create, &how, &found));
    *out_name = weir_strdup(((own_name *)found)->name);
    weir_ref_release(&found->ref);
    return WEIR_OK;
}

static bool container_valid(weir_str text)
{
    for (size_t i = 0; i < text.length; i++) {
        char ch = text.at[i];
        bool alnum =
            (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9');
        if (!alnum && (i == 0 ? ch != '.' : !strchr("_.-/", ch)))
            return false;
    }
    return true;
}

static weir_status pick_name(weir_prepare *preparation, const char *container, weir_str shared,
                             weir_naming naming, char **out_name)
{
    if (shared.length && shared.at[0] == '_')
        return weir_error(WEIR_INVALID_ARGUMENT, "shared_name cannot start with '_':%.*s",
                          WEIR_STR_ARG(shared));
    if (!shared.length && naming == WEIR_BY_OWN_NAME)
        return find_own_name(preparation, container, out_name);
    *out_name = shared.length ? weir_strndup(shared.at, shared.length)
                              : weir_strdup(preparation->site->name);
    return WEIR_OK;
}

static weir_tensor make_pair(const weir_named *named)
{
    weir_tstring strings[2] = {0};
    weir_tstring_set(&strings[0], named->container, strlen(named->container));
    weir_tstring_set(&strings[1], named->name, strlen(named->name));
    weir_shape shape = weir_shape_vector(2);
    weir_tensor tensor = weir_tensor_from(WEIR_STRING, &shape, strings);
    weir_tstring_fini(&strings[0]);
    weir_tstring_fini(&strings[1]);
    return tensor;
}

weir_status weir_named_prepare(weir_prepare *preparation, int container, int shared_name,
                               weir_naming naming, const weir_resource_type *type)
{
    if (!preparation->resources)
        return weir_error(WEIR_INVALID_ARGUMENT, "No container for node %s",
                          preparation->site->name);
    weir_str none = {"", 0};
    weir_str wanted = container < 0 ? none : weir_site_str(preparation->site, container);
    weir_str shared = shared_name < 0 ? none : weir_site_str(preparation->site, shared_name);
    if (!container_valid(wanted))
        return weir_error(WEIR_INVALID_ARGUMENT, "container contains invalid characters: %.*s",
                          WEIR_STR_ARG(wanted));
    weir_named *named = WEIR_NEW(weir_named);
    named->type = type;
    named->container = wanted.length ? weir_strndup(wanted.at, wanted.length)
                                     : weir_strdup(weir_resources_default(preparation->resources));
    weir_status status = pick_name(preparation, named->container, shared, naming, &named->name);
    if (status) {
        weir_named_cleanup(named);
        return status;
    }
    const char *device = preparation->site->device;
    if (!device || !*device)
        device = weir_resources_device(preparation->resources);
    named->handle = weir_tensor_from_handle(
        weir_handle_create(device, named->container, named->name, type->name));
    named->pair = make_pair(named);
    preparation->state = named;
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

weir_status weir_named_open(weir_call *call, weir_status (*create)(void *, weir_resource **),
                            void *arg, weir_resource **out)
{
    const weir_named *named = call->state;
    return weir_resources_find_or_create(weir_call_resources(call), weir_str_of(named->container),
                                         weir_str_of(named->name), named->type, create, arg, out);
}

void weir_named_output(weir_call *call, int out)
{
    const weir_named *named = call->state;
    if (!weir_dtype_is_ref(call->site->out_types[out])) {
        weir_call_set(call, out, weir_tensor_share(&named->handle));
        return;
    }
    weir_var *var = weir_var_create(&weir_legacy_var_type, WEIR_STRING, &named->pair.shape);
    weir_var_assign(var, weir_tensor_share(&named->pair));
    weir_call_set_ref(call, out, var);
    weir_var_release(var);
}

/* Resolves the pair behind a reference, or a plain vector of two strings. */
static weir_status find_by_pair(weir_call *call, const weir_tensor *pair,
                                const weir_resource_type *type, weir_resource **out)
{
    if (pair->dtype != WEIR_STRING || weir_tensor_count(pair) != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Resource handle must have 2 elements, but had shape: %s",
                          WEIR_SHAPE_STR(&pair->shape));
    const weir_tstring *tstrings = pair->data;
    return weir_resources_find(weir_call_resources(call), weir_tstring_get(&tstrings[0]),
                               weir_tstring_get(&tstrings[1]), type, out);
}

weir_status weir_named_input(weir_call *call, int i, const weir_resource_type *type,
                             weir_resource **out)
{
    const weir_tensor *tensor = weir_in(call, i);
    if (call->in[i].var) {
        weir_tensor pair;
        if (!weir_var_read(call->in[i].var, &pair))
            return weir_error(WEIR_FAILED_PRECONDITION, "Resource handle is not initialized");
        weir_status status = find_by_pair(call, &pair, type, out);
        weir_tensor_release(&pair);
        return status;
    }
    if (tensor->dtype == WEIR_STRING)
        return find_by_pair(call, tensor, type, out);
    weir_handle *handle = weir_tensor_handle(tensor);
    if (!handle)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input %d of node %s is not a resource handle", i,
                          call->site->name);
    return weir_resources_of_handle(call->run->resources, handle, type, out);
}
