/* state/dataset.h - datasets and their iterators.
 *
 * A dataset is an immutable value that travels as a variant: it tells what its elements are (a
 * number of tensors each) and makes iterators. Each kind is one table of functions and a struct
 * that begins with a weir_dataset; its iterators begin with a weir_iterator. Iterators are plain
 * loops: where they call functions they wait for them, so datasets that may do so are iterated on
 * threads that may block (base/blocking.h).
 */
#ifndef WEIR_STATE_DATASET_H
#define WEIR_STATE_DATASET_H

#include "base/mutex.h"
#include "op/function.h"
#include "tensor/handle.h"

typedef struct weir_dataset weir_dataset;
typedef struct weir_iterator weir_iterator;

/* What a cardinality may be other than a count; the values are TensorFlow's. */
enum { WEIR_CARDINALITY_INFINITE = -1, WEIR_CARDINALITY_UNKNOWN = -2 };

typedef struct weir_dataset_fns {
    const char *name;             /* as in "RangeDataset", for messages */
    size_t bytes, iterator_bytes; /* of the concrete structs */
    bool like_input;              /* elements are those of input 0, whatever the attrs say */
    bool may_block;               /* iterating calls functions */
    /* Gives the next element, |out| having room for it, or says that there is none any more.
     * Never called again after the end. One thread at a time. */
    weir_status (*next)(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end);
    void (*fini_iterator)(weir_iterator *it);            /* may be null */
    void (*fini)(weir_dataset *dataset);                 /* may be null */
    int64_t (*cardinality)(const weir_dataset *dataset); /* null: unknown */
    /* Element |index| without iterating; 0 <= index < cardinality. Null: not possible. */
    weir_status (*get)(const weir_dataset *dataset, weir_run *run, int64_t index, weir_tensor *out);
} weir_dataset_fns;

struct weir_dataset {
    weir_variant base;
    const weir_dataset_fns *fns;
    bool may_block; /* itself or what it reads */
    bool external;  /* its functions, or those of what it reads, use resources */
    int count;      /* tensors of an element ... */
    weir_dtype *types;
    weir_shape *shapes; /* ... may be partly unknown */
    int input_count;
    weir_dataset **inputs;              /* retained */
    int depth;                          /* datasets under one another ... */
    int64_t size;                       /* ... and in all, each as often as it is read */
    struct weir_dataset_origin *origin; /* how it was made; null: not by an op. A weir_ref */
    weir_buf options; /* serialized Options of it and its inputs, the outermost last */
};

/* Where an iterator stands below the one that a client made. The iterators that come one after
 * another there (repeat) share what is kept; a dataset read at two places is kept for each. */
typedef struct weir_place {
    weir_ref ref;
    weir_ref *state; /* of the dataset's kind; null until it sets one; under its iterators' lock */
    int child_count;
    struct weir_place **children; /* by input; null until first used */
} weir_place;

struct weir_iterator {
    weir_ref ref;
    weir_dataset *dataset; /* retained */
    weir_place *place;     /* retained */
    weir_mutex lock;       /* of everything below and of the concrete struct */
    bool ended;
    int64_t produced;       /* elements given so far */
    weir_iterator **inputs; /* dataset->input_count; null until first used */
};

/* A dataset with nothing set but its kind; |count| components and |input_count| inputs to fill. */
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
/* The next element into |out| (dataset->count places, owned by the caller); or the end, for ever.
 */
WEIR_CHECKED weir_status weir_iterator_next(weir_iterator *it, weir_run *run, weir_tensor *out,
                                            bool *out_end);
/* The iterator over input |i|, made on first use. */
weir_iterator *weir_iterator_input(weir_iterator *it, int i);
/* Forgets it: the next use starts from the beginning. */
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
