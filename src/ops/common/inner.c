/* ops/common/inner.c - runs one op of the catalogue inside another. */
#include "ops/common/inner.h"

#include "ops/common/infer_util.h"

struct weir_inner {
    weir_arena arena;
    weir_opdef def;
    weir_site site;
    const weir_kernel *kernel;
    void *state;
};

static const weir_named_attr *find(const weir_named_attr *attrs, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (attrs[i].name && !strcmp(attrs[i].name, name))
            return &attrs[i];
    return NULL;
}

static weir_status set_attrs(weir_inner *inner, const weir_named_attr *attrs, int count)
{
    const weir_opdef *def = &inner->def;
    weir_attr *values = WEIR_ARENA_ARRAY(&inner->arena, weir_attr, def->attr_count);
    for (int i = 0; i < def->attr_count; i++) {
        const weir_attrdef *attr = &def->attrs[i];
        const weir_named_attr *given = find(attrs, count, attr->name);
        if (!given && !attr->has_default)
            return weir_error(WEIR_INTERNAL, "attr '%s' of the inner op %s is not given",
                              attr->name, def->name);
        values[i] = weir_attr_copy(&inner->arena, given ? &given->value : &attr->otherwise);
    }
    inner->site.attrs = values;
    return WEIR_OK;
}

static int64_t arg_size(const weir_inner *inner, const weir_argdef *arg)
{
    const weir_attr *attrs = inner->site.attrs;
    return arg->number_attr >= 0      ? attrs[arg->number_attr].i
           : arg->type_list_attr >= 0 ? attrs[arg->type_list_attr].count
                                      : 1;
}

static const int16_t *flat_types(weir_inner *inner, const weir_argdef *args, int count,
                                 int *out_count)
{
    const weir_attr *attrs = inner->site.attrs;
    int64_t total = 0, at = 0;
    for (int i = 0; i < count; i++)
        total += arg_size(inner, &args[i]);
    int16_t *types = WEIR_ARENA_ARRAY(&inner->arena, int16_t, total);
    for (int i = 0; i < count; i++)
        for (int64_t k = 0; k < arg_size(inner, &args[i]); k++)
            types[at++] =
                (int16_t)(args[i].type_list_attr >= 0 ? attrs[args[i].type_list_attr].types[k]
                          : args[i].type_attr >= 0    ? attrs[args[i].type_attr].type
                                                      : args[i].dtype);
    *out_count = (int)total;
    return types;
}

static weir_status set_site(weir_inner *inner, const weir_op *op, const weir_named_attr *attrs,
                            int count)
{
    weir_site *site = &inner->site;
    WEIR_TRY(weir_opdef_parse(&inner->arena, op->name, op->in, op->out, op->attrs, &inner->def));
    *site = (weir_site){.name = op->name, .op = op, .def = &inner->def, .device = ""};
    WEIR_TRY(set_attrs(inner, attrs, count));
    site->in_types = flat_types(inner, inner->def.in, inner->def.in_count, &site->in_count);
    site->out_types = flat_types(inner, inner->def.out, inner->def.out_count, &site->out_count);
    return WEIR_OK;
}

static weir_status find_kernel(weir_inner *inner)
{
    WEIR_TRY(weir_op_kernel(&inner->site, WEIR_CPU, &inner->kernel));
    weir_prepare prepare = {.site = &inner->site, .kernel = inner->kernel};
    if (inner->kernel->prepare)
        WEIR_TRY(inner->kernel->prepare(&prepare));
    inner->state = prepare.state;
    return WEIR_OK;
}

weir_status weir_inner_create(const weir_op *op, const weir_named_attr *attrs, int count,
                              weir_inner **out_inner)
{
    weir_inner *inner = WEIR_NEW(weir_inner);
    weir_arena_init(&inner->arena);
    weir_status status = set_site(inner, op, attrs, count);
    if (!status)
        status = find_kernel(inner);
    if (status)
        weir_inner_destroy(inner);
    else
        *out_inner = inner;
    return status;
}

void weir_inner_destroy(void *state)
{
    weir_inner *inner = state;
    if (!inner)
        return;
    if (inner->state && inner->kernel->cleanup)
        inner->kernel->cleanup(inner->state);
    weir_arena_fini(&inner->arena);
    weir_free(inner);
}

