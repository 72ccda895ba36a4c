/* ops/data/data_impl.h - shared by the ops on datasets. */
#ifndef WEIR_OPS_DATA_DATA_IMPL_H
#define WEIR_OPS_DATA_DATA_IMPL_H

#include "op/op.h"
#include "ops/declare.h"
#include "state/dataset.h"

/* ---- inputs and attrs by name: the versions of an op have them in different places ----------- */

/* The first tensor of input |name|; null if the op has no such input. */
const weir_tensor *weir_data_in(const weir_call *call, const char *name);
/* The range of input |name|; count 0 if there is none. */
weir_range weir_data_range(const weir_call *call, const char *name);
/* Attr |name|; null if the op has none. */
const weir_attr *weir_data_attr(const weir_site *site, const char *name);
/* A scalar input. If the op lacks the input, |out| is unchanged. */
WEIR_CHECKED weir_status weir_data_int(const weir_call *call, const char *name, int64_t *out);
WEIR_CHECKED weir_status weir_data_bool(const weir_call *call, const char *name, bool *out);
WEIR_CHECKED weir_status weir_data_string(const weir_call *call, const char *name, weir_str *out);

/* ---- creation -------------------------------------------------------------------------------- */

/* A dataset of kind |fns| whose inputs are the variant inputs of the call, with element types from
 * attr output_types (or Toutput_types) and shapes from output_shapes. */
WEIR_CHECKED weir_status weir_dataset_new(weir_call *call, const weir_dataset_fns *fns, void *out);
/* The node that created a dataset, for DatasetToGraph. */
typedef struct weir_dataset_origin weir_dataset_origin;
weir_dataset_origin *weir_dataset_origin_of(const weir_call *call);
/* A hash of the definition of |dataset| and its inputs, the same in every process. */
WEIR_CHECKED weir_status weir_dataset_fingerprint(const weir_dataset *dataset, uint64_t *out);
/* Sets output 0 to |dataset|, whose reference it takes. */
void weir_dataset_output(weir_call *call, weir_dataset *dataset);

/* Sets output 0 to the dataset of input 0, cached in the checkpoint |prefix|:
 * ops/data/cache_file.c.
 */
WEIR_CHECKED weir_status weir_file_cache(weir_call *call, weir_str prefix);

/* Adds attr serialized_options, if the op has it: consecutive messages merge. */
void weir_dataset_add_options(weir_dataset *dataset, const weir_site *site);

/* An op that creates a dataset. */
#define WEIR_DATASET_OP(id, text, inputs, attributes, flag, kernel)                                \
    WEIR_DEFINE_OP(id, text, .in = inputs, .out = "handle: variant", .attrs = attributes,          \
                   .flags = WEIR_NO_FOLD | (flag), .infer = weir_infer_scalar, .no_grad = true,    \
                   .kernels = {{WEIR_CPU, "*", kernel, WEIR_OWN_OUTPUTS | WEIR_CHEAP}})
#define WEIR_DATASET_TYPES "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"
#define WEIR_DATASET_META "; metadata: string = \"\""

/* Functions of datasets that have as many elements as their first input, or the same ones. */
int64_t weir_data_input_cardinality(const weir_dataset *dataset);
WEIR_CHECKED weir_status weir_data_input_get(const weir_dataset *dataset, weir_run *run,
                                             int64_t index, weir_tensor *out);

/* ---- elements -------------------------------------------------------------------------------- */

/* Row |row| of |tensor| as a separate tensor. */
WEIR_CHECKED weir_status weir_data_row(const weir_tensor *tensor, int64_t row, weir_tensor *out);
/* Stacks one component of |count| elements as the rows of a tensor; count > 0. */
WEIR_CHECKED weir_status weir_data_stack(weir_tensor *const *elements, int64_t count, int component,
                                         weir_tensor *out);

/* A list of elements, each an array of tensors. */
typedef WEIR_VEC(weir_tensor *) weir_element_list;
void weir_elements_fini(weir_element_list *list, int count); /* |count| tensors per element */
/* Appends the next element of input |input| of |it|, or reports the end. */
WEIR_CHECKED weir_status weir_elements_pull(weir_element_list *list, weir_iterator *it, int input,
                                            weir_run *run, bool *out_end);

