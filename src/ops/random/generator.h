/* ops/random/generator.h - random streams of ops.
 *
 * A stateful op owns a stream that continues across the steps and plans of a session: it is a
 * resource of the session, named after the node. Each run reserves a range of it, so that
 * concurrent runs do not draw the same numbers.
 */
#ifndef WEIR_OPS_RANDOM_GENERATOR_H
#define WEIR_OPS_RANDOM_GENERATOR_H

#include "math/random/fill.h"
#include "math/random/philox.h"
#include "op/op.h"

/* For weir_kernel: the op has attrs seed and seed2; both 0: random. With an attr stream, it uses
 * the stream of the node of that name. */
weir_status weir_generator_prepare(weir_prepare *preparation);
void weir_generator_cleanup(void *state);

/* Reserves |blocks| blocks of the call's stream; returns the position of the first. */
weir_philox weir_generator_take(weir_call *call, uint64_t blocks);
/* The same for a device kernel: its key, low and high half of its counter. |stream| is the call's
 * state. A weir_draw of op/recorder.h. */
void weir_generator_draw(void *stream, uint64_t blocks, uint64_t out_start[3]);

/* Reads the two seeds of a stateless op from a vector of two integers, and scrambles them. */
WEIR_CHECKED weir_status weir_stateless_seed(const weir_tensor *seed, weir_philox *out);
/* Reads key, counter and algorithm of a second-generation stateless op: inputs |in| on. */
WEIR_CHECKED weir_status weir_stateless_key(weir_call *call, int in, weir_philox *out);
enum { WEIR_ALG_PHILOX = 1, WEIR_ALG_THREEFRY = 2, WEIR_ALG_AUTO = 3 };

/* Takes a position in the stream stored in the variable of input 0, by the algorithm of input 1,
 * and advances it by |outputs| reserves. */
WEIR_CHECKED weir_status weir_stateful_take(weir_call *call, uint64_t outputs, weir_philox *out);

/* Shape checks of these inputs. */
WEIR_CHECKED weir_status weir_infer_seed(weir_infer *infer, int in);
WEIR_CHECKED weir_status weir_infer_key(weir_infer *infer, int in);
/* Infers output 0's shape from the value of input 0. */
weir_status weir_infer_random_shape(weir_infer *infer);

/* Modes of the fills. */
enum { WEIR_FILL_UNIFORM, WEIR_FILL_NORMAL, WEIR_FILL_TRUNCATED_NORMAL, WEIR_FILL_FULL_INTS };
/* Fills output 0 from |gen| according to the op's mode. */
void weir_random_fill(weir_call *call, weir_philox gen);

/* 64 random bits from the system. */
uint64_t weir_random_bits(void);

#endif
