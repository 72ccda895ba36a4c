/* gpu/text.h - kernel sources in a common dialect of CUDA C++ and OpenCL C.
 *
 * A source consists of the dialect (prelude.cl), the typedefs for one element type, the families'
 * macros (families.cl) and a line for each kernel. The lines of the element-wise families are the
 * expressions of math/unary/unary.inc, math/binary/binary.inc and math/reduce/reduce.inc, so a
 * function added there gets a device kernel too. Thread-safe.
 */
#ifndef WEIR_GPU_TEXT_H
#define WEIR_GPU_TEXT_H

#include "base/str.h"
#include "math/elem.h"

/* Work items per group, for every kernel. */
enum {
    WEIR_GPU_LANES = 256,
    WEIR_GPU_RANK = 8,
    WEIR_GPU_MEMBERS = 5, /* variables of a launch of train_many */
};

/*
 * family  op                kernels and their arguments
 * UNARY   weir_unary_op     unary_NAME(xs, ys, i64 count)
 * BINARY  weir_binary_op    binary_NAME(xs, ys, zs, i32 *failed, i64 count, x_step, y_step)
 * REDUCE  weir_reduce_op    reduce_NAME_rows(xs, ys, i64 rows, length)
 *                           reduce_NAME_columns(xs, ys, i64 outer, length, inner)
 *                           reduce_NAME_part(xs, parts, i64 count)
 *                           reduce_NAME_whole(parts, ys, i64 length, count)
 * MOVE    0                 move_fill(ys, i64 count, value), move_copy(ys, xs, weir_gpu_walk)
 *                           move_transpose(ys, xs, i64 batch, rows, columns)
 * RANDOM  0                 random_uniform(ys, i64 count, u64 key, low, high)
 *                           random_uniform_from(ys, i64 count, u64 *start): the three lie there
 *
 * Results have the element type of the CPU's loop; |parts| have the accumulation type (float for
 * the 16-bit floats), one per launched group.
 */
typedef enum weir_gpu_family {
    WEIR_GPU_UNARY,
    WEIR_GPU_BINARY,
    WEIR_GPU_REDUCE,
    WEIR_GPU_MOVE,
    WEIR_GPU_RANDOM,
    WEIR_GPU_FAMILIES
} weir_gpu_family;

/* The argument of move_copy: copies element i of an array of |dims| from its offset by |from| to
 * its offset by |to|. Strides are in elements and may have any sign. */
typedef struct weir_gpu_walk {
    int64_t rank, count; /* count is the product of dims */
    int64_t dims[WEIR_GPU_RANK], to[WEIR_GPU_RANK], from[WEIR_GPU_RANK];
} weir_gpu_walk;

int weir_gpu_op_count(weir_gpu_family family);
const char *weir_gpu_op_name(weir_gpu_family family, int op); /* "add"; "" for an invalid op */
/* Whether there is a kernel. Complex types have none, nor do functions that the dialect lacks. */
bool weir_gpu_has(weir_gpu_family family, int op, weir_elem elem);
/* Appends the program with the kernels of one op. The family must have the op for |elem|. */
void weir_gpu_text(weir_gpu_family family, int op, weir_elem elem, weir_buf *buf);
/* Appends the program with the kernels of every op of |family|; returns their number. 0: nothing is
 * appended. */
int weir_gpu_text_all(weir_gpu_family family, weir_elem elem, weir_buf *buf);

/* elements(an array for each input, ys, i64 count, u32 single): a fused program of element-wise
 * ops, four numbers each: the loop (below 0: -1 - a binary one), the slot of the result, and the
 * arguments, which are slots or -1 - an input. Bit k of |single|: input k is a scalar. */
bool weir_gpu_has_program(const int64_t *program, int count, weir_elem elem);
void weir_gpu_text_program(const int64_t *program, int count, int inputs, weir_elem elem,
                           weir_buf *buf);

