/* ops/device/find.c - finds the kernel of a node on a device with memory of its own. */
#include "base/env.h"
#include "base/mutex.h"
#include "math/binary/binary.h"
#include "ops/device/device.h"
#include "ops/device/device_impl.h"
#include "ops/random/generator.h"
#include "ops/train/apply_impl.h"

#define PLAIN                                                                                      \
    "half, bfloat16, float, double, int64, int16, int8, uint8, uint16, uint32, uint64, bool, "     \
    "complex64, complex128"

typedef enum row_kind { ROW_CARRIES, ROW_MOVES, ROW_PIECES, ROW_COMPUTES, ROW_STAYS } row_kind;

typedef struct row {
    const char *op;
    row_kind kind;
    const char *types; /* of attrs, as in weir_kernel; "": any */
    weir_kernel kernel;
} row;

enum { FLAGS = WEIR_ON_DEVICE | WEIR_CHEAP };

static weir_status prepare_moved(weir_prepare *preparation);

#define TYPES(attr, list) sizeof(attr) > 1 ? attr ": " list : ""
static const row rows[] = {
#define STAYS(name) {name, ROW_STAYS, "", {0}},
#define SIZES(name) {name, ROW_CARRIES, "T: " PLAIN "; out_type: int32", {0}},
#define CARRIES(name, attr) {name, ROW_CARRIES, TYPES(attr, PLAIN), {0}},
#define MOVES(name, attr)                                                                          \
    {name, ROW_MOVES, TYPES(attr, PLAIN), {WEIR_GPU, "*", weir_device_moved, FLAGS}},
#define PIECES(name, attr)                                                                         \
    {name, ROW_PIECES, TYPES(attr, PLAIN), {WEIR_GPU, "*", weir_device_moved_pieces, FLAGS}},
#define COMPUTES(name, attr, list, run)                                                            \
    {name, ROW_COMPUTES, TYPES(attr, list), {WEIR_GPU, "*", run, FLAGS}},
#define DRAWS(name, attr, list, run_)                                                              \
    {name,                                                                                         \
     ROW_COMPUTES,                                                                                 \
     TYPES(attr, list),                                                                            \
     {.devices = WEIR_GPU,                                                                         \
      .types = "*",                                                                                \
      .run = run_,                                                                                 \
      .flags = FLAGS,                                                                              \
      .prepare = weir_generator_prepare,                                                           \
      .cleanup = weir_generator_cleanup}},
#define APPLIES(name, attr, list, form, run_)                                                      \
    {name,                                                                                         \
     ROW_COMPUTES,                                                                                 \
     TYPES(attr, list),                                                                            \
     {.devices = WEIR_GPU,                                                                         \
      .types = "*",                                                                                \
      .run = run_,                                                                                 \
      .flags = FLAGS | WEIR_OWN_OUTPUTS,                                                           \
      .prepare = weir_apply_##form##_prepare,                                                      \
      .cleanup = weir_apply_cleanup}},
#include "ops/device/kernels.inc"
#undef APPLIES
#undef DRAWS
#undef SIZES
#undef STAYS
#undef CARRIES
#undef MOVES
#undef PIECES
#undef COMPUTES
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- kernels of families ---- */

static const weir_kernel unary = {WEIR_GPU, "*", weir_device_unary_loop, FLAGS};
static const weir_kernel binary = {WEIR_GPU, "*", weir_device_binary_loop, FLAGS};
static const weir_kernel scaled = {WEIR_GPU, "*", weir_device_scaled_loop, FLAGS};
static const weir_kernel apply = {.devices = WEIR_GPU,
                                  .types = "*",
                                  .run = weir_device_apply,
                                  .flags = FLAGS | WEIR_OWN_OUTPUTS,
                                  .prepare = weir_apply_prepare,
                                  .cleanup = weir_apply_cleanup};
static const weir_kernel moved_pieces = {.devices = WEIR_GPU,
                                         .types = "*",
                                         .run = weir_device_moved_pieces,
                                         .flags = FLAGS,
                                         .prepare = prepare_moved};
/* The CPU's kernel is looked up once per plan. */
static const weir_kernel moved = {.devices = WEIR_GPU,
                                  .types = "*",
                                  .run = weir_device_moved,
                                  .flags = FLAGS,
                                  .prepare = prepare_moved};
static const weir_kernel moved_own = {.devices = WEIR_GPU,
                                      .types = "*",
                                      .run = weir_device_moved,
                                      .flags = FLAGS | WEIR_OWN_OUTPUTS,
                                      .prepare = prepare_moved};

static const weir_kernel moved_own_pieces = {.devices = WEIR_GPU,
                                             .types = "*",
                                             .run = weir_device_moved_pieces,
                                             .flags = FLAGS | WEIR_OWN_OUTPUTS,
                                             .prepare = prepare_moved};

static weir_status prepare_moved(weir_prepare *preparation)
{
    const weir_kernel *kernel;
    WEIR_TRY(weir_op_kernel(preparation->site, WEIR_CPU, &kernel));
    preparation->state = (void *)kernel;
    return WEIR_OK;
}

static weir_status run_moved(weir_call *call, weir_memory_pieces *pieces)
{
    const weir_kernel *kernel = call->state;
    weir_memory_scope scope = {.memory = call->site->memory, .pieces = pieces};
    weir_memory_current = &scope;
    weir_status status = kernel->run(call);
    weir_memory_current = NULL;
    if (!status)
        weir_memory_scope_end(&scope);
    if (!status)
        return scope.failed;
    weir_status_free(scope.failed);
    return status;
}

weir_status weir_device_moved(weir_call *call)
{
    return run_moved(call, NULL);
}

weir_status weir_device_moved_pieces(weir_call *call)
{
    weir_memory_pieces pieces = {0};
    return run_moved(call, &pieces);
}

/* ---- finding ---- */

static weir_map by_name;

static void index_rows(void)
{
    for (int i = 0; i < ROWS; i++)
        weir_map_put(&by_name, weir_str_of(rows[i].op), (void *)&rows[i]);
}

static const row *find_row(const char *op)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, index_rows);
    return weir_map_get(&by_name, weir_str_of(op));
}