/* A dataset of |elements|, which it takes ownership of; |count| tensors each, of |types|. */
weir_dataset *weir_dataset_of_elements(weir_element_list *elements, const weir_dtype *types,
                                       int count);

/* ---- functions of datasets ------------------------------------------------------------------- */

/* A function and its captured tensors. */
typedef struct weir_data_function {
    weir_arena arena; /* of func */
    weir_func func;
    const char *device;    /* of the node with the function */
    weir_library *library; /* that defines it and its callees; null: none */
    int captured_count;
    weir_tensor *captured;
} weir_data_function;

/* True when a function named by |call|'s attrs, or one of its callees, has state. */
bool weir_data_functions_stateful(const weir_call *call);
/* The function of attr |attr|, with the tensors of input |captured|. */
void weir_data_function_init(weir_data_function *function, const weir_call *call, const char *attr,
                             const char *captured);
/* Function |k| of the list attr |attr|, with the inputs of |captured|. */
void weir_data_function_init_nth(weir_data_function *function, const weir_call *call,
                                 const char *attr, int k, weir_range captured);
void weir_data_function_fini(weir_data_function *function);
/* Calls it with |args| and its captured tensors, and waits. |rets| has room for |ret_count|
 * tensors, which are checked against |types| unless that is null. */
WEIR_CHECKED weir_status weir_data_function_call(const weir_data_function *function, weir_run *run,
                                                 const weir_tensor *args, int arg_count,
                                                 const weir_dtype *types, int ret_count,
                                                 weir_tensor *rets);
/* Calls the function with |args|; the result must be a dataset; retained. */
WEIR_CHECKED weir_status weir_data_function_dataset(const weir_data_function *function,
                                                    weir_run *run, const weir_tensor *args,
                                                    int arg_count, weir_dataset **out);
/* Calls it as a predicate; the result must be one bool. */
WEIR_CHECKED weir_status weir_data_function_test(const weir_data_function *function, weir_run *run,
                                                 const weir_tensor *args, int arg_count, bool *out);

/* ---- asynchronous calls ---------------------------------------------------------------------- */

/* Runs fn(c, arg) and finishes |c| with its status: now, or on a thread that may block. */
void weir_data_start(weir_call *c, bool may_block, weir_status (*fn)(weir_call *call, void *arg),
                     void *arg);

/* ---- checks of types and shapes, in TensorFlow's wording ------------------------------------- */

WEIR_CHECKED weir_status weir_data_check_types(const int32_t *expected, int expected_count,
                                               const weir_dtype *got, int got_count);
WEIR_CHECKED weir_status weir_data_check_shapes(const weir_shape *expected, int expected_count,
                                                const weir_shape *got, int got_count);
/* Sets the outputs of |call| to the tensors of |element| (takes ownership) after checking them
 * against attrs output_types and output_shapes. */
WEIR_CHECKED weir_status weir_data_outputs(weir_call *call, weir_tensor *element, int count);
/* Infers output shapes from attr output_shapes. */
weir_status weir_data_infer(weir_infer *infer);

/* ---- seeds ----------------------------------------------------------------------------------- */

/* Inputs seed and seed2; random if both are 0. */
WEIR_CHECKED weir_status weir_data_seeds(const weir_call *call, int64_t seeds[2]);

/* Seeds of iterators: constant, or fresh for each. Shared, thread-safe. */
typedef struct weir_seeder weir_seeder;
weir_seeder *weir_seeder_create(const int64_t seeds[2], bool fresh);
void weir_seeder_next(weir_seeder *seeder, int64_t out_seeds[2]);
/* The seeds for an iterator's pass: each position in a tree of iterators has its own sequence,
 * unless a handle names the generator. */
void weir_seeder_next_at(weir_seeder *seeder, weir_iterator *it, int64_t out_seeds[2]);
/* The seed generator of input seed_generator, or a new one. */
WEIR_CHECKED weir_status weir_seeder_of(weir_call *call, const int64_t seeds[2], bool fresh,
                                        weir_seeder **out);

#endif
