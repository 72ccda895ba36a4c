/* ops/data/group_by.c - GroupByWindowDataset, GroupByReducerDataset: groups elements by key, into
 * windows that a function turns into datasets, or reduced to one element per key.
 */
#include <inttypes.h>

#include "graph/graph.h"
#include "ops/data/data_impl.h"

typedef struct grouping {
    weir_dataset base;
    weir_data_function key;
    weir_data_function size;                    /* of windows */
    weir_data_function start, reduce, finalize; /* windows use only reduce */
    bool reduces;                               /* one state per key instead of windows */
    int state_count;                            /* tensors of a state */
} grouping;

typedef struct group {
    int64_t key, size;        /* size: elements per window */
    weir_element_list window; /* collected elements, or the one state */
} group;

typedef struct grouping_iterator {
    weir_iterator base;
    WEIR_VEC(group) groups; /* by key, ascending */
    weir_iterator *open;    /* over the window being returned; null: none */
    bool input_ended;
    size_t at; /* index of the next group to return, once the input has ended */
} grouping_iterator;

static const grouping *of(const grouping_iterator *iterator)
{
    return (const grouping *)iterator->base.dataset;
}

static int held_count(const grouping_iterator *iterator)
{
    return of(iterator)->reduces ? of(iterator)->state_count : of(iterator)->base.inputs[0]->count;
}

static void fini(weir_dataset *dataset)
{
    grouping *this_grouping = (grouping *)dataset;
    weir_data_function_fini(&this_grouping->key);
    weir_data_function_fini(&this_grouping->reduce);
    if (!this_grouping->reduces) {
        weir_data_function_fini(&this_grouping->size);
        return;
    }
    weir_data_function_fini(&this_grouping->start);
    weir_data_function_fini(&this_grouping->finalize);
}

static void fini_iterator(weir_iterator *it)
{
    grouping_iterator *iterator = (grouping_iterator *)it;
    for (size_t i = 0; i < iterator->groups.count; i++)
        weir_elements_fini(&iterator->groups.at[i].window, held_count(iterator));
    weir_vec_fini(&iterator->groups);
    weir_iterator_release(iterator->open);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    int64_t count = weir_dataset_cardinality(dataset->inputs[0]);
    if (((const grouping *)dataset)->reduces)
        return count == WEIR_CARDINALITY_INFINITE ? count : WEIR_CARDINALITY_UNKNOWN;
    return count == 0 || count == WEIR_CARDINALITY_INFINITE ? count : WEIR_CARDINALITY_UNKNOWN;
}

/* Calls |function|; the result must be one int64. */
static weir_status call_int(const weir_data_function *function, const char *name, weir_run *run,
                            const weir_tensor *args, int count, int64_t *out)
{
    weir_tensor tensor = {0};
    WEIR_TRY(weir_data_function_call(function, run, args, count, NULL, 1, &tensor));
    weir_status status = WEIR_OK;
    if (tensor.dtype != WEIR_INT64 || weir_tensor_count(&tensor) != 1)
        status = weir_error(WEIR_INVALID_ARGUMENT, "`%s` must return a scalar int64.", name);
    else
        *out = *(const int64_t *)tensor.data;
    weir_tensor_release(&tensor);
    return status;
}