/* Numeric types that stay in host memory. */
static bool is_host_type(int type)
{
    weir_dtype dtype = weir_dtype_base(type);
    return !weir_dtype_is_plain(dtype) || dtype == WEIR_INT32;
}

static bool is_unlike_nhwc(const weir_site *site)
{
    int attr = weir_opdef_attr(site->def, "data_format");
    return attr >= 0 && !weir_str_is(site->attrs[attr].s, "NHWC");
}

/* Control flow that forwards values; conditions and counters stay on the host. */
static bool is_carried_flow(const weir_site *site)
{
    static const bool carried[WEIR_FLOW_COUNT] = {
        [WEIR_FLOW_IDENTITY] = true, [WEIR_FLOW_REF_IDENTITY] = true,   [WEIR_FLOW_FORWARD] = true,
        [WEIR_FLOW_SWITCH] = true,   [WEIR_FLOW_MERGE] = true,          [WEIR_FLOW_ENTER] = true,
        [WEIR_FLOW_EXIT] = true,     [WEIR_FLOW_NEXT_ITERATION] = true, [WEIR_FLOW_CONST] = true,
    };
    if (!carried[site->op->flow] || !site->out_count)
        return false;
    weir_dtype dtype = weir_dtype_base(site->out_types[0]);
    return !is_host_type(dtype) && dtype != WEIR_BOOL;
}

/* A loop that can fail for some integers, which device kernels do not report. */
static bool may_fail(const weir_elementwise *loop)
{
    return loop->arity == 2 && (loop->loop == WEIR_B_div || loop->loop == WEIR_B_trunc_div ||
                                loop->loop == WEIR_B_floor_div || loop->loop == WEIR_B_trunc_mod ||
                                loop->loop == WEIR_B_floor_mod || loop->loop == WEIR_B_pow);
}

static const weir_kernel *loop_kernel(const weir_site *site, bool ints)
{
    const weir_elementwise *loop = &site->op->elementwise;
    weir_elem elem =
        site->in_count ? weir_elem_of(weir_dtype_base(site->in_types[0])) : WEIR_ELEM_NONE;
    if (!loop->arity || loop->attr || elem == WEIR_ELEM_NONE)
        return NULL;
    if (elem == WEIR_E_i32 && (!ints || may_fail(loop)))
        return NULL;
    if (!weir_gpu_has(loop->arity == 1 ? WEIR_GPU_UNARY : WEIR_GPU_BINARY, loop->loop, elem))
        return NULL;
    if (weir_elem_is_half(elem) && loop->arity == 2 && !loop->scales &&
        (loop->loop == WEIR_B_floor_div || loop->loop == WEIR_B_trunc_div))
        return NULL; /* would be rounded twice */
    return loop->scales ? &scaled : loop->arity == 1 ? &unary : &binary;
}

