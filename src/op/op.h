/* op/op.h - the contract of an op: signature, inference, gradient, kernels.
 *
 * One weir_op is one op type, whole, in one file of ops/. Signatures are in TensorFlow's notation,
 * arguments and attrs separated by ';'. .infer validates the shapes before a kernel runs: the
 * executor runs it on the actual tensors and then allocates the outputs whose shapes it determined.
 */
#ifndef WEIR_OP_OP_H
#define WEIR_OP_OP_H

#include "base/cancel.h"
#include "base/pool.h"
#include "op/attr.h"
#include "op/opdef.h"
#include "op/resource.h"

typedef struct weir_call weir_call;
typedef struct weir_infer weir_infer;
typedef struct weir_grad weir_grad; /* grad/grad.h */
typedef struct weir_op weir_op;
typedef struct weir_run weir_run;
typedef struct weir_prepare weir_prepare;
struct weir_var; /* state/var.h */

/* Flags of an op: those of TensorFlow's OpDef ... */
enum {
    WEIR_STATEFUL = 1 << 0,
    WEIR_COMMUTATIVE = 1 << 1,
    WEIR_AGGREGATE = 1 << 2,
    WEIR_ALLOWS_UNINITIALIZED = 1 << 3,
    WEIR_DISTRIBUTED = 1 << 4,
    /* ... and Weir's. */
    WEIR_INTERNAL_OP = 1 << 8,   /* created by passes only, and rejected in graphs from outside */
    WEIR_NO_FOLD = 1 << 9,       /* never folded, though it is stateless */
    WEIR_NO_EFFECT = 1 << 10,    /* may be removed when unused, though it is stateful */
    WEIR_SHAPE_ONLY = 1 << 11,   /* needs the shapes of its inputs, not their values */
    WEIR_ANY_MEMORY = 1 << 12,   /* accepts inputs in any memory */
    WEIR_KEEPS_FINITE = 1 << 13, /* makes no NaN or infinity of finite real numbers */
    WEIR_UNLISTED = 1 << 14,     /* allowed in clients' graphs, though not in the public registry */
    WEIR_MAY_SHARE = 1 << 15,    /* its output may share an input's memory, in TensorFlow too */
};

/* An op's role in the dataflow. The executor and graph analyses check this instead of names. A
 * reference form (RefSwitch) has the flow of its plain form; the types of its inputs distinguish
 * the two. */
typedef enum weir_flow {
    WEIR_FLOW_NONE, /* an ordinary op: runs when all inputs are ready, unless one of them is dead */
    /* Values enter and leave a plan. */
    WEIR_FLOW_ARG,         /* _Arg */
    WEIR_FLOW_RETVAL,      /* _Retval */
    WEIR_FLOW_CONST,       /* Const: the value of its attr */
    WEIR_FLOW_PLACEHOLDER, /* must be fed; fails when it runs */
    WEIR_FLOW_SEND,        /* runs on a dead input too, to notify the receiver */
    /* Ops that forward values. */
    WEIR_FLOW_NO_OP,
    WEIR_FLOW_IDENTITY,
    WEIR_FLOW_REF_IDENTITY,
    WEIR_FLOW_FORWARD,    /* like Identity, with another gradient: StopGradient, PreventGradient */
    WEIR_FLOW_IDENTITY_N, /* output i is input i */
    WEIR_FLOW_REF_SELECT,
    /* Conditionals and loops as dataflow. */
    WEIR_FLOW_SWITCH,   /* input 0 goes to one of two outputs; the other is dead */
    WEIR_FLOW_SWITCH_N, /* ... of many */
    WEIR_FLOW_MERGE,    /* runs with the first live input */
    WEIR_FLOW_ENTER,    /* into the frame of a loop */
    WEIR_FLOW_EXIT,     /* out of it */
    WEIR_FLOW_NEXT_ITERATION,
    WEIR_FLOW_LOOP_COND,
    WEIR_FLOW_CONTROL_TRIGGER, /* runs whether its control inputs are dead or not */
    /* Stacks that store a loop's values for its gradient. */
    WEIR_FLOW_STACK,
    WEIR_FLOW_STACK_PUSH,
    WEIR_FLOW_STACK_POP,
    /* Calls of functions, which can be inlined (graph/lower.h). */
    WEIR_FLOW_CALL, /* of the function in attr "f" */
    WEIR_FLOW_IF,
    WEIR_FLOW_CASE,
    WEIR_FLOW_WHILE,
    WEIR_FLOW_COUNT,
} weir_flow;

