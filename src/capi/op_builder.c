/* capi/op_builder.c - TF_OpDefinitionBuilder: ops of libraries. */
#include <ctype.h>

#include "capi/kernel_impl.h"
#include "grad/grad.h"

struct TF_OpDefinitionBuilder {
    weir_signature signature;
    char *name, *deprecation; /* owned; signature points to them */
    weir_status error;        /* the first error, reported on registration */
};

/* ---- the ops ----------------------------------------------------------------------------------
 */

static weir_mutex ops_lock = WEIR_MUTEX_INIT;
static WEIR_VEC(const weir_op *) all_ops WEIR_GUARDED_BY(ops_lock);

size_t weir_library_op_count(void)
{
    weir_mutex_lock(&ops_lock);
    size_t count = all_ops.count;
    weir_mutex_unlock(&ops_lock);
    return count;
}

const weir_op *weir_library_op_at(size_t i)
{
    weir_mutex_lock(&ops_lock);
    const weir_op *op = all_ops.at[i];
    weir_mutex_unlock(&ops_lock);
    return op;
}

static const char *text_of(const weir_buf *text)
{
    return weir_strndup(text->length ? text->at : "", text->length);
}

static void free_op(weir_library_op *made)
{
    weir_free((char *)made->op.name);
    weir_free((char *)made->op.in);
    weir_free((char *)made->op.out);
    weir_free((char *)made->op.attrs);
    weir_free((char *)made->op.deprecation);
    weir_free((char *)made->gradient);
    weir_free(made);
}

static char *copy_or_null(const char *text)
{
    return text ? weir_strdup(text) : NULL;
}

static weir_library_op *make_op(const weir_signature *signature)
{
    weir_library_op *made = WEIR_NEW(weir_library_op);
    made->op = (weir_op){.name = weir_strdup(signature->name),
                         .in = text_of(&signature->in),
                         .out = text_of(&signature->out),
                         .attrs = text_of(&signature->attrs),
                         .flags = signature->flags,
                         .deprecated_at = signature->deprecated_at,
                         .deprecation = copy_or_null(signature->deprecation),
                         .infer = weir_library_infer,
                         .grad = signature->gradient ? weir_library_gradient : NULL};
    made->shape = signature->shape;
    made->gradient = copy_or_null(signature->gradient);
    return made;
}

/* "MyOp", "Lib>MyOp", "_Hidden". */
static weir_status check_name(const char *name)
{
    const char *at = name + (*name == '_');
    bool good = isupper((unsigned char)*at);
    for (; good && *at; at++)
        good = isalnum((unsigned char)*at) || strchr("_>./", *at);
    return good ? WEIR_OK
                : weir_error(WEIR_INVALID_ARGUMENT, "Invalid name: %s (Did you use CamelCase?)",
                             name);
}

weir_status weir_signature_register(const weir_signature *signature)
{
    WEIR_TRY(check_name(signature->name));
    weir_library_op *made = make_op(signature);
    weir_status status = weir_catalogue_add(&made->op);
    if (status) {
        free_op(made);
        return status;
    }
    weir_mutex_lock(&ops_lock);
    weir_vec_push(&all_ops, &made->op);
    weir_mutex_unlock(&ops_lock);
    return WEIR_OK;
}

/* The gradient op takes the inputs, then the gradients of the outputs; it has attrs of the same
 * names, and one output for each input. */
weir_status weir_library_gradient(weir_grad *grad)
{
    const weir_site *site = weir_grad_site(grad);
    const char *name = ((const weir_library_op *)site->op)->gradient;
    const weir_op *op = weir_registry_find(weir_catalogue(), weir_str_of(name));
    if (!op)
        return weir_error(WEIR_NOT_FOUND, "Op '%s', the gradient of '%s', is not registered", name,
                          site->def->name);
    const weir_opdef *def = weir_registry_def(weir_catalogue(), op);
    int ins = site->in_count, outs = site->out_count, attr_count = 0;
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, ins + outs);
    weir_named_attr *attrs = WEIR_NEW_ARRAY(weir_named_attr, def->attr_count + 1);
    for (int i = 0; i < ins; i++)
        in[i] = weir_grad_x(grad, i);
    for (int i = 0; i < outs; i++)
        in[ins + i] = weir_grad_dy(grad, i);
    for (int i = 0; i < def->attr_count; i++)
        if (weir_opdef_attr(site->def, def->attrs[i].name) >= 0)
            attrs[attr_count++] = weir_grad_attr(grad, def->attrs[i].name);
    weir_node *node = weir_grad_node_add(grad, name, in, ins + outs, attrs, attr_count);
    for (int i = 0; node && i < ins && i < node->site.out_count; i++)
        weir_grad_set(grad, i, (weir_edge){node, i});
    weir_free(attrs);
    weir_free(in);
    return WEIR_OK;
}

