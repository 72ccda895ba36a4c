/* ops/data/optional.c - OptionalFromValue, OptionalNone, OptionalHasValue, OptionalGetValue. */
#include "ops/data/optional_impl.h"

typedef struct optional {
    weir_variant base;
    bool has_value;
    int count;
    weir_tensor *element; /* owned */
} optional;

static weir_status zero(const weir_variant *v, weir_variant **out_zero);
static weir_status add(const weir_variant *a, const weir_variant *b, weir_variant **out_sum);

static const weir_variant_type optional_type = {
    .name = "tensorflow::data::Optional", .add = add, .zero = zero};

static void destroy(weir_ref *ref)
{
    optional *o = (optional *)ref;
    weir_element_destroy(o->element, o->count);
    weir_free(o);
}

static optional *create(weir_tensor *element, int count)
{
    optional *o = WEIR_NEW(optional);
    weir_ref_init(&o->base.ref, destroy);
    o->base.type = &optional_type;
    o->has_value = element != NULL;
    o->count = element ? count : 0;
    o->element = weir_element_create(o->count);
    for (int i = 0; i < o->count; i++)
        weir_tensor_move(&o->element[i], &element[i]);
    return o;
}

void weir_optional_output(weir_call *c, int out, weir_tensor *element, int count)
{
    weir_call_set(c, out, weir_tensor_from_variant(&create(element, count)->base));
}

static weir_status input(const weir_call *c, optional **out)
{
    weir_variant *v = weir_in(c, 0)->shape.rank == 0 ? weir_tensor_variant(weir_in(c, 0)) : NULL;
    if (!v || v->type != &optional_type)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input to %s must be a scalar optional variant.",
                          c->site->def->name);
    *out = (optional *)v;
    return WEIR_OK;
}

/* ---- gradients: sums of optionals and zeros beside them ------------------------------------- */

static weir_status zero(const weir_variant *v, weir_variant **out_zero)
{
    const optional *o = (const optional *)v;
    optional *z = create(o->has_value ? (weir_tensor[1]){{0}} : NULL, 0);
    weir_free(z->element);
    z->count = o->count;
    z->element = weir_element_create(o->count);
    for (int i = 0; i < o->count; i++) {
        weir_status s =
            weir_tensor_alloc(o->element[i].dtype, &o->element[i].shape, &z->element[i]);
        if (s) {
            weir_ref_release(&z->base.ref);
            return s;
        }
        weir_elements_zero(o->element[i].dtype, z->element[i].data,
                           weir_tensor_count(&z->element[i]));
    }
    *out_zero = &z->base;
    return WEIR_OK;
}

static weir_status add(const weir_variant *a, const weir_variant *b, weir_variant **out_sum)
{
    const optional *x = (const optional *)a, *y = (const optional *)b;
    if (x->has_value != y->has_value)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot add optionals because one has a value and the other doesn't.");
    if (x->has_value)
        return weir_error(WEIR_UNIMPLEMENTED, "Optionals with values cannot be added");
    *out_sum = &create(NULL, 0)->base;
    return WEIR_OK;
}

/* ---- ops ------------------------------------------------------------------------------------- */

static weir_status from_value(weir_call *c)
{
    int count = c->site->in_count;
    weir_tensor *element = weir_element_create(count);
    for (int i = 0; i < count; i++)
        element[i] = weir_tensor_share(weir_in(c, i));
    weir_optional_output(c, 0, element, count);
    weir_free(element);
    return WEIR_OK;
}

static weir_status none(weir_call *c)
{
    weir_optional_output(c, 0, NULL, 0);
    return WEIR_OK;
}

static weir_status has_value(weir_call *c)
{
    optional *o;
    WEIR_TRY(input(c, &o));
    *(bool *)weir_out(c, 0)->data = o->has_value;
    return WEIR_OK;
}

static weir_status get_value(weir_call *c)
{
    optional *o;
    WEIR_TRY(input(c, &o));
    if (!o->has_value)
        return weir_error(WEIR_INVALID_ARGUMENT, "The given optional does not have a value.");
    weir_tensor *element = weir_element_create(o->count);
    for (int i = 0; i < o->count; i++)
        element[i] = weir_tensor_share(&o->element[i]);
    weir_status s = weir_data_outputs(c, element, o->count);
    weir_free(element);
    return s;
}

const weir_op weir_op_optional_from_value = {
    .name = "OptionalFromValue",
    .in = "components: Toutput_types",
    .out = "optional: variant",
    .attrs = "Toutput_types: list(type) >= 1",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_scalar,
    .kernels = {{WEIR_CPU, "*", from_value, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

const weir_op weir_op_optional_none = {
    .name = "OptionalNone",
    .out = "optional: variant",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_scalar,
    .kernels = {{WEIR_CPU, "*", none, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

const weir_op weir_op_optional_has_value = {
    .name = "OptionalHasValue",
    .in = "optional: variant",
    .out = "has_value: bool",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_scalar,
    .kernels = {{WEIR_CPU, "*", has_value, WEIR_CHEAP}},
};

const weir_op weir_op_optional_get_value = {
    .name = "OptionalGetValue",
    .in = "optional: variant",
    .out = "components: output_types",
    .attrs = WEIR_DATASET_TYPES,
    .flags = WEIR_NO_FOLD,
    .infer = weir_data_infer,
    .kernels = {{WEIR_CPU, "*", get_value, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