/* The element-wise loop of math/ that implements an op, for passes that fuse loops. */
typedef struct weir_elementwise {
    uint8_t arity; /* arguments of the loop: 1, of math/unary; 2, of math/binary; 0: no loop */
    bool scales;   /* the loop reads the inputs after input 0, which is multiplied by its result */
    int16_t loop;  /* weir_unary_op or weir_binary_op */
    const char *attr; /* a float attr, the loop's last argument; null: it has only inputs */
} weir_elementwise;

/* Devices of a kernel. */
enum { WEIR_CPU = 1 << 0, WEIR_GPU = 1 << 1 };

/* Flags of a kernel. */
enum {
    WEIR_OWN_OUTPUTS = 1 << 0, /* sets its outputs itself (weir_call_alloc, _set, _forward) */
    WEIR_ASYNC = 1 << 1,       /* .start instead of .run; ends by weir_call_finish */
    WEIR_EXPENSIVE = 1 << 2,   /* moved to another thread until it has been measured */
    WEIR_CHEAP = 1 << 3,       /* never moved to another thread */
    WEIR_AWAITS = 1 << 4,      /* of WEIR_ASYNC kernels: completion depends on other steps */
    WEIR_ON_DEVICE = 1 << 5,   /* outputs are allocated in site->memory, except host arguments */
};

typedef struct weir_kernel {
    unsigned devices;
    /* The attr types that it supports: "T: float, double; Tidx: int32". "*" (or null): all that the
     * signature allows. The first matching row is used. */
    const char *types;
    weir_status (*run)(weir_call *call);
    unsigned flags;
    void (*start)(weir_call *call);                    /* of WEIR_ASYNC kernels */
    weir_status (*prepare)(weir_prepare *preparation); /* once per node of a plan; may be null */
    void (*cleanup)(void *state);                      /* frees the state of .prepare */
} weir_kernel;

enum { WEIR_KERNELS_MAX = 6 };

/* Output |out| may be computed in the buffer of input |in| (both below 4). Then the input's tensor
 * has lost its buffer; its data may still be read. */
#define WEIR_INPLACE(in, out) (1u << ((in)*4 + (out)))

struct weir_op {
    const char *name, *in, *out, *attrs;
    unsigned flags;
    int deprecated_at; /* GraphDef version; 0: not deprecated */
    const char *deprecation;
    weir_status (*infer)(weir_infer *infer); /* null: outputs unknown */
    weir_status (*grad)(weir_grad *grad);    /* null: none (see no_grad) */
    bool no_grad;                            /* known to have no gradient: it stops here silently */
    int16_t mode;     /* distinguishes ops that share functions; each family numbers its own */
    unsigned inplace; /* WEIR_INPLACE bits */
    weir_flow flow;
    weir_elementwise elementwise;
    int16_t update;   /* 1 + the rule of math/train by which it updates variables */
    const char *host; /* arguments that are in host memory on every device: "shape; begin" */
    weir_kernel kernels[WEIR_KERNELS_MAX];
};

/* A node's op in its graph: what inference and kernels know of the node. Read-only. */
typedef struct weir_site {
    const char *name;  /* of the node */
    const weir_op *op; /* null for a call of a function by its name */
    const weir_opdef *def;
    const weir_attr *attrs; /* one per def->attrs, in that order, defaults filled in */
    int in_count, out_count;
    const int16_t *in_types, *out_types; /* weir_dtype, + WEIR_REF_OFFSET for references */
    const char *device;         /* assigned device's full name once placed; else as requested */
    struct weir_memory *memory; /* of a device with its own; null: the host's, or not yet placed */
} weir_site;

