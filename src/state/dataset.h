/* state/dataset.h - datasets and their iterators.
 *
 * A dataset is an immutable value, passed as a variant: it describes its elements (a number of
 * tensors each) and creates iterators. Each kind is one table of functions and a struct that begins
 * with a weir_dataset; its iterators begin with a weir_iterator. Iterators are synchronous: they
 * block while they call functions, so datasets that may do so are iterated on threads that may
 * block (base/blocking.h).
 */
#ifndef WEIR_STATE_DATASET_H
#define WEIR_STATE_DATASET_H

#include "base/mutex.h"
#include "op/function.h"
#include "tensor/handle.h"

typedef struct weir_dataset weir_dataset;
typedef struct weir_iterator weir_iterator;

/* A cardinality that is not a count; the values are TensorFlow's. */
enum { WEIR_CARDINALITY_INFINITE = -1, WEIR_CARDINALITY_UNKNOWN = -2 };

typedef struct weir_dataset_fns {
    const char *name;             /* as in "RangeDataset", for messages */
    size_t bytes, iterator_bytes; /* of the concrete structs */
    bool like_input;              /* elements are those of input 0, regardless of the attrs */
    bool may_block;               /* iterating calls functions */
    /* Returns the next element in |out|, which has room for it, or sets *out_end. Never called
     * again after the end. One thread at a time. */
    weir_status (*next)(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end);
    void (*fini_iterator)(weir_iterator *it);            /* may be null */
    void (*fini)(weir_dataset *dataset);                 /* may be null */
    int64_t (*cardinality)(const weir_dataset *dataset); /* null: unknown */
    /* Element |index| without iterating; 0 <= index < cardinality. Null: not supported. */
    weir_status (*get)(const weir_dataset *dataset, weir_run *run, int64_t index, weir_tensor *out);
} weir_dataset_fns;

struct weir_dataset {
    weir_variant base;
    const weir_dataset_fns *fns;
    bool may_block; /* this dataset or one of its inputs */
    bool external;  /* its functions, or those of its inputs, use resources */
    int count;      /* tensors of an element ... */
    weir_dtype *types;
    weir_shape *shapes; /* ... may be partly unknown */
    int input_count;
    weir_dataset **inputs;              /* retained */
    int depth;                          /* height of the tree of datasets ... */
    int64_t size;                       /* ... and its size, each counted as often as it is read */
    struct weir_dataset_origin *origin; /* the op that created it; null: none. A weir_ref */
    weir_buf options; /* serialized Options of it and its inputs, the outermost last */
};

/* An iterator's position below the one that a client created. Successive iterators at a position
 * (repeat) share its state; a dataset read at two positions has two states. */
typedef struct weir_place {
    weir_ref ref;
    weir_ref *state; /* of the dataset's kind; null until set; under its iterators' lock */
    int child_count;
    struct weir_place **children; /* by input; null until first used */
} weir_place;

struct weir_iterator {
    weir_ref ref;
    weir_dataset *dataset; /* retained */
    weir_place *place;     /* retained */
    weir_mutex lock;       /* guards the fields below and the concrete struct */
    bool ended;
    int64_t produced;       /* elements returned so far */
    weir_iterator **inputs; /* dataset->input_count; null until first used */
};

/* An empty dataset of a kind; the caller fills its |count| components and |input_count| inputs. */
weir_dataset *weir_dataset_create(const weir_dataset_fns *fns, int count, int input_count);
void weir_dataset_release(weir_dataset *dataset); /* takes null */
weir_dataset *weir_dataset_retain(weir_dataset *dataset);
/* The dataset in a scalar variant tensor; not retained. */
WEIR_CHECKED weir_status weir_dataset_of(const weir_tensor *tensor, weir_dataset **out);
int64_t weir_dataset_cardinality(const weir_dataset *dataset);
/* Element |index|; OUT_OF_RANGE past the end, UNIMPLEMENTED without random access. */
WEIR_CHECKED weir_status weir_dataset_get(const weir_dataset *dataset, weir_run *run, int64_t index,
                                          weir_tensor *out);
bool weir_dataset_has_get(const weir_dataset *dataset);

weir_iterator *weir_iterator_create(weir_dataset *dataset);
void weir_iterator_release(weir_iterator *it); /* takes null */
/* The next element into |out| (dataset->count tensors, owned by the caller); after the end always
 * the end. */
WEIR_CHECKED weir_status weir_iterator_next(weir_iterator *it, weir_run *run, weir_tensor *out,
                                            bool *out_end);
/* The iterator over input |i|, created on first use. */
weir_iterator *weir_iterator_input(weir_iterator *it, int i);
/* Releases it: the next use starts from the beginning. */
void weir_iterator_restart(weir_iterator *it, int i);
/* The next element of input |i|. */
static inline weir_status weir_iterator_pull(weir_iterator *it, int i, weir_run *run,
                                             weir_tensor *out, bool *out_end)
{
    return weir_iterator_next(weir_iterator_input(it, i), run, out, out_end);
}

/* Elements as arrays of tensors. */
weir_tensor *weir_element_create(int count);
void weir_element_clear(weir_tensor *element, int count);   /* releases the tensors */
void weir_element_destroy(weir_tensor *element, int count); /* and the array; takes null */

#endif