static const weir_kernel *rule_kernel(const weir_site *site)
{
    int grad = -1;
    if (!site->op->update || site->op->flags & WEIR_INTERNAL_OP)
        return NULL;
    for (int i = 0; i < site->def->in_count; i++) {
        if (strcmp(site->def->in[i].name, "grad") == 0 ||
            strcmp(site->def->in[i].name, "delta") == 0)
            grad = i;
    }
    weir_elem elem =
        grad < 0 ? WEIR_ELEM_NONE : weir_elem_of(weir_dtype_base(site->in_types[grad]));
    return elem != WEIR_ELEM_NONE && weir_gpu_has_rule(elem) ? &apply : NULL;
}

static const weir_kernel *moving_kernel(const weir_site *site, row_kind kind)
{
    const weir_kernel *kernel;
    weir_status status = weir_op_kernel(site, WEIR_CPU, &kernel);
    bool none = status || kernel->prepare || kernel->flags & WEIR_ASYNC;
    weir_status_free(status);
    if (none)
        return NULL;
    static const weir_kernel *const kernels[2][2] = {{&moved, &moved_pieces},
                                                     {&moved_own, &moved_own_pieces}};
    return kernels[(kernel->flags & WEIR_OWN_OUTPUTS) != 0][kind == ROW_PIECES];
}

/* The results of Cast have any type; those of the others follow from their arguments. */
static bool gives_numbers(const weir_site *site)
{
    weir_elem elem =
        site->out_count ? weir_elem_of(weir_dtype_base(site->out_types[0])) : WEIR_E_f32;
    return elem != WEIR_ELEM_NONE && weir_gpu_has_layers(elem);
}

/* True for a row without a kernel: the CPU's kernel is used. */
static bool row_kernel(const weir_site *site, const row *row, const weir_kernel **out_kernel)
{
    if (*row->types && !weir_kernel_fits(site, row->types))
        return false;
    if (row->kind == ROW_COMPUTES && (is_unlike_nhwc(site) || !gives_numbers(site)))
        return false;
    if (row->kernel.run == weir_device_elements && !weir_device_has_elements(site))
        return false;
    if (row->kernel.run == weir_device_cell && !weir_device_has_cell(site))
        return false;
    bool moves = row->kind == ROW_MOVES || row->kind == ROW_PIECES;
    *out_kernel = moves                       ? moving_kernel(site, row->kind)
                  : row->kind == ROW_COMPUTES ? &row->kernel
                                              : NULL;
    return !moves || *out_kernel;
}

static weir_device_way found(const weir_site *site, const weir_kernel *kernel,
                             const weir_kernel **out_kernel)
{
    if (!out_kernel || site->op->flow == WEIR_FLOW_CONST)
        return WEIR_DEVICE_KERNEL;
    if (kernel) {
        *out_kernel = kernel;
        return WEIR_DEVICE_KERNEL;
    }
    weir_status status = weir_op_kernel(site, WEIR_CPU, out_kernel);
    if (status) /* run by the executor */
        *out_kernel = NULL;
    weir_status_free(status);
    return WEIR_DEVICE_KERNEL;
}

static bool is_copy(const weir_site *site)
{
    return strncmp(site->op->name, "_Copy", 5) == 0;
}

/* Forwards or moves int32 like other plain types. */
static bool moves_ints(const weir_site *site, const row *row, const weir_kernel **out_kernel)
{
    bool moves = row && (row->kind == ROW_MOVES || row->kind == ROW_PIECES);
    if (!row || (row->kind != ROW_CARRIES && !moves) || site->def->flags & WEIR_STATEFUL)
        return false;
    for (int i = 0; i < site->in_count; i++)
        if (weir_dtype_is_ref(site->in_types[i]) || !weir_dtype_is_plain(site->in_types[i]))
            return false;
    *out_kernel = moves ? moving_kernel(site, row->kind) : NULL;
    return !moves || *out_kernel;
}

/* int32 is computed on the host, except between two device ops. */
static weir_device_way find_ints(const weir_site *site, const weir_kernel **out_kernel)
{
    bool takes = site->in_count && weir_dtype_base(site->in_types[0]) == WEIR_INT32;
    const weir_kernel *kernel = takes ? loop_kernel(site, true) : NULL;
    if (!takes || weir_env_get()->no_device_ints ||
        (!kernel && !moves_ints(site, find_row(site->op->name), &kernel)))
        return WEIR_DEVICE_HOST;
    return site->memory ? found(site, kernel, out_kernel) : WEIR_DEVICE_EITHER;
}