/* ---- the builder ----------------------------------------------------------------------------- */

TF_OpDefinitionBuilder *TF_NewOpDefinitionBuilder(const char *op_name)
{
    TF_OpDefinitionBuilder *builder = WEIR_NEW(TF_OpDefinitionBuilder);
    builder->signature.name = builder->name = weir_strdup(op_name);
    return builder;
}

void TF_DeleteOpDefinitionBuilder(TF_OpDefinitionBuilder *builder)
{
    if (!builder)
        return;
    weir_buf_fini(&builder->signature.in);
    weir_buf_fini(&builder->signature.out);
    weir_buf_fini(&builder->signature.attrs);
    weir_free(builder->name);
    weir_free(builder->deprecation);
    weir_status_free(builder->error);
    weir_free(builder);
}

void TF_RegisterOpDefinition(TF_OpDefinitionBuilder *builder, TF_Status *status)
{
    weir_status error = builder->error;
    builder->error = WEIR_OK;
    weir_capi_end(status, error ? error : weir_signature_register(&builder->signature));
    TF_DeleteOpDefinitionBuilder(builder);
}

/* A ';' outside quotes would split one piece into two. */
static bool one_piece(const char *spec)
{
    char quote = 0;
    for (; *spec; spec++) {
        if (quote)
            quote = *spec == quote ? 0 : quote;
        else if (*spec == '\'' || *spec == '"')
            quote = *spec;
        else if (*spec == ';')
            return false;
    }
    return true;
}

static void add_spec(TF_OpDefinitionBuilder *builder, weir_buf *to, const char *spec)
{
    if (!one_piece(spec) || !spec[strspn(spec, " \n\t")]) {
        if (!builder->error)
            builder->error = weir_error(WEIR_INVALID_ARGUMENT, "Trouble parsing \"%s\" from op %s",
                                        spec, builder->name);
        return;
    }
    weir_buf_addf(to, "%s%s", to->length ? "; " : "", spec);
}

void TF_OpDefinitionBuilderAddAttr(TF_OpDefinitionBuilder *builder, const char *attr_spec)
{
    add_spec(builder, &builder->signature.attrs, attr_spec);
}

void TF_OpDefinitionBuilderAddInput(TF_OpDefinitionBuilder *builder, const char *input_spec)
{
    add_spec(builder, &builder->signature.in, input_spec);
}

void TF_OpDefinitionBuilderAddOutput(TF_OpDefinitionBuilder *builder, const char *output_spec)
{
    add_spec(builder, &builder->signature.out, output_spec);
}

static void set_flag(TF_OpDefinitionBuilder *builder, unsigned flag, bool on)
{
    if (on)
        builder->signature.flags |= flag;
    else
        builder->signature.flags &= ~flag;
}

void TF_OpDefinitionBuilderSetIsCommutative(TF_OpDefinitionBuilder *builder, bool is_commutative)
{
    set_flag(builder, WEIR_COMMUTATIVE, is_commutative);
}

void TF_OpDefinitionBuilderSetIsAggregate(TF_OpDefinitionBuilder *builder, bool is_aggregate)
{
    set_flag(builder, WEIR_AGGREGATE, is_aggregate);
}

void TF_OpDefinitionBuilderSetIsStateful(TF_OpDefinitionBuilder *builder, bool is_stateful)
{
    set_flag(builder, WEIR_STATEFUL, is_stateful);
}

void TF_OpDefinitionBuilderSetAllowsUninitializedInput(TF_OpDefinitionBuilder *builder,
                                                       bool allows_uninitialized_input)
{
    set_flag(builder, WEIR_ALLOWS_UNINITIALIZED, allows_uninitialized_input);
}

void TF_OpDefinitionBuilderDeprecated(TF_OpDefinitionBuilder *builder, int version,
                                      const char *explanation)
{
    weir_free(builder->deprecation);
    builder->signature.deprecation = builder->deprecation = weir_strdup(explanation);
    builder->signature.deprecated_at = version;
}

void TF_OpDefinitionBuilderSetShapeInferenceFunction(
    TF_OpDefinitionBuilder *builder,
    void (*shape_inference_func)(TF_ShapeInferenceContext *ctx, TF_Status *status))
{
    builder->signature.shape = shape_inference_func;
}
