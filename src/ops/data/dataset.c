/* ops/data/dataset.c - inputs by name, and how kernels make datasets. */
#include <inttypes.h>

#include "ops/data/data_impl.h"
#include "tensor/tstring.h"

weir_range weir_data_range(const weir_call *call, const char *name)
{
    const weir_opdef *def = call->site->def;
    for (int a = 0; a < def->in_count; a++)
        if (!strcmp(def->in[a].name, name))
            return weir_site_in(call->site, a);
    return (weir_range){0, 0};
}

const weir_tensor *weir_data_in(const weir_call *call, const char *name)
{
    weir_range range = weir_data_range(call, name);
    return range.count ? weir_in(call, range.start) : NULL;
}

const weir_attr *weir_data_attr(const weir_site *site, const char *name)
{
    int a = weir_opdef_attr(site->def, name);
    return a < 0 ? NULL : &site->attrs[a];
}

static weir_status scalar(const weir_call *call, const char *name, const weir_tensor **out)
{
    *out = weir_data_in(call, name);
    if (*out && (*out)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s must be a scalar", name);
    return WEIR_OK;
}

weir_status weir_data_int(const weir_call *call, const char *name, int64_t *out)
{
    const weir_tensor *tensor;
    WEIR_TRY(scalar(call, name, &tensor));
    if (tensor)
        *out = tensor->dtype == WEIR_INT32 ? *(const int32_t *)tensor->data
                                           : *(const int64_t *)tensor->data;
    return WEIR_OK;
}

weir_status weir_data_bool(const weir_call *call, const char *name, bool *out)
{
    const weir_tensor *tensor;
    WEIR_TRY(scalar(call, name, &tensor));
    if (tensor)
        *out = *(const bool *)tensor->data;
    return WEIR_OK;
}

weir_status weir_data_string(const weir_call *call, const char *name, weir_str *out)
{
    const weir_tensor *tensor;
    WEIR_TRY(scalar(call, name, &tensor));
    if (tensor)
        *out = weir_tstring_get(tensor->data);
    return WEIR_OK;
}

/* ---- creation -------------------------------------------------------------------------------- */

static bool is_dataset_arg(const weir_argdef *argdef)
{
    return argdef->dtype == WEIR_VARIANT;
}

static int count_inputs(const weir_site *site)
{
    int count = 0;
    for (int a = 0; a < site->def->in_count; a++)
        if (is_dataset_arg(&site->def->in[a]))
            count += weir_site_in(site, a).count;
    return count;
}

/* Limits the size: traversals such as counting elements visit all inputs of a dataset. */
static weir_status measure(weir_call *call, weir_dataset *dataset)
{
    enum { DEEPEST = 2000, LARGEST = 1 << 17 };
    dataset->size = 1;
    for (int i = 0; i < call->site->in_count; i++) {
        weir_dataset *input = NULL;
        if (call->site->in_types[i] == WEIR_VARIANT)
            weir_status_free(weir_dataset_of(weir_in(call, i), &input));
        if (input && input->depth >= dataset->depth)
            dataset->depth = input->depth + 1;
        dataset->size += input ? input->size : 0;
    }
    if (dataset->depth <= DEEPEST && dataset->size <= LARGEST)
        return WEIR_OK;
    return weir_error(WEIR_RESOURCE_EXHAUSTED,
                      "A dataset of %" PRId64
                      " datasets, %d under one another, is nested too deeply: "
                      "%d and %d are allowed",
                      dataset->size, dataset->depth, LARGEST, DEEPEST);
}

static weir_status collect_inputs(weir_call *call, weir_dataset *dataset)
{
    int count = 0;
    for (int a = 0; a < call->site->def->in_count; a++) {
        weir_range range = weir_site_in(call->site, a);
        for (int i = 0; is_dataset_arg(&call->site->def->in[a]) && i < range.count; i++, count++) {
            weir_dataset *input;
            WEIR_TRY(weir_dataset_of(weir_in(call, range.start + i), &input));
            dataset->inputs[count] = weir_dataset_retain(input);
            dataset->may_block |= input->may_block;
            dataset->external |= input->external;
            weir_buf_add(&dataset->options, input->options.at, input->options.length);
        }
    }
    return WEIR_OK;
}

/* Captured inputs are lists of any types. */
static bool captures_resources(const weir_site *site)
{
    for (int a = 0; a < site->def->in_count; a++) {
        weir_range range = weir_site_in(site, a);
        for (int i = 0; site->def->in[a].type_list_attr >= 0 && i < range.count; i++)
            if (site->in_types[range.start + i] == WEIR_RESOURCE)
                return true;
    }
    return false;
}

static const weir_attr *types_attr(const weir_site *site)
{
    const weir_attr *attr = weir_data_attr(site, "output_types");
    return attr ? attr : weir_data_attr(site, "Toutput_types");
}

static weir_status count_components(weir_call *call, const weir_dataset_fns *fns, int *out)
{
    const weir_attr *types = types_attr(call->site);
    *out = types ? types->count : 0;
    if (!fns->like_input)
        return WEIR_OK;
    weir_dataset *input;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &input));
    *out = input->count;
    return WEIR_OK;
}