/* The index of |key| among the groups; true if it exists. */
static bool find(const grouping_iterator *iterator, int64_t key, size_t *out_place)
{
    size_t low = 0, high = iterator->groups.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (iterator->groups.at[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    *out_place = low;
    return low < iterator->groups.count && iterator->groups.at[low].key == key;
}

static void insert(grouping_iterator *iterator, size_t place, group new_group)
{
    weir_vec_push(&iterator->groups, new_group);
    group *at = iterator->groups.at;
    memmove(at + place + 1, at + place, (iterator->groups.count - 1 - place) * sizeof *at);
    at[place] = new_group;
}

/* ---- windows --------------------------------------------------------------------------------- */

/* An OUT_OF_RANGE of the reducing function must not be taken for the end of the sequence. */
static weir_status told_with_name(const weir_data_function *function, weir_status status)
{
    weir_status told = weir_error(WEIR_INTERNAL, "%s: %s [in user-defined function %s]",
                                  weir_code_name(weir_status_code(status)),
                                  weir_status_message(status), function->func.name);
    weir_status_free(status);
    return told;
}

static weir_status open_window(grouping_iterator *iterator, weir_run *run, group *group)
{
    const grouping *this_grouping = of(iterator);
    const weir_dataset *input = this_grouping->base.inputs[0];
    weir_dataset *window = weir_dataset_of_elements(&group->window, input->types, input->count);
    memcpy(window->shapes, input->shapes, sizeof *input->shapes * (size_t)input->count);
    weir_tensor args[2] = {weir_tensor_scalar(WEIR_INT64, &group->key),
                           weir_tensor_from_variant(&window->base)};
    weir_dataset *made = NULL;
    weir_status status = weir_data_function_dataset(&this_grouping->reduce, run, args, 2, &made);
    weir_element_clear(args, 2);
    if (status)
        status = told_with_name(&this_grouping->reduce, status);
    if (!status && made->count != this_grouping->base.count)
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "`reduce_func` returns a dataset of %d components, not %d", made->count,
                            this_grouping->base.count);
    if (!status)
        iterator->open = weir_iterator_create(made);
    weir_dataset_release(made);
    return status;
}

static weir_status start_window(const grouping *grouping, weir_run *run, group *out)
{
    weir_tensor key = weir_tensor_scalar(WEIR_INT64, &out->key);
    weir_status status = call_int(&grouping->size, "window_size_func", run, &key, 1, &out->size);
    weir_tensor_release(&key);
    if (!status && out->size <= 0)
        status =
            weir_error(WEIR_INVALID_ARGUMENT,
                       "Window size must be greater than zero, but got %" PRId64 ".", out->size);
    return status;
}

static weir_status add_to_window(grouping_iterator *iterator, weir_run *run, group *group,
                                 weir_tensor *element)
{
    int count = held_count(iterator);
    weir_tensor *kept = weir_element_create(count);
    for (int i = 0; i < count; i++)
        weir_tensor_move(&kept[i], &element[i]);
    weir_vec_push(&group->window, kept);
    return (int64_t)group->window.count < group->size ? WEIR_OK : open_window(iterator, run, group);
}

/* ---- states ---------------------------------------------------------------------------------- */

static weir_status start_state(const grouping *grouping, weir_run *run, group *out)
{
    weir_tensor key = weir_tensor_scalar(WEIR_INT64, &out->key);
    weir_tensor *state = weir_element_create(grouping->state_count);
    weir_status status =
        weir_data_function_call(&grouping->start, run, &key, 1, NULL, grouping->state_count, state);
    weir_tensor_release(&key);
    if (status)
        weir_element_destroy(state, grouping->state_count);
    else
        weir_vec_push(&out->window, state);
    return status;
}

static weir_status add_to_state(grouping_iterator *iterator, weir_run *run, group *group,
                                weir_tensor *element)
{
    const grouping *this_grouping = of(iterator);
    int states = this_grouping->state_count, count = this_grouping->base.inputs[0]->count;
    weir_tensor *args = weir_element_create(states + count), *made = weir_element_create(states);
    for (int i = 0; i < states; i++)
        args[i] = group->window.at[0][i];
    for (int i = 0; i < count; i++)
        args[states + i] = element[i];
    weir_status status = weir_data_function_call(&this_grouping->reduce, run, args, states + count,
                                                 NULL, states, made);
    weir_free(args);
    if (status) {
        weir_element_destroy(made, states);
        return status;
    }
    weir_element_destroy(group->window.at[0], states);
    group->window.at[0] = made;
    return WEIR_OK;
}

/* ---- iteration ------------------------------------------------------------------------------- */

static weir_status add(grouping_iterator *iterator, weir_run *run, weir_tensor *element)
{
    const grouping *this_grouping = of(iterator);
    group fresh = {0};
    size_t place;
    WEIR_TRY(call_int(&this_grouping->key, "key_func", run, element,
                      this_grouping->base.inputs[0]->count, &fresh.key));
    if (!find(iterator, fresh.key, &place)) {
        WEIR_TRY((this_grouping->reduces ? start_state : start_window)(this_grouping, run, &fresh));
        insert(iterator, place, fresh);
    }
    return (this_grouping->reduces ? add_to_state : add_to_window)(
        iterator, run, &iterator->groups.at[place], element);
}

static weir_status take_input(grouping_iterator *iterator, weir_run *run)
{
    int count = of(iterator)->base.inputs[0]->count;
    weir_tensor *element = weir_element_create(count);
    weir_status status =
        weir_iterator_pull(&iterator->base, 0, run, element, &iterator->input_ended);
    if (!status && !iterator->input_ended)
        status = add(iterator, run, element);
    weir_element_destroy(element, count);
    return status;
}

static weir_status finalize(grouping_iterator *iterator, weir_run *run, weir_tensor *out)
{
    const grouping *this_grouping = of(iterator);
    const weir_tensor *state = iterator->groups.at[iterator->at++].window.at[0];
    return weir_data_function_call(&this_grouping->finalize, run, state, this_grouping->state_count,
                                   this_grouping->base.types, this_grouping->base.count, out);
}

static weir_status reducer_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    grouping_iterator *iterator = (grouping_iterator *)it;
    while (!iterator->input_ended)
        WEIR_TRY(take_input(iterator, run));
    *out_end = iterator->at == iterator->groups.count;
    return *out_end ? WEIR_OK : finalize(iterator, run, out);
}