/* .mode of the op, for functions that serve several ops. */
static inline int weir_site_mode(const weir_site *site)
{
    return site->op->mode;
}
/* Attrs by their index in .attrs. The signature has checked the kind. */
static inline int64_t weir_site_int(const weir_site *site, int attr)
{
    return site->attrs[attr].i;
}
static inline float weir_site_float(const weir_site *site, int attr)
{
    return site->attrs[attr].f;
}
static inline bool weir_site_bool(const weir_site *site, int attr)
{
    return site->attrs[attr].b;
}
static inline weir_dtype weir_site_type(const weir_site *site, int attr)
{
    return (weir_dtype)site->attrs[attr].type;
}
static inline weir_str weir_site_str(const weir_site *site, int attr)
{
    return site->attrs[attr].s;
}
static inline const weir_shape *weir_site_shape(const weir_site *site, int attr)
{
    return site->attrs[attr].shape;
}
static inline const weir_attr *weir_site_list(const weir_site *site, int attr)
{
    return &site->attrs[attr]; /* .count, .is, .fs, .bs, .types, .ss, .shapes, .funcs */
}
/* The range of argument |arg| of the signature among the flat inputs or outputs. */
typedef struct weir_range {
    int start, count;
} weir_range;
weir_range weir_site_in(const weir_site *site, int arg);
weir_range weir_site_out(const weir_site *site, int arg);

/* ---- inference ------------------------------------------------------------------------------ */

/* What is known of a handle's resource. dtype 0: nothing. */
typedef struct weir_handle_info {
    weir_dtype dtype;
    weir_shape shape;
} weir_handle_info;

/* Runs when a graph is built, with the information known then, and before every kernel, with
 * everything. |out| starts unknown. It must not keep pointers. */
struct weir_infer {
    const weir_site *site;
    int in_count, out_count;
    const weir_shape *const *in; /* never null; rank -1 when unknown */
    weir_shape *out;
    const weir_handle_info *const *in_handles; /* entries may be null; null array at run time */
    weir_handle_info *out_handles;             /* null at run time */
    /* Private: looks up values. */
    const weir_tensor *(*value)(weir_infer *infer, int in);
    bool (*value_shape)(weir_infer *infer, int in, weir_shape *out_shape);
    void *value_arg;
};

/* The value of input |in|, or null when not known yet. Any dtype. */
static inline const weir_tensor *weir_infer_value(weir_infer *infer, int in)
{
    return infer->value(infer, in);
}
/* Reads input |in|, a vector of int32 or int64, as a shape: -1 entries are unknown dims; if the
 * value is unknown, the result has the length as its rank, or rank -1. Fails on values < -1. */
WEIR_CHECKED weir_status weir_infer_value_as_shape(weir_infer *infer, int in,
                                                   weir_shape *out_shape);
/* Reads input |in|, an int32/int64 scalar (or one element). False: not known. */
bool weir_infer_value_int(weir_infer *infer, int in, int64_t *out_value);

/* Checks. Each names the input, the expected and the actual shape in TensorFlow's wording. */
WEIR_CHECKED weir_status weir_infer_rank(weir_infer *infer, int in, int rank);
WEIR_CHECKED weir_status weir_infer_rank_at_least(weir_infer *infer, int in, int rank);
WEIR_CHECKED weir_status weir_infer_rank_at_most(weir_infer *infer, int in, int rank);
static inline int64_t weir_infer_dim(weir_infer *infer, int in,
                                     int d) /* -1 unknown; d may be < 0 */
{
    const weir_shape *shape = infer->in[in];
    return shape->rank < 0 ? -1 : shape->dims[d < 0 ? shape->rank + d : d];
}
/* Unifies two shapes: fails if they are incompatible. */
WEIR_CHECKED weir_status weir_infer_merge(const weir_shape *a, const weir_shape *b,
                                          weir_shape *out_shape);
WEIR_CHECKED weir_status weir_infer_merge_dim(int64_t a, int64_t b, int64_t *out_dim);
WEIR_CHECKED weir_status weir_infer_broadcast_shapes(const weir_shape *a, const weir_shape *b,
                                                     weir_shape *out_shape);
/* Concatenates dims of |a| and |b|; unknown when either is. Fails past WEIR_MAX_RANK. */
WEIR_CHECKED weir_status weir_infer_concat(const weir_shape *a, const weir_shape *b,
                                           weir_shape *out_shape);
/* Dims [from, to) of |shape|, both clipped to its rank; unknown stays unknown. */
weir_shape weir_infer_sub(const weir_shape *shape, int from, int to);

/* Predefined rules. */
weir_status weir_infer_same_shape(weir_infer *infer); /* every output as input 0 */
weir_status weir_infer_scalar(weir_infer *infer);     /* every output a scalar */
weir_status weir_infer_unknown(weir_infer *infer);
weir_status weir_infer_broadcast(weir_infer *infer); /* output 0 as inputs 0 and 1 broadcast */
weir_status weir_infer_no_outputs(weir_infer *infer);
/* True when the rule of |op| is that every output has the shape of input 0. */
bool weir_op_keeps_shape(const weir_op *op);

