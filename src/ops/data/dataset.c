/* ops/data/dataset.c - inputs by name, and how kernels make datasets. */
#include "ops/data/data_impl.h"
#include "tensor/tstring.h"

weir_range weir_data_range(const weir_call *c, const char *name)
{
    const weir_opdef *def = c->site->def;
    for (int a = 0; a < def->in_count; a++)
        if (!strcmp(def->in[a].name, name))
            return weir_site_in(c->site, a);
    return (weir_range){0, 0};
}

const weir_tensor *weir_data_in(const weir_call *c, const char *name)
{
    weir_range r = weir_data_range(c, name);
    return r.count ? weir_in(c, r.start) : NULL;
}

const weir_attr *weir_data_attr(const weir_site *site, const char *name)
{
    int a = weir_opdef_attr(site->def, name);
    return a < 0 ? NULL : &site->attrs[a];
}

static weir_status scalar(const weir_call *c, const char *name, const weir_tensor **out)
{
    *out = weir_data_in(c, name);
    if (*out && (*out)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s must be a scalar", name);
    return WEIR_OK;
}

weir_status weir_data_int(const weir_call *c, const char *name, int64_t *out)
{
    const weir_tensor *t;
    WEIR_TRY(scalar(c, name, &t));
    if (t)
        *out = t->dtype == WEIR_INT32 ? *(const int32_t *)t->data : *(const int64_t *)t->data;
    return WEIR_OK;
}

weir_status weir_data_bool(const weir_call *c, const char *name, bool *out)
{
    const weir_tensor *t;
    WEIR_TRY(scalar(c, name, &t));
    if (t)
        *out = *(const bool *)t->data;
    return WEIR_OK;
}

weir_status weir_data_string(const weir_call *c, const char *name, weir_str *out)
{
    const weir_tensor *t;
    WEIR_TRY(scalar(c, name, &t));
    if (t)
        *out = weir_tstring_get(t->data);
    return WEIR_OK;
}

/* ---- making datasets ------------------------------------------------------------------------- */

static bool is_dataset_arg(const weir_argdef *a)
{
    return a->dtype == WEIR_VARIANT;
}

static int count_inputs(const weir_site *site)
{
    int count = 0;
    for (int a = 0; a < site->def->in_count; a++)
        if (is_dataset_arg(&site->def->in[a]))
            count += weir_site_in(site, a).count;
    return count;
}

static weir_status collect_inputs(weir_call *c, weir_dataset *d)
{
    int n = 0;
    for (int a = 0; a < c->site->def->in_count; a++) {
        weir_range r = weir_site_in(c->site, a);
        for (int i = 0; is_dataset_arg(&c->site->def->in[a]) && i < r.count; i++, n++) {
            weir_dataset *input;
            WEIR_TRY(weir_dataset_of(weir_in(c, r.start + i), &input));
            d->inputs[n] = weir_dataset_retain(input);
            d->may_block |= input->may_block;
            d->external |= input->external;
            weir_buf_add(&d->options, input->options.at, input->options.length);
        }
    }
    return WEIR_OK;
}

/* Captured inputs are lists of any types. */
static bool captures_resources(const weir_site *site)
{
    for (int a = 0; a < site->def->in_count; a++) {
        weir_range r = weir_site_in(site, a);
        for (int i = 0; site->def->in[a].type_list_attr >= 0 && i < r.count; i++)
            if (site->in_types[r.start + i] == WEIR_RESOURCE)
                return true;
    }
    return false;
}

static const weir_attr *types_attr(const weir_site *site)
{
    const weir_attr *a = weir_data_attr(site, "output_types");
    return a ? a : weir_data_attr(site, "Toutput_types");
}

static weir_status count_components(weir_call *c, const weir_dataset_fns *fns, int *out)
{
    const weir_attr *types = types_attr(c->site);
    *out = types ? types->count : 0;
    if (!fns->like_input)
        return WEIR_OK;
    weir_dataset *input;
    WEIR_TRY(weir_dataset_of(weir_in(c, 0), &input));
    *out = input->count;
    return WEIR_OK;
}

static void set_elements(weir_dataset *d, const weir_site *site)
{
    const weir_attr *types = types_attr(site), *shapes = weir_data_attr(site, "output_shapes");
    for (int i = 0; i < d->count; i++) {
        d->types[i] = d->fns->like_input ? d->inputs[0]->types[i] : (weir_dtype)types->types[i];
        if (shapes && shapes->count == d->count)
            d->shapes[i] = shapes->shapes[i];
        else if (d->fns->like_input)
            d->shapes[i] = d->inputs[0]->shapes[i];
    }
}

weir_status weir_dataset_new(weir_call *c, const weir_dataset_fns *fns, void *out)
{
    int count;
    WEIR_TRY(count_components(c, fns, &count));
    weir_dataset *d = weir_dataset_create(fns, count, count_inputs(c->site));
    d->external = captures_resources(c->site) || weir_data_functions_stateful(c);
    weir_status s = collect_inputs(c, d);
    if (s) {
        weir_dataset_release(d);
        return s;
    }
    set_elements(d, c->site);
    *(weir_dataset **)out = d;
    return WEIR_OK;
}

void weir_dataset_output(weir_call *c, weir_dataset *d)
{
    d->origin = weir_dataset_origin_of(c);
    weir_call_set(c, 0, weir_tensor_from_variant(&d->base));
}

void weir_dataset_add_options(weir_dataset *d, const weir_site *site)
{
    const weir_attr *options = weir_data_attr(site, "serialized_options");
    if (options)
        weir_buf_add(&d->options, options->s.at, options->s.length);
}

/* ---- checks ---------------------------------------------------------------------------------- */

weir_status weir_data_check_types(const int32_t *expected, int expected_count,
                                  const weir_dtype *got, int got_count)
{
    if (expected_count != got_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of components does not match: expected %d types but got %d.",
                          expected_count, got_count);
    for (int i = 0; i < got_count; i++)
        if ((weir_dtype)expected[i] != got[i])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Data type mismatch at component %d: expected %s but got %s.", i,
                              weir_dtype_name(expected[i]), weir_dtype_name(got[i]));
    return WEIR_OK;
}

