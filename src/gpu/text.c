/* gpu/text.c - generates a line per kernel, from the lists of math/. */
#include "gpu/text.h"

#include "math/binary/binary.h"
#include "math/reduce/reduce.h"
#include "math/train/train.h"
#include "math/unary/unary.h"

/* The dialect's files, as null-terminated strings. */
__asm__(".section .rodata\n"
        "weir_gpu_prelude:\n"
        ".incbin \"" WEIR_GPU_PRELUDE "\"\n"
        ".byte 0\n"
        "weir_gpu_families:\n"
        ".incbin \"" WEIR_GPU_FAMILIES_FILE "\"\n"
        ".byte 0\n"
        "weir_gpu_layers:\n"
        ".incbin \"" WEIR_GPU_LAYERS_FILE "\"\n"
        ".byte 0\n"
        "weir_gpu_channels:\n"
        ".incbin \"" WEIR_GPU_CHANNELS_FILE "\"\n"
        ".byte 0\n"
        "weir_gpu_chain:\n"
        ".incbin \"" WEIR_GPU_CHAIN_FILE "\"\n"
        ".byte 0\n"
        "weir_gpu_rules:\n"
        ".incbin \"" WEIR_GPU_RULES_FILE "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char weir_gpu_prelude[] __attribute__((visibility("hidden")));
extern const char weir_gpu_families[] __attribute__((visibility("hidden")));
extern const char weir_gpu_layers[] __attribute__((visibility("hidden")));
extern const char weir_gpu_channels[] __attribute__((visibility("hidden")));
extern const char weir_gpu_chain[] __attribute__((visibility("hidden")));
extern const char weir_gpu_rules[] __attribute__((visibility("hidden")));

/* ---- the types ---- */

typedef enum kind { KIND_NONE, KIND_FLOAT, KIND_INT, KIND_BOOL } kind;

/* T, S and W of an element type in the dialect; conversions between memory and T; the highest
 * finite float. */
typedef struct types {
    kind kind;
    const char *arithmetic, *memory, *wide, *load, *store, *highest;
} types;

static const types table[WEIR_ELEM_COUNT] = {
    [WEIR_E_f16] = {KIND_FLOAT, "float", "u16", "float", "float_of_f16", "f16_of_float",
                    "65504.0f"},
    [WEIR_E_bf16] = {KIND_FLOAT, "float", "u16", "float", "float_of_bf16", "bf16_of_float",
                     "FLOAT_OF_BITS(0x7f7f0000u)"},
    [WEIR_E_f32] = {KIND_FLOAT, "float", "float", "float", "", "", "FLOAT_OF_BITS(0x7f7fffffu)"},
    [WEIR_E_f64] = {KIND_FLOAT, "double", "double", "double", "", "",
                    "DOUBLE_OF_BITS(0x7fefffffffffffffu)"},
    [WEIR_E_i8] = {KIND_INT, "i8", "i8", "u32", "", "(i8)"},
    [WEIR_E_i16] = {KIND_INT, "i16", "i16", "u32", "", "(i16)"},
    [WEIR_E_i32] = {KIND_INT, "i32", "i32", "u32", "", "(i32)"},
    [WEIR_E_i64] = {KIND_INT, "i64", "i64", "u64", "", "(i64)"},
    [WEIR_E_u8] = {KIND_INT, "u8", "u8", "u32", "", "(u8)"},
    [WEIR_E_u16] = {KIND_INT, "u16", "u16", "u32", "", "(u16)"},
    [WEIR_E_u32] = {KIND_INT, "u32", "u32", "u32", "", "(u32)"},
    [WEIR_E_u64] = {KIND_INT, "u64", "u64", "u64", "", "(u64)"},
    [WEIR_E_b8] = {KIND_BOOL, "u8", "u8", "u8", "", "(u8)"},
    [WEIR_E_c128] = {KIND_NONE, "i64", "ulong2", "u64", "", ""}, /* moves only */
};

static void add_head(weir_elem elem, weir_buf *buf)
{
    const types *types = &table[elem];
    weir_buf_adds(buf, weir_gpu_prelude);
    weir_buf_addf(buf, "typedef %s T;\ntypedef %s S;\ntypedef %s W;\n", types->arithmetic,
                  types->memory, types->wide);
    weir_buf_addf(buf, "#define LOAD(v) %s(v)\n#define STORE(v) %s(v)\n#define TRUTH(v) (u8)(v)\n",
                  types->load, types->store);
    weir_buf_adds(buf, weir_gpu_families);
}

/* ---- the expressions ---- */

/* A line of a list: the name of the op, and its expressions for floats, integers and bool; null if
 * the class has none. |narrow|: the result is a byte for any type. */
typedef struct line {
    const char *name, *of_float, *of_int, *of_bool;
    bool narrow;
} line;

#define OR_NONE(text) (sizeof(text) == sizeof "NO" && (text)[0] == 'N' ? NULL : (text))

static const line unary_lines[WEIR_UNARY_COUNT] = {
#define WEIR_UNARY(name, f, i, c) [WEIR_U_##name] = {#name, OR_NONE(#f), OR_NONE(#i)},
#define WEIR_TRIG(name) [WEIR_U_##name] = {#name, #name "(x)"},
#define WEIR_PREDICATE(name, f) [WEIR_U_##name] = {#name, #f, .narrow = true},
#define WEIR_COUNT_BITS(name)                                                                      \
    [WEIR_U_##name] = {#name, .of_int = "COUNT_BITS((u64)x & ALL_BITS(T))", .narrow = true},
#define WEIR_PART(name, c) [WEIR_U_##name] = {#name},
#include "math/unary/unary.inc"
};

static const line binary_lines[WEIR_BINARY_COUNT] = {
#define WEIR_BINARY(name, f, i, c) [WEIR_B_##name] = {#name, OR_NONE(#f), OR_NONE(#i)},
#define WEIR_COMPARE(name, r, c) [WEIR_B_##name] = {#name, #r, #r, #r, .narrow = true},
#define WEIR_LOGICAL(name, b) [WEIR_B_##name] = {#name, .of_bool = #b},
#include "math/binary/binary.inc"
};

/* The arguments after the op's name; one entry per class. */
static const char *const reduce_lines[][WEIR_REDUCE_COUNT] = {
#define COMPLEX(entry)
#define FLOAT(entry) [KIND_FLOAT] entry,
#define INT(entry) [KIND_INT] entry,
#define BOOL(entry) [KIND_BOOL] entry,
#define WEIR_REDUCE(name, class, ...) class([WEIR_R_##name] = #__VA_ARGS__)
#include "math/reduce/reduce.inc"
#undef COMPLEX
#undef FLOAT
#undef INT
#undef BOOL
};

static const char *const reduce_names[WEIR_REDUCE_COUNT] = {
    [WEIR_R_sum] = "sum", [WEIR_R_mean] = "mean", [WEIR_R_prod] = "prod", [WEIR_R_max] = "max",
    [WEIR_R_min] = "min", [WEIR_R_norm] = "norm", [WEIR_R_any] = "any",   [WEIR_R_all] = "all",
};

/* Functions of math/special that the dialect lacks. */
static bool needs_special(const char *text)
{
    static const char *const known[] = {"weir_lgamma", "weir_floor_mod", "weir_int_pow"};
    static const char *const bessel[] = {"j0(", "j1(", "y0(", "y1("};
    const char *call = strstr(text, "weir_");
    for (size_t i = 0; i < sizeof bessel / sizeof *bessel; i++)
        if (strstr(text, bessel[i]))
            return true;
    for (size_t i = 0; call && i < sizeof known / sizeof *known; i++)
        if (strncmp(call, known[i], strlen(known[i])) == 0)
            return false;
    return call != NULL;
}

static const char *expression(const line *line, weir_elem elem)
{
    const char *const by_kind[] = {NULL, line->of_float, line->of_int, line->of_bool};
    const char *text = by_kind[table[elem].kind];
    return text && !needs_special(text) ? text : NULL;
}

/* ---- families ---- */

int weir_gpu_op_count(weir_gpu_family family)
{
    static const int counts[WEIR_GPU_FAMILIES] = {
        [WEIR_GPU_UNARY] = WEIR_UNARY_COUNT,
        [WEIR_GPU_BINARY] = WEIR_BINARY_COUNT,
        [WEIR_GPU_REDUCE] = WEIR_REDUCE_COUNT,
        [WEIR_GPU_MOVE] = 1,
        [WEIR_GPU_RANDOM] = 1,
    };
    return counts[family];
}

const char *weir_gpu_op_name(weir_gpu_family family, int op)
{
    switch (family) {
    case WEIR_GPU_UNARY:
        return unary_lines[op].name;
    case WEIR_GPU_BINARY:
        return binary_lines[op].name;
    case WEIR_GPU_REDUCE:
        return reduce_names[op];
    default:
        return "";
    }
}

/* The CPU accumulates the mean of narrow integers in 64 bits; the kernels have one type only. */
static bool needs_wider(int op, weir_elem elem)
{
    return op == WEIR_R_mean && table[elem].kind == KIND_INT && weir_elem_size(elem) < 8;
}

bool weir_gpu_has(weir_gpu_family family, int op, weir_elem elem)
{
    kind kind = table[elem].kind;
    switch (family) {
    case WEIR_GPU_UNARY:
        return expression(&unary_lines[op], elem) && weir_unary_find(op, elem);
    case WEIR_GPU_BINARY:
        return expression(&binary_lines[op], elem) && weir_binary_find(op, elem);
    case WEIR_GPU_REDUCE:
        return kind && reduce_lines[kind][op] && weir_reduce_has(op, elem) &&
               !needs_wider(op, elem);
    case WEIR_GPU_RANDOM:
        return kind == KIND_FLOAT;
    default:
        return kind != KIND_NONE;
    }
}

static void add_elements(const char *macro, const line *line, weir_elem elem, weir_buf *buf)
{
    weir_buf_addf(buf, "%s(%s, %s, %s, %s)\n", macro, line->name, line->narrow ? "u8" : "S",
                  line->narrow ? "TRUTH" : "STORE", expression(line, elem));
}

static void add_kernels(weir_gpu_family family, int op, weir_elem elem, weir_buf *buf)
{
    static const char *const names[] = {
        [WEIR_E_f16] = "f16", [WEIR_E_bf16] = "bf16", [WEIR_E_f32] = "f32", [WEIR_E_f64] = "f64"};
    switch (family) {
    case WEIR_GPU_UNARY:
        add_elements("UNARY", &unary_lines[op], elem, buf);
        break;
    case WEIR_GPU_BINARY:
        add_elements("BINARY", &binary_lines[op], elem, buf);
        break;
    case WEIR_GPU_REDUCE:
        weir_buf_addf(buf, "REDUCE(%s, %s)\n", reduce_names[op],
                      reduce_lines[table[elem].kind][op]);
        break;
    case WEIR_GPU_RANDOM:
        weir_buf_addf(buf, "UNIFORM(%d, UNIFORM_%s)\n", elem == WEIR_E_f64 ? 2 : 4, names[elem]);
        break;
    default:
        weir_buf_adds(buf, "FILL\nCOPY\nTRANSPOSE\n");
    }
}

void weir_gpu_text(weir_gpu_family family, int op, weir_elem elem, weir_buf *buf)
{
    add_head(elem, buf);
    add_kernels(family, op, elem, buf);
}

static int kernels_of(weir_gpu_family family)
{
    return family == WEIR_GPU_REDUCE ? 4 : family == WEIR_GPU_MOVE ? 3 : 1;
}

int weir_gpu_text_all(weir_gpu_family family, weir_elem elem, weir_buf *buf)
{
    int count = 0;
    for (int op = 0; op < weir_gpu_op_count(family); op++) {
        if (!weir_gpu_has(family, op, elem))
            continue;
        if (!count)
            add_head(elem, buf);
        add_kernels(family, op, elem, buf);
        count += kernels_of(family);
    }
    return count;
}

/* ---- programs ---- */

static void add_argument(int64_t argument, weir_buf *buf)
{
    if (argument >= 0)
        weir_buf_addf(buf, "s%d", (int)argument);
    else
        weir_buf_addf(buf, "INPUT(%d, a%d)", (int)(-1 - argument), (int)(-1 - argument));
}

static const line *line_of(int64_t loop)
{
    return loop < 0 ? &binary_lines[-1 - loop] : &unary_lines[loop];
}

bool weir_gpu_has_program(const int64_t *program, int count, weir_elem elem)
{
    for (int i = 0; i < count; i++) {
        int64_t loop = program[4 * i];
        if (!weir_gpu_has(loop < 0 ? WEIR_GPU_BINARY : WEIR_GPU_UNARY,
                          (int)(loop < 0 ? -1 - loop : loop), elem) ||
            line_of(loop)->narrow || table[elem].kind != KIND_FLOAT)
            return false;
    }
    return true;
}

/* Computes element i of a program's result, and stores it in ys and |also|. INPUT(k, a) is input k,
 * in memory at a. */
static void add_lines(const char *also, const int64_t *program, int count, weir_elem elem,
                      weir_buf *buf)
{
    for (int i = 0; i < count; i++) {
        const int64_t *numbers = program + 4 * (size_t)i;
        weir_buf_adds(buf, "{ const T x = ");
        add_argument(numbers[2], buf);
        if (numbers[0] < 0) {
            weir_buf_adds(buf, "; const T y = ");
            add_argument(numbers[3], buf);
        }
        weir_buf_addf(buf, "; s%d = %s; }\n", (int)numbers[1],
                      expression(line_of(numbers[0]), elem));
    }
    weir_buf_addf(buf, "ys[i] = %sSTORE(s%d);\n", also, (int)program[4 * (count - 1) + 1]);
}

void weir_gpu_text_program(const int64_t *program, int count, int inputs, weir_elem elem,
                           weir_buf *buf)
{
    add_head(elem, buf);
    weir_buf_adds(buf, "#define INPUT(k, a) LOAD((a)[single >> (k) & 1 ? 0 : i])\n"
                       "KERNEL elements(");
    for (int i = 0; i < inputs; i++)
        weir_buf_addf(buf, "GLOBAL const S *a%d, ", i);
    weir_buf_adds(buf, "GLOBAL S *ys, i64 count, u32 single)\n{ EACH(i, count) {\n"
                       "T s0, s1, s2, s3, s4, s5, s6, s7;\n");
    add_lines("", program, count, elem, buf);
    weir_buf_adds(buf, "} }\n");
}

/* ---- chains ---- */

static void add_chain_program(int number, const int64_t *program, weir_elem elem, weir_buf *buf)
{
    int inputs = (int)program[0], count = (int)program[1];
    weir_buf_addf(buf, "if (which == %d) {\nGLOBAL S *ys = (GLOBAL S *)step[CHAIN_OUT] + r * n;\n",
                  number);
    for (int i = 0; i < inputs; i++)
        weir_buf_addf(buf,
                      "GLOBAL const S *a%d = (GLOBAL const S *)step[CHAIN_IN + %d] + (single >> %d "
                      "& 1 ? 0 : r * n);\n",
                      i, i, i);
    weir_buf_adds(buf, "for (int i = LANE; i < n; i += LANES) {\n"
                       "T s0, s1, s2, s3, s4, s5, s6, s7;\n");
    add_lines("kept[i] = ", program + 2, count, elem, buf);
    weir_buf_adds(buf, "} }\n");
}

void weir_gpu_text_chain(const int64_t *chain, weir_elem elem, weir_buf *buf)
{
    static const struct {
        const char *name;
        int value;
    } names[] = {
        {"KIND", WEIR_CHAIN_KIND},       {"WIDTH", WEIR_CHAIN_WIDTH}, {"DEPTH", WEIR_CHAIN_DEPTH},
        {"MATRIX", WEIR_CHAIN_MATRIX},   {"OUT", WEIR_CHAIN_OUT},     {"IN", WEIR_CHAIN_IN},
        {"SINGLE", WEIR_CHAIN_SINGLE},   {"WORDS", WEIR_CHAIN_WORDS}, {"INPUTS", WEIR_CHAIN_INPUTS},
        {"PRODUCT", WEIR_CHAIN_PRODUCT}, {"KNOWN", WEIR_CHAIN_KNOWN}, {"SPLIT", WEIR_CHAIN_SPLIT},
        {"LOAD", WEIR_CHAIN_LOAD},       {"ADD", WEIR_CHAIN_ADD},     {"STORE", WEIR_CHAIN_STORE},
        {"PROGRAM", WEIR_CHAIN_PROGRAM}};
    const int64_t *program = chain + 2;
    add_head(elem, buf);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        weir_buf_addf(buf, "#define CHAIN_%s %d\n", names[i].name, names[i].value);
    weir_buf_addf(buf, "#define CHAIN_MATRICES %d\n", (int)chain[0]);
    weir_buf_adds(
        buf, "#define INPUT(k, a) (known >> (k) & 1 ? kept[i] : "
             "LOAD((a)[single >> (k) & 1 ? 0 : i]))\n"
             "FUNCTION void chain_program(int which, NEAR const u64 *step, i64 r, int n,\n"
             "NEAR T *kept)\n"
             "{ const u32 single = (u32)step[CHAIN_SINGLE], known = (u32)step[CHAIN_KNOWN];\n");
    for (int i = 0; i < (int)chain[1]; i++) {
        add_chain_program(i, program, elem, buf);
        program += 2 + 4 * program[1];
    }
    weir_buf_adds(buf, "}\n");
    weir_buf_adds(buf, weir_gpu_chain);
}

/* ---- cells and pieces ---- */

bool weir_gpu_has_cell(const int64_t *program, int count, weir_elem elem)
{
    for (int i = 0; i < count; i++) {
        const int64_t *numbers = program + WEIR_CELL_NUMBERS * (size_t)i;
        if (numbers[0] == WEIR_CELL_LOOP &&
            !weir_gpu_has_program((int64_t[]){numbers[2], 0, 0, 0}, 1, elem))
            return false;
    }
    return true;
}

static void add_place(const int64_t *place, weir_buf *buf)
{
    weir_buf_addf(buf, "[%lld + r * %lld + c * %lld]", (long long)place[0], (long long)place[1],
                  (long long)place[2]);
}

static void add_cell_line(const int64_t *numbers, weir_elem elem, weir_buf *buf)
{
    switch (numbers[0]) {
    case WEIR_CELL_LOAD:
        weir_buf_addf(buf, "const T v%d = LOAD(a%d", (int)numbers[1], (int)numbers[2]);
        add_place(numbers + 3, buf);
        weir_buf_adds(buf, ");\n");
        break;
    case WEIR_CELL_LOOP:
        weir_buf_addf(buf, "T v%d; { const T x = v%d", (int)numbers[1], (int)numbers[3]);
        if (numbers[2] < 0)
            weir_buf_addf(buf, ", y = v%d", (int)numbers[4]);
        weir_buf_addf(buf, "; v%d = %s; }\n", (int)numbers[1],
                      expression(line_of(numbers[2]), elem));
        break;
    case WEIR_CELL_STORE:
        weir_buf_addf(buf, "a%d", (int)numbers[1]);
        add_place(numbers + 3, buf);
        weir_buf_addf(buf, " = STORE(v%d);\n", (int)numbers[2]);
        break;
    }
}

void weir_gpu_text_cell(const int64_t *program, int count, int tensors, weir_elem elem,
                        weir_buf *buf)
{
    add_head(elem, buf);
    weir_buf_adds(buf, "KERNEL cell(");
    for (int i = 0; i < tensors; i++)
        weir_buf_addf(buf, "GLOBAL %sS *a%d, ", i < program[2] ? "const " : "", i);
    weir_buf_addf(buf,
                  "i64 count)\n{ EACH(i, count) { const INDEX r = i / %lld, c = i - r * %lld;\n",
                  (long long)program[1], (long long)program[1]);
    for (int i = 1; i < count; i++)
        add_cell_line(program + WEIR_CELL_NUMBERS * (size_t)i, elem, buf);
    weir_buf_adds(buf, "} }\n");
}

void weir_gpu_text_pieces(int count, weir_elem elem, weir_buf *buf)
{
    add_head(elem, buf);
    weir_buf_adds(buf, "KERNEL move_pieces(");
    for (int i = 0; i < count; i++)
        weir_buf_addf(buf, "GLOBAL S *y%d, GLOBAL const S *x%d, ", i, i);
    weir_buf_adds(buf, "walk w)\n{ EACH(i, w.count) { PLACES(i)\n");
    for (int i = 0; i < count; i++) /* reads all pieces before writing the first: they overlap */
        weir_buf_addf(buf, "const S v%d = x%d[from];\n", i, i);
    for (int i = 0; i < count; i++)
        weir_buf_addf(buf, "y%d[to] = v%d;\n", i, i);
    weir_buf_adds(buf, "} }\n");
}

/* ---- sources for one element type ------------------------------------------------------------ */

bool weir_gpu_has_layers(weir_elem elem)
{
    return table[elem].kind != KIND_NONE;
}

void weir_gpu_text_layers(weir_elem elem, weir_buf *buf)
{
    const char *highest = table[elem].highest;
    add_head(elem, buf);
    weir_buf_addf(buf, "#define IS_FLOAT %d\n", table[elem].kind == KIND_FLOAT);
    weir_buf_addf(buf, "#define HIGHEST_T %s\n#define LOWEST_T %s\n",
                  highest ? highest : "HIGHEST(T)", highest ? "(-HIGHEST_T)" : "LOWEST(T)");
    weir_buf_adds(buf, weir_gpu_layers);
}

void weir_gpu_text_channels(weir_elem elem, weir_buf *buf)
{
    add_head(elem, buf);
    weir_buf_addf(buf, "#define IS_FLOAT %d\n#define IS_BOOL %d\n", table[elem].kind == KIND_FLOAT,
                  table[elem].kind == KIND_BOOL);
    weir_buf_adds(buf, weir_gpu_channels);
}

void weir_gpu_text_cast(weir_elem from, weir_elem to, weir_buf *buf)
{
    const types *source = &table[from];
    add_head(to, buf);
    weir_buf_addf(buf,
                  "KERNEL cast_run(GLOBAL const %s *xs, GLOBAL S *ys, i64 count)\n"
                  "{ EACH(i, count) ys[i] = STORE((T)(%s(xs[i])%s)); }\n",
                  source->memory, source->load, table[to].kind == KIND_BOOL ? " != 0" : "");
}

static const char *const rule_names[WEIR_TRAIN_RULES] = {
#define WEIR_TRAIN(name, complex) [WEIR_TRAIN_##name] = #name,
#include "math/train/train.inc"
#undef WEIR_TRAIN
};

bool weir_gpu_has_rule(weir_elem elem)
{
    return table[elem].kind == KIND_FLOAT;
}

/* The rules process one element here: their loops run once, with advanced pointers. */
static const char rule_head[] =
    "#define IS_COMPLEX 0\n#define NAME(rule) rule_##rule\n#define T GLOBAL S\n#define V W\n"
    "#define GRADIENT GLOBAL GRAD_S\n"
    "#define SQRT(x) sqrt(x)\n#define ABS(x) fabs(x)\n#define POW(x, y) pow(x, y)\n"
    "#define int64_t i64\n"
    "#define INT_SCALAR(i) (*(GLOBAL const i64 *)t->scalars[i])\n"
    "typedef struct weir_train { GLOBAL void *slots[4]; GLOBAL const void *grad;\n"
    "GLOBAL const void *scalars[6]; bool flag; } weir_train;\n"
    "#ifndef __OPENCL_VERSION__\n#define restrict __restrict__\n#define static static __device__\n"
    "#endif\n";
static const char rule_kernel[] =
    "\n#undef static\n"
    "KERNEL train_run(GLOBAL S *a, GLOBAL S *b, GLOBAL S *c, GLOBAL S *d, GLOBAL const GRAD_S "
    "*grad,\n"
    "GLOBAL const void *s0, GLOBAL const void *s1, GLOBAL const void *s2, GLOBAL const void *s3,\n"
    "GLOBAL const void *s4, GLOBAL const void *s5, i32 flag, i64 count)\n"
    "{ EACH(i, count) { weir_train t; t.slots[0] = a + i; t.slots[1] = b + i; t.slots[2] = c + i;\n"
    "t.slots[3] = d + i; t.grad = grad + i; t.scalars[0] = s0; t.scalars[1] = s1;\n"
    "t.scalars[2] = s2; t.scalars[3] = s3; t.scalars[4] = s4; t.scalars[5] = s5;\n"
    "t.flag = flag != 0; ";

/* The same for up to WEIR_GPU_MEMBERS variables, each with groups of its own. */
static const char many_head[] = "\nKERNEL train_many(";
static const char many_member[] =
    "GLOBAL S *a%d, GLOBAL S *b%d, GLOBAL S *c%d, GLOBAL S *d%d, GLOBAL const GRAD_S *grad%d,\n";
static const char many_kernel[] =
    "GLOBAL const void *s0, GLOBAL const void *s1, GLOBAL const void *s2, GLOBAL const void *s3,\n"
    "GLOBAL const void *s4, GLOBAL const void *s5, i32 flag, i64 n0, i64 n1, i64 n2, i64 n3, i64 "
    "n4)\n"
    "{ weir_train t; t.scalars[0] = s0; t.scalars[1] = s1; t.scalars[2] = s2; t.scalars[3] = s3;\n"
    "t.scalars[4] = s4; t.scalars[5] = s5; t.flag = flag != 0;\n"
    "for (i64 group = GROUP;; group += GROUPS) { i64 at = group, i;\n";
static const char many_choice[] =
    "if (at < (n%d + LANES - 1) / LANES) { i = at * LANES + LANE; if (i >= n%d) continue;\n"
    "t.slots[0] = a%d + i; t.slots[1] = b%d + i; t.slots[2] = c%d + i; t.slots[3] = d%d + i;\n"
    "t.grad = grad%d + i; } else { at -= (n%d + LANES - 1) / LANES;\n";

/* The same for indexed rows: the work item of the first row of an index processes all of its rows,
 * in order. */
static const char rows_kernel[] =
    "#define ROW(k) index_at(indices, kind, k)\n"
    "KERNEL train_rows(GLOBAL S *a, GLOBAL S *b, GLOBAL S *c, GLOBAL S *d, GLOBAL const GRAD_S "
    "*grad,\n"
    "GLOBAL const void *s0, GLOBAL const void *s1, GLOBAL const void *s2, GLOBAL const void *s3,\n"
    "GLOBAL const void *s4, GLOBAL const void *s5, i32 flag, GLOBAL const void *indices, i32 "
    "kind,\n"
    "i64 count, i64 run, i64 limit)\n"
    "{ EACH(i, count * run) { const i64 k = i / run, e = i % run, row = ROW(k);\n"
    "bool first = row >= 0 && row < limit;\n"
    "for (i64 j = 0; j < k && first; j++) first = ROW(j) != row;\n"
    "for (i64 j = k; j < count && first; j++) { if (ROW(j) != row) continue;\n"
    "const i64 at = row * run + e; weir_train t; t.slots[0] = a + at; t.slots[1] = b + at;\n"
    "t.slots[2] = c + at; t.slots[3] = d + at; t.grad = grad + j * run + e;\n"
    "t.scalars[0] = s0; t.scalars[1] = s1; t.scalars[2] = s2; t.scalars[3] = s3;\n"
    "t.scalars[4] = s4; t.scalars[5] = s5; t.flag = flag != 0; ";

static void add_rule_head(weir_elem elem, weir_elem grad, weir_buf *buf)
{
    const types *types = &table[elem];
    weir_buf_adds(buf, weir_gpu_prelude);
    weir_buf_addf(buf, "typedef %s S;\ntypedef %s W;\n", types->memory, types->wide);
    weir_buf_addf(buf, "#define LOAD(v) %s(v)\n#define STORE(v) %s(v)\n", types->load,
                  types->store);
    weir_buf_addf(buf, "typedef %s GRAD_S;\n#define LOAD_GRAD(v) %s(v)\n", table[grad].memory,
                  table[grad].load);
    weir_buf_adds(buf, rule_head);
    weir_buf_adds(buf, weir_gpu_rules);
}

static void add_rule(int rule, weir_buf *buf)
{
    weir_buf_adds(buf, rule_kernel);
    weir_buf_addf(buf, "rule_%s(&t, 1); } }\n", rule_names[rule]);
    weir_buf_adds(buf, rows_kernel);
    weir_buf_addf(buf, "rule_%s(&t, 1); } } }\n", rule_names[rule]);
}

static void add_many(int rule, weir_buf *buf)
{
    weir_buf_adds(buf, many_head);
    for (int k = 0; k < WEIR_GPU_MEMBERS; k++)
        weir_buf_addf(buf, many_member, k, k, k, k, k);
    weir_buf_adds(buf, many_kernel);
    for (int k = 0; k < WEIR_GPU_MEMBERS; k++)
        weir_buf_addf(buf, many_choice, k, k, k, k, k, k, k, k);
    weir_buf_adds(buf, "return;");
    for (int k = 0; k < WEIR_GPU_MEMBERS; k++)
        weir_buf_adds(buf, " }");
    weir_buf_addf(buf, "\nrule_%s(&t, 1); } }\n", rule_names[rule]);
}

void weir_gpu_text_rule(int rule, weir_elem elem, weir_elem grad, weir_buf *buf)
{
    add_rule_head(elem, grad, buf);
    add_rule(rule, buf);
    add_many(rule, buf);
}

void weir_gpu_text_rules(weir_elem elem, weir_buf *buf)
{
    add_rule_head(elem, elem, buf);
    for (int rule = 0; rule < WEIR_TRAIN_RULES; rule++) {
        weir_buf_addf(buf,
                      "#define train_run train_run_%s\n#define train_rows train_rows_%s\n"
                      "#define train_many train_many_%s\n",
                      rule_names[rule], rule_names[rule], rule_names[rule]);
        add_rule(rule, buf);
        add_many(rule, buf);
        weir_buf_adds(buf, "#undef train_run\n#undef train_rows\n#undef train_many\n#undef ROW\n");
    }
}