/* Runs the call, and moves its outputs to |out| or releases them. */
static weir_status run_call(weir_call *call, const weir_kernel *kernel, weir_tensor *out)
{
    weir_status status = weir_call_run(call, kernel);
    for (int i = 0; i < call->site->out_count; i++)
        if (status)
            weir_tensor_release(&call->out[i].tensor);
        else
            out[i] = call->out[i].tensor;
    return status;
}

weir_status weir_inner_run(const weir_inner *inner, const weir_call *outer,
                           const weir_tensor *const *in, weir_tensor *out)
{
    const weir_site *site = &inner->site;
    WEIR_FREED weir_value *values =
        WEIR_NEW_ARRAY(weir_value, (size_t)(site->in_count + site->out_count + 1));
    for (int i = 0; i < site->in_count; i++)
        values[i].tensor = weir_tensor_share(in[i]);
    weir_call call = {.site = site,
                      .state = inner->state,
                      .in = values,
                      .out = values + site->in_count,
                      .run = outer->run};
    weir_status status = run_call(&call, inner->kernel, out);
    for (int i = 0; i < site->in_count; i++)
        weir_tensor_release(&values[i].tensor);
    return status;
}

weir_status weir_inner_compute(const weir_call *outer, const weir_op *op,
                               const weir_named_attr *attrs, int count,
                               const weir_tensor *const *in, weir_tensor *out)
{
    weir_inner *inner;
    WEIR_TRY(weir_inner_create(op, attrs, count, &inner));
    weir_status status = weir_inner_run(inner, outer, in, out);
    weir_inner_destroy(inner);
    return status;
}

/* ---- aliases --------------------------------------------------------------------------------- */

enum { ALIAS_ATTRS = 24 };

/* The outer node's attrs under the names of the inner op. */
static int alias_attrs(const weir_site *site, const weir_alias *alias, weir_named_attr *out)
{
    int count = 0;
    for (int i = 0; i < 2 && alias->given[i].name; i++)
        out[count++] = alias->given[i];
    for (int i = 0; i < 3 && alias->renamed[i].inner; i++) {
        int at = weir_opdef_attr(site->def, alias->renamed[i].outer);
        if (at >= 0)
            out[count++] = (weir_named_attr){alias->renamed[i].inner, site->attrs[at]};
    }
    for (int i = 0; i < site->def->attr_count && count < ALIAS_ATTRS; i++)
        out[count++] = (weir_named_attr){site->def->attrs[i].name, site->attrs[i]};
    return count;
}

weir_status weir_alias_infer(weir_infer *infer, const weir_alias *alias)
{
    weir_named_attr attrs[ALIAS_ATTRS];
    if (weir_infer_running(infer)) /* inferred by the kernel */
        return WEIR_OK;
    weir_inner inner = {0};
    weir_arena_init(&inner.arena);
    weir_status status = set_site(&inner, alias->op, attrs, alias_attrs(infer->site, alias, attrs));
    weir_infer own = *infer;
    own.site = &inner.site;
    if (!status && alias->op->infer)
        status = alias->op->infer(&own);
    weir_arena_fini(&inner.arena);
    return status;
}

weir_status weir_alias_prepare(weir_prepare *preparation, const weir_alias *alias)
{
    weir_named_attr attrs[ALIAS_ATTRS];
    weir_inner *inner;
    WEIR_TRY(
        weir_inner_create(alias->op, attrs, alias_attrs(preparation->site, alias, attrs), &inner));
    preparation->state = inner;
    return WEIR_OK;
}

weir_status weir_alias_run(weir_call *call)
{
    const weir_site *site = call->site;
    WEIR_FREED const weir_tensor **in = WEIR_NEW_ARRAY(const weir_tensor *, site->in_count + 1);
    WEIR_FREED weir_tensor *out = WEIR_NEW_ARRAY(weir_tensor, site->out_count + 1);
    for (int i = 0; i < site->in_count; i++)
        in[i] = weir_in(call, i);
    WEIR_TRY(weir_inner_run(call->state, call, in, out));
    for (int i = 0; i < site->out_count; i++)
        weir_call_set(call, i, out[i]);
    return WEIR_OK;
}
