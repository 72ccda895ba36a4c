/* ops/data/optional.c - OptionalFromValue, OptionalNone, OptionalHasValue, OptionalGetValue. */
#include "ops/data/optional_impl.h"

#include "base/arith.h"
#include "base/stack.h"
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/variants.h"

typedef struct optional {
    weir_variant base;
    bool has_value;
    int count;
    int64_t size;         /* nested optionals including itself, with repetitions */
    weir_tensor *element; /* owned */
} optional;

static weir_status zero(const weir_variant *variant, weir_variant **out_zero);
static weir_status add(const weir_variant *a, const weir_variant *b, weir_variant **out_sum);

static weir_status encode(const weir_variant *variant, weir_buf *metadata,
                          weir_tensor **out_tensors, int *out_count);
static weir_status decode(weir_str metadata, const weir_tensor *tensors, int count,
                          weir_variant **out_variant);

const weir_variant_type weir_variant_optional = {.name = "tensorflow::data::Optional",
                                                 .encode = encode,
                                                 .decode = decode,
                                                 .add = add,
                                                 .zero = zero};

static void destroy(weir_ref *ref)
{
    optional *this_optional = (optional *)ref;
    weir_element_destroy(this_optional->element, this_optional->count);
    weir_free(this_optional);
}

enum { LARGEST = 1 << 20 }; /* limit for sums; the size saturates at LARGEST + 1 */

static int64_t size_of(const weir_tensor *tensor)
{
    int64_t size = 0;
    for (int64_t i = 0; tensor->dtype == WEIR_VARIANT && i < weir_tensor_count(tensor); i++) {
        const weir_variant *variant = ((weir_variant **)tensor->data)[i];
        if (variant && variant->type == &weir_variant_optional)
            size = weir_min(size + ((const optional *)variant)->size, LARGEST + 1);
    }
    return size;
}

static optional *create(weir_tensor *element, int count)
{
    optional *new_optional = WEIR_NEW(optional);
    weir_ref_init(&new_optional->base.ref, destroy);
    new_optional->base.type = &weir_variant_optional;
    new_optional->has_value = element != NULL;
    new_optional->count = element ? count : 0;
    new_optional->size = 1;
    new_optional->element = weir_element_create(new_optional->count);
    for (int i = 0; i < new_optional->count; i++) {
        new_optional->size = weir_min(new_optional->size + size_of(&element[i]), LARGEST + 1);
        weir_tensor_move(&new_optional->element[i], &element[i]);
    }
    return new_optional;
}

/* The metadata is one byte: whether there is a value. */
static weir_status encode(const weir_variant *variant, weir_buf *metadata,
                          weir_tensor **out_tensors, int *out_count)
{
    const optional *this_optional = (const optional *)variant;
    weir_buf_addc(metadata, this_optional->has_value);
    *out_tensors = WEIR_NEW_ARRAY(weir_tensor, this_optional->count);
    for (int i = 0; i < this_optional->count; i++)
        (*out_tensors)[i] = weir_tensor_share(&this_optional->element[i]);
    *out_count = this_optional->count;
    return WEIR_OK;
}

static weir_status decode(weir_str metadata, const weir_tensor *tensors, int count,
                          weir_variant **out_variant)
{
    if (metadata.length != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "an Optional came with %zu bytes of metadata",
                          metadata.length);
    bool has_value = metadata.at[0];
    WEIR_FREED weir_tensor *element = has_value ? WEIR_NEW_ARRAY(weir_tensor, count + 1) : NULL;
    for (int i = 0; has_value && i < count; i++)
        element[i] = weir_tensor_share(&tensors[i]);
    *out_variant = &create(element, count)->base;
    return WEIR_OK;
}

void weir_optional_output(weir_call *call, int out, weir_tensor *element, int count)
{
    weir_call_set(call, out, weir_tensor_from_variant(&create(element, count)->base));
}

static weir_status input(const weir_call *call, optional **out)
{
    weir_variant *variant =
        weir_in(call, 0)->shape.rank == 0 ? weir_tensor_variant(weir_in(call, 0)) : NULL;
    if (!variant || variant->type != &weir_variant_optional)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input to %s must be a scalar optional variant.",
                          call->site->def->name);
    *out = (optional *)variant;
    return WEIR_OK;
}

/* ---- gradients: sums and zeros of optionals -------------------------------------------------- */

static weir_status zero_tensor(const weir_tensor *tensor, weir_tensor *out)
{
    WEIR_TRY(weir_tensor_alloc(tensor->dtype, &tensor->shape, out));
    int64_t count = weir_tensor_count(tensor);
    if (tensor->dtype != WEIR_VARIANT) {
        weir_elements_zero(tensor->dtype, out->data, count);
        return WEIR_OK;
    }
    for (int64_t i = 0; i < count; i++) {
        const weir_variant *variant = ((weir_variant **)tensor->data)[i];
        if (variant && variant->type->zero)
            WEIR_TRY(variant->type->zero(variant, &((weir_variant **)out->data)[i]));
    }
    return WEIR_OK;
}