/* ---- running -------------------------------------------------------------------------------- */

/* A value of an edge: a tensor, or a reference to a variable. For up to three dimensions all used
 * fields are in its first cache line. */
typedef struct weir_value {
    struct weir_var *var; /* retained; when not null, tensor is empty */
    weir_tensor tensor;
    char pad[192 - sizeof(void *) - sizeof(weir_tensor)]; /* keeps arrays aligned to cache lines */
} weir_value;

/* Moves |from| to |to|, which must be empty. */
static inline void weir_value_move(weir_value *to, weir_value *from)
{
    enum { LINE_DIMS = (64 - offsetof(weir_value, tensor.shape.dims)) / sizeof(int64_t) };
    memcpy((void *)to, from, 64);
    for (int i = LINE_DIMS; i < from->tensor.shape.rank; i++)
        to->tensor.shape.dims[i] = from->tensor.shape.dims[i];
    from->tensor.buffer = NULL;
    from->var = NULL;
}
/* Makes |to|, which must be empty, share |from|'s value. */
static inline void weir_value_share(weir_value *to, const weir_value *from)
{
    enum { LINE_DIMS = (64 - offsetof(weir_value, tensor.shape.dims)) / sizeof(int64_t) };
    memcpy((void *)to, from, 64);
    for (int i = LINE_DIMS; i < from->tensor.shape.rank; i++)
        to->tensor.shape.dims[i] = from->tensor.shape.dims[i];
    weir_buffer_retain(to->tensor.buffer);
    if (to->var)
        weir_ref_retain((weir_ref *)to->var);
}

/* Shared by one step (or one function call within it). */
struct weir_run {
    int64_t step_id;
    weir_resources *resources;      /* outlive the step */
    weir_resources *step_resources; /* stacks, tensor arrays: freed with the step */
    struct weir_rendezvous *rendezvous;
    struct weir_collectives *collectives; /* op/collective.h; null: there are no groups */
    weir_cancel *cancel;
    weir_par par;
    const struct weir_function_runner *runner; /* runs functions; see op/function.h */
    void *runner_arg;
    struct weir_collector *collector; /* step statistics; null: not requested */
    struct weir_recorder *recorder;   /* op/recorder.h; null: the step is not captured */
    int64_t start_ns;
    const char *master; /* the task that runs the step's session; null: this one */
    bool far; /* other tasks take part: waiting threads sleep at once, as those may need the
               * processor */
};

struct weir_call {
    const weir_site *site;
    void *state;     /* set by .prepare */
    weir_value *in;  /* site->in_count */
    weir_value *out; /* site->out_count; sized ones are allocated unless WEIR_OWN_OUTPUTS */
    weir_run *run;
    uint64_t frame_id; /* the loop's frame ... */
    int64_t iteration; /* ... and its iteration; 0 outside */
    bool in_dead;      /* only for ops that see dead inputs (_Send) */
    bool out_dead;     /* set by ops that may produce a dead result (_Recv) */
    /* May be null. Kernels that update variables check what they write, and store 1 + the input
     * whose variable has a NaN or an infinity; -1 if only an intermediate value has one. */
    atomic_int *nonfinite;
    void (*finish)(weir_call *call,
                   weir_status status); /* of the executor: ends an asynchronous call */
    void *exec_private[4];
};

/* The resources of the node's device, which outlive the step. */
static inline weir_resources *weir_call_resources(const weir_call *call)
{
    return weir_resources_at(call->run->resources, call->site->device);
}
/* The name of the node's device, as in handles. */
static inline const char *weir_call_device(const weir_call *call)
{
    const char *device = call->site->device;
    return device && *device ? device : weir_resources_device(call->run->resources);
}
static inline const weir_tensor *weir_in(const weir_call *call, int i)
{
    return &call->in[i].tensor;
}
static inline weir_tensor *weir_out(const weir_call *call, int i)
{
    return &call->out[i].tensor;
}
/* Fails if the call's step was cancelled or timed out. Cheap; for kernels whose work depends on a
 * value that a client sends, not on the sizes of tensors. */