weir_device_way weir_device_find(const weir_site *site, const weir_kernel **out_kernel)
{
    if (!site->op)
        return WEIR_DEVICE_NONE;
    if (is_carried_flow(site) || is_copy(site))
        return found(site, NULL, out_kernel);
    const weir_kernel *kernel = loop_kernel(site, false);
    if (!kernel)
        kernel = rule_kernel(site);
    if (kernel)
        return found(site, kernel, out_kernel);
    const row *row = find_row(site->op->name);
    if (row && row->kind == ROW_STAYS)
        return WEIR_DEVICE_HOST;
    if (row && row_kernel(site, row, &kernel))
        return found(site, kernel, out_kernel);
    bool flow = site->op->flow != WEIR_FLOW_NONE && site->op->flow < WEIR_FLOW_CALL;
    bool ints = site->out_count && weir_dtype_base(site->out_types[0]) == WEIR_INT32;
    if (!flow && (row || site->op->elementwise.arity) && ints)
        return find_ints(site, out_kernel);
    return flow || site->op->host ? WEIR_DEVICE_HOST : WEIR_DEVICE_NONE;
}

static bool serves_loop(const weir_elementwise *loop)
{
    static const weir_elem tried[] = {WEIR_E_f32, WEIR_E_i64, WEIR_E_b8};
    weir_gpu_family family = loop->arity == 1 ? WEIR_GPU_UNARY : WEIR_GPU_BINARY;
    bool any = false;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        any |= loop->arity && !loop->attr && weir_gpu_has(family, loop->loop, tried[i]);
    return any;
}

bool weir_device_serves(const weir_op *op)
{
    const row *row = find_row(op->name);
    bool rule = op->update && !(op->flags & WEIR_INTERNAL_OP);
    bool flow = op->flow == WEIR_FLOW_CONST ||
                (op->flow >= WEIR_FLOW_IDENTITY && op->flow <= WEIR_FLOW_FORWARD) ||
                (op->flow >= WEIR_FLOW_SWITCH && op->flow <= WEIR_FLOW_NEXT_ITERATION &&
                 op->flow != WEIR_FLOW_SWITCH_N);
    return serves_loop(&op->elementwise) || rule || flow || (row && row->kind != ROW_STAYS);
}

/* ---- for listings ---------------------------------------------------------------------------- */

/* "T" of "handle: resource; x: T", the attr of the first variable type; empty: none. */
static weir_str type_attr(const char *in)
{
    for (const char *at = in; at && (at = strchr(at, ':')) != NULL;) {
        at += 1 + strspn(at + 1, " ");
        weir_str word = {at, strcspn(at, " ;,)")};
        if (word.length > 4 && memcmp(word.at, "Ref(", 4) == 0)
            word = (weir_str){at + 4, word.length - 4};
        if (!weir_dtype_parse(word))
            return word;
    }
    return (weir_str){NULL, 0};
}

static bool serves_type(const weir_op *op, weir_dtype dtype)
{
    const weir_elementwise *loop = &op->elementwise;
    weir_elem elem = weir_dtype_is_plain(dtype) ? weir_elem_of(dtype) : WEIR_ELEM_NONE;
    if (elem == WEIR_ELEM_NONE || elem == WEIR_E_i32)
        return false;
    return loop->arity
               ? weir_gpu_has(loop->arity == 1 ? WEIR_GPU_UNARY : WEIR_GPU_BINARY, loop->loop, elem)
               : weir_gpu_has_rule(elem);
}

/* "T: half, float" of an element-wise loop or a rule. */
static void add_types(const weir_op *op, weir_buf *out)
{
    weir_str attr = type_attr(op->in);
    const char *between = ": ";
    for (int dtype = 1; attr.length && dtype < WEIR_DTYPE_COUNT; dtype++) {
        if (!serves_type(op, dtype))
            continue;
        if (*between == ':')
            weir_buf_add(out, attr.at, attr.length);
        weir_buf_addf(out, "%s%s", between, weir_dtype_name(dtype));
        between = ", ";
    }
}

bool weir_device_types(const weir_op *op, weir_buf *out_types)
{
    const row *row = find_row(op->name);
    if (!weir_device_serves(op))
        return false;
    if (serves_loop(&op->elementwise) || (op->update && !(op->flags & WEIR_INTERNAL_OP)))
        add_types(op, out_types);
    else if (row)
        weir_buf_adds(out_types, row->types);
    return true;
}