/* The next element of the current window; false at its end. */
static weir_status take_open(grouping_iterator *iterator, weir_run *run, weir_tensor *out,
                             bool *out_given)
{
    bool end = true;
    if (iterator->open)
        WEIR_TRY(weir_iterator_next(iterator->open, run, out, &end));
    *out_given = !end;
    if (end) {
        weir_iterator_release(iterator->open);
        iterator->open = NULL;
    }
    return WEIR_OK;
}

static weir_status window_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    grouping_iterator *iterator = (grouping_iterator *)it;
    for (bool given = false;;) {
        WEIR_TRY(take_open(iterator, run, out, &given));
        if (given)
            return WEIR_OK;
        if (!iterator->input_ended) {
            WEIR_TRY(take_input(iterator, run));
            continue;
        }
        while (iterator->at < iterator->groups.count &&
               !iterator->groups.at[iterator->at].window.count)
            iterator->at++;
        *out_end = iterator->at == iterator->groups.count;
        if (*out_end)
            return WEIR_OK;
        WEIR_TRY(open_window(iterator, run, &iterator->groups.at[iterator->at++]));
    }
}

/* ---- ops ------------------------------------------------------------------------------------- */

#define GROUPING                                                                                   \
    .bytes = sizeof(grouping), .iterator_bytes = sizeof(grouping_iterator), .may_block = true,     \
    .fini = fini, .fini_iterator = fini_iterator, .cardinality = cardinality

static const weir_dataset_fns window_fns = {GROUPING, .name = "GroupByWindow", .next = window_next};
static const weir_dataset_fns reducer_fns = {GROUPING, .name = "GroupByReducer",
                                             .next = reducer_next};

static weir_status make_windows(weir_call *call)
{
    grouping *made;
    WEIR_TRY(weir_dataset_new(call, &window_fns, &made));
    weir_data_function_init(&made->key, call, "key_func", "key_func_other_arguments");
    weir_data_function_init(&made->reduce, call, "reduce_func", "reduce_func_other_arguments");
    weir_data_function_init(&made->size, call, "window_size_func",
                            "window_size_func_other_arguments");
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

/* The number of results of |function|, from its definition. */
static int count_returns(const weir_data_function *function)
{
    const weir_function *found = function->library
                                     ? weir_graph_find_function(function->library->functions,
                                                                weir_str_of(function->func.name))
                                     : NULL;
    return found ? found->def.out_count : 0;
}

static weir_status make_reducer(weir_call *call)
{
    grouping *made;
    WEIR_TRY(weir_dataset_new(call, &reducer_fns, &made));
    made->reduces = true;
    weir_data_function_init(&made->key, call, "key_func", "key_func_other_arguments");
    weir_data_function_init(&made->start, call, "init_func", "init_func_other_arguments");
    weir_data_function_init(&made->reduce, call, "reduce_func", "reduce_func_other_arguments");
    weir_data_function_init(&made->finalize, call, "finalize_func",
                            "finalize_func_other_arguments");
    made->state_count = count_returns(&made->start);
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

#define CAPTURED(name) name "_other_arguments: T" name "_other_arguments"
#define CAPTURED_TYPES(name) "T" name "_other_arguments: list(type) >= 0; "
#define WINDOW_IN                                                                                  \
    "input_dataset: variant; " CAPTURED("key_func") "; " CAPTURED("reduce_func") "; " CAPTURED(    \
        "window_size_func")
#define WINDOW_ATTRS                                                                               \
    "key_func: func; reduce_func: func; window_size_func: func; " CAPTURED_TYPES("key_func")       \
        CAPTURED_TYPES("reduce_func") CAPTURED_TYPES("window_size_func") WEIR_DATASET_TYPES
#define REDUCER_IN                                                                                 \
    "input_dataset: variant; " CAPTURED("key_func") "; " CAPTURED("init_func") "; " CAPTURED(      \
        "reduce_func") "; " CAPTURED("finalize_func")
#define REDUCER_ATTRS                                                                              \
    "key_func: func; init_func: func; reduce_func: func; finalize_func: func; " CAPTURED_TYPES(    \
        "key_func") CAPTURED_TYPES("init_func") CAPTURED_TYPES("reduce_func")                      \
        CAPTURED_TYPES("finalize_func") WEIR_DATASET_TYPES

WEIR_DATASET_OP(group_by_window_dataset, "GroupByWindowDataset", WINDOW_IN,
                WINDOW_ATTRS WEIR_DATASET_META, 0, make_windows);
WEIR_DATASET_OP(experimental_group_by_window_dataset, "ExperimentalGroupByWindowDataset", WINDOW_IN,
                WINDOW_ATTRS, 0, make_windows);
WEIR_DATASET_OP(group_by_reducer_dataset, "GroupByReducerDataset", REDUCER_IN, REDUCER_ATTRS,
                WEIR_STATEFUL, make_reducer);
WEIR_DATASET_OP(experimental_group_by_reducer_dataset, "ExperimentalGroupByReducerDataset",
                REDUCER_IN, REDUCER_ATTRS, WEIR_STATEFUL, make_reducer);