weir_status weir_data_check_shapes(const weir_shape *expected, int expected_count,
                                   const weir_shape *got, int got_count)
{
    if (expected_count != got_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of components does not match: expected %d shapes but got %d.",
                          expected_count, got_count);
    for (int i = 0; i < got_count; i++)
        if (!weir_shape_compatible(&expected[i], &got[i]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Incompatible shapes at component %d: expected %s but got %s.", i,
                              WEIR_SHAPE_STR(&expected[i]), WEIR_SHAPE_STR(&got[i]));
    return WEIR_OK;
}

static weir_status check_element(const weir_call *c, const weir_tensor *element, int count)
{
    const weir_attr *types = types_attr(c->site),
                    *shapes = weir_data_attr(c->site, "output_shapes");
    if (types->count != count)
        return weir_data_check_types(types->types, types->count, NULL, count);
    for (int i = 0; i < count; i++) {
        WEIR_TRY_NOTE(weir_data_check_types(&types->types[i], 1, &element[i].dtype, 1),
                      "(component %d)", i);
        if (shapes && shapes->count == count)
            WEIR_TRY_NOTE(weir_data_check_shapes(&shapes->shapes[i], 1, &element[i].shape, 1),
                          "(component %d)", i);
    }
    return WEIR_OK;
}

weir_status weir_data_outputs(weir_call *c, weir_tensor *element, int count)
{
    weir_status s = check_element(c, element, count);
    for (int i = 0; i < count; i++) {
        if (s)
            weir_tensor_release(&element[i]);
        else
            weir_call_set(c, i, element[i]);
        element[i].buffer = NULL;
    }
    return s;
}

weir_status weir_data_infer(weir_infer *i)
{
    const weir_attr *shapes = weir_data_attr(i->site, "output_shapes");
    if (shapes && shapes->count != i->out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`output_shapes` must be the same length as `output_types` (%d vs. %d)",
                          shapes->count, i->out_count);
    for (int o = 0; shapes && o < i->out_count; o++)
        i->out[o] = shapes->shapes[o];
    return WEIR_OK;
}