WEIR_CHECKED weir_status weir_call_check(const weir_call *call);
/* Allocates output |i|; for kernels that compute its shape. */
WEIR_CHECKED weir_status weir_call_alloc(weir_call *call, int i, const weir_shape *shape);
/* Sets output |i|, taking over the reference in |tensor|. */
void weir_call_set(weir_call *call, int i, weir_tensor tensor);
/* Output |out| shares input |in|'s buffer, seen in |shape| (null: the same). */
void weir_call_forward(weir_call *call, int in, int out, const weir_shape *shape);
/* True when input |in| may be overwritten: it is the only reference to its buffer. */
static inline bool weir_call_may_reuse(const weir_call *call, int in)
{
    return weir_tensor_unique(&call->in[in].tensor);
}
/* The variable behind reference input |i|. */
static inline struct weir_var *weir_call_var(const weir_call *call, int i)
{
    return call->in[i].var;
}
/* Output |i| becomes a reference to |var|, which is retained. */
void weir_call_set_ref(weir_call *call, int i, struct weir_var *var);
/* Ends an asynchronous call; |call| is invalid afterwards. Any thread, once. */
static inline void weir_call_finish(weir_call *call, weir_status status)
{
    call->finish(call, status);
}

/* Prepares a kernel for one node of a plan. */
struct weir_prepare {
    const weir_site *site;
    const weir_kernel *kernel;                 /* the one that is prepared */
    weir_resources *resources;                 /* of the node's device; null when folding */
    weir_resources *own;                       /* of the session; null when folding */
    const struct weir_function_runner *runner; /* null when folding */
    void *runner_arg;
    void *state; /* out */
};

/* ---- registry ------------------------------------------------------------------------------- */

/* The catalogue: every op by name. Ops are never removed. Thread-safe. */
typedef struct weir_registry weir_registry;
weir_registry *weir_registry_create(const weir_op *const *ops, size_t count);
void weir_registry_destroy(weir_registry *registry);
/* Adds |op|, which must outlive the registry. ALREADY_EXISTS when the name is taken,
 * INVALID_ARGUMENT when the signature is malformed; nothing is added then. */
WEIR_CHECKED weir_status weir_registry_add(weir_registry *registry, const weir_op *op);
const weir_op *weir_registry_find(const weir_registry *registry,
                                  weir_str name); /* null when unknown */
/* The flow of the op of that name; WEIR_FLOW_NONE when it is unknown. */
weir_flow weir_registry_flow(const weir_registry *registry, const char *name);
/* The parsed signature; parsed on first use. Thread-safe. */
const weir_opdef *weir_registry_def(const weir_registry *registry, const weir_op *op);
size_t weir_registry_count(const weir_registry *registry);
const weir_op *weir_registry_at(const weir_registry *registry, size_t i); /* sorted by name */

/* A kernel that a library added, for an op of its own or of the catalogue. */
typedef struct weir_added_kernel {
    weir_kernel kernel;
    const char *op;    /* the op's name */
    const char *label; /* "", or only chosen for nodes whose attr _kernel names it */
    int priority;      /* the highest one is chosen; the catalogue's kernels have 0 */
    const struct weir_added_kernel *next;
} weir_added_kernel;

/* Adds |kernel|, which must outlive the process's sessions. Thread-safe. */
void weir_kernel_add(weir_added_kernel *kernel);
/* The added kernels, latest first; follow .next. */
const weir_added_kernel *weir_kernels_added(void);
/* True when a kernel of |op|, built-in or added, has one of |flags|. */
bool weir_op_has_kernel(const weir_op *op, unsigned flags);

/* The kernel for |site| on |device| (a WEIR_CPU bit). INVALID_ARGUMENT in TensorFlow's wording. */
WEIR_CHECKED weir_status weir_op_kernel(const weir_site *site, unsigned device,
                                        const weir_kernel **out_kernel);

/* Infers, allocates the outputs (in place where allowed) and runs. Not for WEIR_ASYNC kernels. */
WEIR_CHECKED weir_status weir_call_run(weir_call *call, const weir_kernel *kernel);
/* The first half only: infers and allocates. */
WEIR_CHECKED weir_status weir_call_ready(weir_call *call, const weir_kernel *kernel);
/* Runs one op on values outside a step, on the calling thread, without blocking: for constant
 * folding and shape inference. On success the caller owns the outputs. Not for WEIR_ASYNC
 * kernels. */
WEIR_CHECKED weir_status weir_op_compute(const weir_site *site, const weir_kernel *kernel,
                                         weir_value *in, weir_value *out);

#endif