static void set_elements(weir_dataset *dataset, const weir_site *site)
{
    const weir_attr *types = types_attr(site), *shapes = weir_data_attr(site, "output_shapes");
    for (int i = 0; i < dataset->count; i++) {
        dataset->types[i] =
            dataset->fns->like_input ? dataset->inputs[0]->types[i] : (weir_dtype)types->types[i];
        if (shapes && shapes->count == dataset->count)
            dataset->shapes[i] = shapes->shapes[i];
        else if (dataset->fns->like_input)
            dataset->shapes[i] = dataset->inputs[0]->shapes[i];
    }
}

weir_status weir_dataset_new(weir_call *call, const weir_dataset_fns *fns, void *out)
{
    int count;
    WEIR_TRY(count_components(call, fns, &count));
    weir_dataset *dataset = weir_dataset_create(fns, count, count_inputs(call->site));
    dataset->external = captures_resources(call->site) || weir_data_functions_stateful(call);
    weir_status status = measure(call, dataset);
    if (!status)
        status = collect_inputs(call, dataset);
    if (status) {
        weir_dataset_release(dataset);
        return status;
    }
    set_elements(dataset, call->site);
    *(weir_dataset **)out = dataset;
    return WEIR_OK;
}

int64_t weir_data_input_cardinality(const weir_dataset *dataset)
{
    return weir_dataset_cardinality(dataset->inputs[0]);
}

weir_status weir_data_input_get(const weir_dataset *dataset, weir_run *run, int64_t index,
                                weir_tensor *out)
{
    return weir_dataset_get(dataset->inputs[0], run, index, out);
}

void weir_dataset_output(weir_call *call, weir_dataset *dataset)
{
    dataset->origin = weir_dataset_origin_of(call);
    weir_call_set(call, 0, weir_tensor_from_variant(&dataset->base));
}

void weir_dataset_add_options(weir_dataset *dataset, const weir_site *site)
{
    const weir_attr *options = weir_data_attr(site, "serialized_options");
    if (options)
        weir_buf_add(&dataset->options, options->s.at, options->s.length);
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

static weir_status check_element(const weir_call *call, const weir_tensor *element, int count)
{
    const weir_attr *types = types_attr(call->site),
                    *shapes = weir_data_attr(call->site, "output_shapes");
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

weir_status weir_data_outputs(weir_call *call, weir_tensor *element, int count)
{
    weir_status status = check_element(call, element, count);
    for (int i = 0; i < count; i++) {
        if (status)
            weir_tensor_release(&element[i]);
        else
            weir_call_set(call, i, element[i]);
        element[i].buffer = NULL;
    }
    return status;
}

weir_status weir_data_infer(weir_infer *infer)
{
    const weir_attr *shapes = weir_data_attr(infer->site, "output_shapes");
    if (shapes && shapes->count != infer->out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`output_shapes` must be the same length as `output_types` (%d vs. %d)",
                          shapes->count, infer->out_count);
    for (int output = 0; shapes && output < infer->out_count; output++)
        infer->out[output] = shapes->shapes[output];
    return WEIR_OK;
}