/* cell(|tensors| arrays, i64 count): a program over rows and columns, of WEIR_CELL_NUMBERS each:
 *   LOAD   value, tensor, start, row_step, column_step, 0
 *   LOOP   value, loop, x, y, 0, 0             loops as above; x and y are values
 *   STORE  tensor, value, start, row_step, column_step, 0
 * after one line SIZE columns, inputs, 0...; element (r, c) of a tensor is at start + r * row_step
 * + c * column_step. Tensors from index |inputs| on are outputs. */
enum { WEIR_CELL_SIZE, WEIR_CELL_LOAD, WEIR_CELL_LOOP, WEIR_CELL_STORE };
enum { WEIR_CELL_NUMBERS = 7 };
bool weir_gpu_has_cell(const int64_t *program, int count, weir_elem elem);
void weir_gpu_text_cell(const int64_t *program, int count, int tensors, weir_elem elem,
                        weir_buf *buf);
/* move_pieces(|count| times ys, xs; weir_gpu_walk): move_copy of each pair. */
void weir_gpu_text_pieces(int count, weir_elem elem, weir_buf *buf);

/* chain(table, i64 steps, eight memory blocks): interprets the table's steps, by chain.cl, one
 * group per row. |chain| holds the element count of its matrices, the number of programs, and for
 * each its input count, its op count and its ops as above. A step has WEIR_CHAIN_WORDS: */
enum {
    WEIR_CHAIN_KIND,
    WEIR_CHAIN_WIDTH,
    WEIR_CHAIN_DEPTH,
    WEIR_CHAIN_MATRIX,
    WEIR_CHAIN_OUT,
    WEIR_CHAIN_IN,
    WEIR_CHAIN_INPUTS = 8,
    WEIR_CHAIN_SINGLE = WEIR_CHAIN_IN + WEIR_CHAIN_INPUTS, /* which inputs are scalars */
    WEIR_CHAIN_KNOWN, /* which are the row of the last result, and from bit 8 on: a barrier first */
    WEIR_CHAIN_SPLIT, /* 65536 / width, rounded up, if work items outnumber the width */
    WEIR_CHAIN_WORDS = 16
};
/* LOAD loads a matrix, transposed if |single| is not 0. ADD adds the product of two rows, the first
 * one as a column, to the row's accumulator; STORE writes this. */
enum {
    WEIR_CHAIN_PRODUCT,
    WEIR_CHAIN_LOAD,
    WEIR_CHAIN_ADD,
    WEIR_CHAIN_STORE,
    WEIR_CHAIN_PROGRAM /* and the programs after it */
};
enum { WEIR_CHAIN_WIDEST = 1024, WEIR_CHAIN_SUMS = 16, WEIR_CHAIN_BLOCKS = 8 };
void weir_gpu_text_chain(const int64_t *chain, weir_elem elem, weir_buf *buf);

/* Kernels of layers.cl for one element type: neural networks and arrays. */
bool weir_gpu_has_layers(weir_elem elem);
void weir_gpu_text_layers(weir_elem elem, weir_buf *buf);
/* Kernels of channels.cl: channels-last images. */
void weir_gpu_text_channels(weir_elem elem, weir_buf *buf);
/* cast_run(xs, ys, i64 count) */
void weir_gpu_text_cast(weir_elem from, weir_elem to, weir_buf *buf);
/* train_run(four slots, gradient, six scalars, i32 flag, i64 count): a weir_train_rule of
 * math/train, from the same source; the gradient's type may differ from the slots'. train_rows
 * has indices, i32 kind, i64 count, run and limit instead of the last: indexed rows of |run|
 * elements. */
bool weir_gpu_has_rule(weir_elem elem);
void weir_gpu_text_rule(int rule, weir_elem elem, weir_elem grad, weir_buf *buf);
/* Kernels of every rule, named train_run_RULE and train_rows_RULE. */
void weir_gpu_text_rules(weir_elem elem, weir_buf *buf);

#endif