static weir_status add_tensors(const weir_tensor *a, const weir_tensor *b, weir_tensor *out)
{
    if (a->dtype != b->dtype || !weir_shape_eq(&a->shape, &b->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot add optionals with components %s%s and %s%s",
                          weir_dtype_name(a->dtype), WEIR_SHAPE_STR(&a->shape),
                          weir_dtype_name(b->dtype), WEIR_SHAPE_STR(&b->shape));
    int64_t count = weir_tensor_count(a);
    WEIR_TRY(weir_tensor_clone(a, out));
    if (a->dtype != WEIR_VARIANT) {
        weir_elem elem = weir_elem_of(a->dtype);
        weir_update_fn fn = elem == WEIR_ELEM_NONE ? NULL : weir_update_find(WEIR_UPDATE_ADD, elem);
        if (!fn)
            return weir_error(WEIR_INVALID_ARGUMENT, "Tensors of type %s cannot be added",
                              weir_dtype_name(a->dtype));
        fn(out->data, b->data, count, 1);
        return WEIR_OK;
    }
    for (int64_t i = 0; i < count; i++) {
        weir_variant *variant = ((weir_variant **)a->data)[i], *y = ((weir_variant **)b->data)[i];
        if (!variant || !y || variant->type != y->type || !variant->type->add)
            return weir_error(WEIR_INVALID_ARGUMENT, "Variants inside optionals cannot be added");
        weir_variant *sum;
        WEIR_TRY(variant->type->add(variant, y, &sum));
        weir_ref_release(&((weir_variant **)out->data)[i]->ref);
        ((weir_variant **)out->data)[i] = sum;
    }
    return WEIR_OK;
}

/* Nested optionals are added recursively. */
static weir_status check_nesting(const optional *this_optional)
{
    if (this_optional->size > LARGEST)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "An optional holds more than %d optionals",
                          LARGEST);
    return weir_stack_check("An optional");
}

/* An optional with |count| unset components. */
static optional *create_like(const optional *this_optional)
{
    optional *made = create(NULL, 0);
    weir_free(made->element);
    made->has_value = this_optional->has_value;
    made->count = this_optional->count;
    made->size = this_optional->size;
    made->element = weir_element_create(this_optional->count);
    return made;
}

static weir_status zero(const weir_variant *variant, weir_variant **out_zero)
{
    const optional *this_optional = (const optional *)variant;
    WEIR_TRY(check_nesting(this_optional));
    optional *made = create_like(this_optional);
    weir_status status = WEIR_OK;
    for (int i = 0; !status && i < this_optional->count; i++)
        status = zero_tensor(&this_optional->element[i], &made->element[i]);
    if (status)
        weir_ref_release(&made->base.ref);
    else
        *out_zero = &made->base;
    return status;
}

static weir_status add(const weir_variant *a, const weir_variant *b, weir_variant **out_sum)
{
    const optional *this_optional = (const optional *)a, *y = (const optional *)b;
    if (this_optional->has_value != y->has_value)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot add optionals because one has a value and the other doesn't.");
    if (this_optional->count != y->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot add optionals because they have different numbers of "
                          "components (%d vs. %d).",
                          this_optional->count, y->count);
    WEIR_TRY(check_nesting(this_optional));
    optional *made = create_like(this_optional);
    weir_status status = WEIR_OK;
    for (int i = 0; !status && i < this_optional->count; i++)
        status = add_tensors(&this_optional->element[i], &y->element[i], &made->element[i]);
    if (status)
        weir_ref_release(&made->base.ref);
    else
        *out_sum = &made->base;
    return status;
}

/* ---- ops ------------------------------------------------------------------------------------- */

static weir_status from_value(weir_call *call)
{
    int count = call->site->in_count;
    weir_tensor *element = weir_element_create(count);
    for (int i = 0; i < count; i++)
        element[i] = weir_tensor_share(weir_in(call, i));
    weir_optional_output(call, 0, element, count);
    weir_free(element);
    return WEIR_OK;
}

static weir_status none(weir_call *call)
{
    weir_optional_output(call, 0, NULL, 0);
    return WEIR_OK;
}

static weir_status has_value(weir_call *call)
{
    optional *optional;
    WEIR_TRY(input(call, &optional));
    *(bool *)weir_out(call, 0)->data = optional->has_value;
    return WEIR_OK;
}

static weir_status get_value(weir_call *call)
{
    optional *optional;
    WEIR_TRY(input(call, &optional));
    if (!optional->has_value)
        return weir_error(WEIR_INVALID_ARGUMENT, "The given optional does not have a value.");
    weir_tensor *element = weir_element_create(optional->count);
    for (int i = 0; i < optional->count; i++)
        element[i] = weir_tensor_share(&optional->element[i]);
    weir_status status = weir_data_outputs(call, element, optional->count);
    weir_free(element);
    return status;
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

/* ---- CompressElement: the tensors of an element as one variant --------------------------------
 */

static weir_status compress(weir_call *call)
{
    weir_tensor *element = weir_element_create(call->site->in_count);
    for (int i = 0; i < call->site->in_count; i++)
        element[i] = weir_tensor_share(weir_in(call, i));
    weir_optional_output(call, 0, element, call->site->in_count);
    weir_element_destroy(element, call->site->in_count);
    return WEIR_OK;
}

static weir_status uncompress(weir_call *call)
{
    optional *held;
    weir_variant *variant = weir_tensor_variant(weir_in(call, 0));
    if (!variant || variant->type != &weir_variant_optional)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input does not contain a compressed element");
    held = (optional *)variant;
    weir_tensor *element = weir_element_create(held->count);
    for (int i = 0; i < held->count; i++)
        element[i] = weir_tensor_share(&held->element[i]);
    weir_status status = weir_data_outputs(call, element, held->count);
    weir_element_destroy(element, held->count);
    return status;
}

const weir_op weir_op_compress_element = {
    .name = "CompressElement",
    .in = "components: input_types",
    .out = "compressed: variant",
    .attrs = "input_types: list(type) >= 1",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", compress, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_uncompress_element = {
    .name = "UncompressElement",
    .in = "compressed: variant",
    .out = "components: output_types",
    .attrs = WEIR_DATASET_TYPES,
    .flags = WEIR_NO_FOLD,
    .infer = weir_data_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", uncompress, WEIR_OWN_OUTPUTS}},
};
