/* state/dataset.c - common to all datasets and iterators. */
#include "state/dataset.h"

#include <inttypes.h>

#include "base/stack.h"

static const weir_variant_type dataset_type = {.name = "tensorflow::DatasetVariantWrapper"};

static void destroy_dataset(weir_ref *ref)
{
    weir_dataset *dataset = (weir_dataset *)ref;
    if (dataset->fns->fini)
        dataset->fns->fini(dataset);
    for (int i = 0; i < dataset->input_count; i++)
        weir_dataset_release(dataset->inputs[i]);
    weir_free(dataset->inputs);
    weir_ref_release((weir_ref *)dataset->origin);
    weir_buf_fini(&dataset->options);
    weir_free(dataset->types);
    weir_free(dataset->shapes);
    weir_free(dataset);
}

weir_dataset *weir_dataset_create(const weir_dataset_fns *fns, int count, int input_count)
{
    weir_dataset *dataset = weir_zalloc(fns->bytes);
    weir_ref_init(&dataset->base.ref, destroy_dataset);
    dataset->base.type = &dataset_type;
    dataset->fns = fns;
    dataset->may_block = fns->may_block;
    dataset->count = count;
    dataset->types = WEIR_NEW_ARRAY(weir_dtype, count);
    dataset->shapes = WEIR_NEW_ARRAY(weir_shape, count);
    for (int i = 0; i < count; i++)
        dataset->shapes[i] = WEIR_UNKNOWN_SHAPE;
    dataset->input_count = input_count;
    dataset->inputs = WEIR_NEW_ARRAY(weir_dataset *, input_count);
    return dataset;
}

void weir_dataset_release(weir_dataset *dataset)
{
    weir_ref_release((weir_ref *)dataset);
}

weir_dataset *weir_dataset_retain(weir_dataset *dataset)
{
    weir_ref_retain(&dataset->base.ref);
    return dataset;
}

weir_status weir_dataset_of(const weir_tensor *tensor, weir_dataset **out)
{
    if (tensor->dtype != WEIR_VARIANT || tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Dataset tensor must be a scalar of dtype DT_VARIANT.");
    weir_variant *variant = weir_tensor_variant(tensor);
    if (!variant || variant->type != &dataset_type)
        return weir_error(WEIR_INVALID_ARGUMENT, "Tensor must be a Dataset object.");
    *out = (weir_dataset *)variant;
    return WEIR_OK;
}

int64_t weir_dataset_cardinality(const weir_dataset *dataset)
{
    return dataset->fns->cardinality ? dataset->fns->cardinality(dataset)
                                     : WEIR_CARDINALITY_UNKNOWN;
}

bool weir_dataset_has_get(const weir_dataset *dataset)
{
    for (int i = 0; i < dataset->input_count; i++)
        if (!weir_dataset_has_get(dataset->inputs[i]))
            return false;
    return dataset->fns->get != NULL;
}

weir_status weir_dataset_get(const weir_dataset *dataset, weir_run *run, int64_t index,
                             weir_tensor *out)
{
    int64_t count = weir_dataset_cardinality(dataset);
    if (!dataset->fns->get)
        return weir_error(WEIR_UNIMPLEMENTED, "Random access is not implemented for %sDataset.",
                          dataset->fns->name);
    if (index < 0 || (count >= 0 && index >= count))
        return weir_error(WEIR_OUT_OF_RANGE, "Index out of range [0, %" PRId64 "):%" PRId64, count,
                          index);
    return dataset->fns->get(dataset, run, index, out);
}

static void destroy_place(weir_ref *ref)
{
    weir_place *place = (weir_place *)ref;
    for (int i = 0; i < place->child_count; i++)
        weir_ref_release((weir_ref *)place->children[i]);
    weir_free(place->children);
    weir_ref_release(place->state);
    weir_free(place);
}

static weir_place *create_place(const weir_dataset *dataset)
{
    weir_place *place = WEIR_NEW(weir_place);
    weir_ref_init(&place->ref, destroy_place);
    place->child_count = dataset->input_count;
    place->children = WEIR_NEW_ARRAY(weir_place *, dataset->input_count);
    return place;
}

static void destroy_iterator(weir_ref *ref)
{
    weir_iterator *it = (weir_iterator *)ref;
    if (it->dataset->fns->fini_iterator)
        it->dataset->fns->fini_iterator(it);
    for (int i = 0; i < it->dataset->input_count; i++)
        weir_iterator_release(it->inputs[i]);
    weir_free(it->inputs);
    weir_ref_release(&it->place->ref);
    weir_dataset_release(it->dataset);
    weir_mutex_fini(&it->lock);
    weir_free(it);
}

/* Takes over a reference to |place|. */
static weir_iterator *create_at(weir_place *place, weir_dataset *dataset)
{
    weir_iterator *it = weir_zalloc(dataset->fns->iterator_bytes);
    weir_ref_init(&it->ref, destroy_iterator);
    it->place = place;
    it->dataset = weir_dataset_retain(dataset);
    weir_mutex_init(&it->lock);
    it->inputs = WEIR_NEW_ARRAY(weir_iterator *, dataset->input_count);
    return it;
}

weir_iterator *weir_iterator_create(weir_dataset *dataset)
{
    return create_at(create_place(dataset), dataset);
}

void weir_iterator_release(weir_iterator *it)
{
    weir_ref_release((weir_ref *)it);
}

static weir_status next_locked(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    if (run->cancel && weir_cancel_fired(run->cancel))
        return weir_cancel_status(run->cancel);
    WEIR_TRY(weir_stack_check("A dataset"));
    *out_end = it->ended;
    if (it->ended)
        return WEIR_OK;
    WEIR_TRY(it->dataset->fns->next(it, run, out, out_end));
    it->ended = *out_end;
    it->produced += !*out_end;
    return WEIR_OK;
}

weir_status weir_iterator_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    weir_mutex_lock(&it->lock);
    *out_end = false;
    weir_status status = next_locked(it, run, out, out_end);
    weir_mutex_unlock(&it->lock);
    return status;
}

weir_iterator *weir_iterator_input(weir_iterator *it, int i)
{
    if (it->inputs[i])
        return it->inputs[i];
    weir_place **place = &it->place->children[i];
    if (!*place)
        *place = create_place(it->dataset->inputs[i]);
    weir_ref_retain(&(*place)->ref);
    return it->inputs[i] = create_at(*place, it->dataset->inputs[i]);
}

void weir_iterator_restart(weir_iterator *it, int i)
{
    weir_iterator_release(it->inputs[i]);
    it->inputs[i] = NULL;
}

weir_tensor *weir_element_create(int count)
{
    return WEIR_NEW_ARRAY(weir_tensor, count);
}

void weir_element_clear(weir_tensor *element, int count)
{
    for (int i = 0; i < count; i++)
        weir_tensor_release(&element[i]);
}

void weir_element_destroy(weir_tensor *element, int count)
{
    if (element)
        weir_element_clear(element, count);
    weir_free(element);
}
