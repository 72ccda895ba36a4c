/* op/opdef.c - parses signatures: a scanner and one function per rule.
 *
 *   args   = [arg {";" arg}]          arg  = name ":" [number "*"] type
 *   type   = "Ref(" type ")" | attr name | dtype
 *   attrs  = [attr {";" attr}]        attr = name ":" kind [">=" int] ["=" value]
 *   kind   = "list(" kind ")" | "{" names "}" | string int float bool type shape tensor func
 *          | numbertype realnumbertype quantizedtype
 *
 * Most signatures are those of ops/; others come from plug-in libraries and may be malformed.
 */
#include "op/opdef.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct scan {
    const char *at;
    weir_arena *arena;
    const char *op;
    weir_status error; /* the first one */
} scan;

static void fail(scan *scan, const char *expected)
{
    if (!scan->error)
        scan->error =
            weir_error(WEIR_INVALID_ARGUMENT, "signature of op %s: expected %s at '%.40s'",
                       scan->op, expected, scan->at);
}

static void spaces(scan *scan)
{
    while (isspace((unsigned char)*scan->at))
        scan->at++;
}

static bool accept(scan *scan, const char *token)
{
    spaces(scan);
    size_t length = strlen(token);
    if (strncmp(scan->at, token, length) != 0)
        return false;
    scan->at += length;
    return true;
}

static void expect(scan *scan, const char *token)
{
    if (!accept(scan, token))
        fail(scan, token);
}

static weir_str word(scan *scan)
{
    spaces(scan);
    const char *start = scan->at;
    while (isalnum((unsigned char)*scan->at) || *scan->at == '_' || *scan->at == '.')
        scan->at++;
    if (scan->at == start)
        fail(scan, "a name");
    return (weir_str){start, (size_t)(scan->at - start)};
}

static const char *keep(scan *scan, weir_str word)
{
    return weir_arena_strndup(scan->arena, word.at, word.length);
}

/* The number of pieces separated by ';'. */
static int pieces(const char *text)
{
    if (!text || !*text)
        return 0;
    int count = 1;
    char quote = 0;
    for (const char *cursor = text; *cursor; cursor++) {
        if (quote)
            quote = *cursor == quote ? 0 : quote;
        else if (*cursor == '\'' || *cursor == '"')
            quote = *cursor;
        else if (*cursor == ';')
            count++;
    }
    return count;
}

static int find_attr(const weir_attrdef *attrs, int count, weir_str name)
{
    for (int i = 0; i < count; i++)
        if (weir_str_is(name, attrs[i].name))
            return i;
    return -1;
}

int weir_opdef_attr(const weir_opdef *def, const char *name)
{
    return find_attr(def->attrs, def->attr_count, weir_str_of(name));
}

static void parse_arg(scan *scan, const weir_attrdef *attrs, int attr_count, weir_argdef *out)
{
    *out = (weir_argdef){.type_attr = -1, .number_attr = -1, .type_list_attr = -1};
    out->name = keep(scan, word(scan));
    expect(scan, ":");
    bool ref = accept(scan, "Ref(");
    weir_str type = word(scan);
    if (accept(scan, "*")) {
        out->number_attr = (int16_t)find_attr(attrs, attr_count, type);
        if (out->number_attr < 0)
            fail(scan, "a number attr");
        ref = accept(scan, "Ref(");
        type = word(scan);
    }
    if (ref)
        expect(scan, ")");
    out->is_ref = ref;
    int attr = find_attr(attrs, attr_count, type);
    if (attr < 0)
        out->dtype = weir_dtype_parse(type);
    else if (attrs[attr].is_list)
        out->type_list_attr = (int16_t)attr;
    else
        out->type_attr = (int16_t)attr;
    if (attr < 0 && !out->dtype)
        fail(scan, "a type");
}

static void end_of_text(scan *scan)
{
    if (!scan->at)
        return;
    spaces(scan);
    if (*scan->at)
        fail(scan, "the end");
}

static const weir_argdef *parse_args(scan *scan, const char *text, const weir_attrdef *attrs,
                                     int attr_count, int *out_count)
{
    int count = *out_count = pieces(text);
    weir_argdef *args = WEIR_ARENA_ARRAY(scan->arena, weir_argdef, count);
    scan->at = text;
    for (int i = 0; i < count; i++) {
        if (i)
            expect(scan, ";");
        parse_arg(scan, attrs, attr_count, &args[i]);
    }
    end_of_text(scan);
    return args;
}

static weir_str quoted(scan *scan)
{
    spaces(scan);
    char q = *scan->at;
    if (q != '\'' && q != '"') {
        fail(scan, "a string");
        return (weir_str){0};
    }
    const char *start = ++scan->at;
    while (*scan->at && *scan->at != q)
        scan->at++;
    weir_str word = {start, (size_t)(scan->at - start)};
    if (*scan->at)
        scan->at++;
    else
        fail(scan, "the end of a string");
    word.at = keep(scan, word);
    return word;
}

/* Runs |one| over "a, b, c" up to |close|, and returns their number. Elements are stored in |into|
 * of |size|. */
static int each(scan *s, const char *close, void (*one)(scan *s, void *to), void *into, size_t size,
                int room)
{
    int count = 0;
    while (!s->error && !accept(s, close)) {
        if (count)
            expect(s, ",");
        if (count == room) {
            fail(s, "fewer elements");
            break;
        }
        one(s, (char *)into + size * (size_t)count++);
    }
    return count;
}

static void one_type(scan *scan, void *to)
{
    int t = weir_dtype_parse(word(scan));
    if (!t)
        fail(scan, "a type");
    *(int32_t *)to = t;
}

static void one_string(scan *scan, void *to)
{
    *(weir_str *)to = quoted(scan);
}

static void one_int(scan *scan, void *to)
{
    spaces(scan);
    char *end;
    *(int64_t *)to = strtoll(scan->at, &end, 10);
    if (end == scan->at)
        fail(scan, "an integer");
    scan->at = end;
}

static void one_float(scan *scan, void *to)
{
    spaces(scan);
    char *end;
    *(float *)to = (float)strtod(scan->at, &end);
    if (end == scan->at)
        fail(scan, "a number");
    scan->at = end;
}

static void one_bool(scan *scan, void *to)
{
    weir_str text = word(scan);
    *(bool *)to = weir_str_is(text, "true");
    if (!weir_str_is(text, "true") && !weir_str_is(text, "false"))
        fail(scan, "true or false");
}

/* "{ unknown_rank: true }", "{ dim { size: 2 } dim { size: -1 } }": TensorShapeProto as text. */
static void shape_message(scan *scan, weir_shape *shape)
{
    *shape = WEIR_SCALAR;
    if (accept(scan, "unknown_rank")) {
        expect(scan, ":");
        expect(scan, "true");
        *shape = WEIR_UNKNOWN_SHAPE;
    }
    while (!scan->error && shape->rank < WEIR_MAX_RANK && accept(scan, "dim")) {
        accept(scan, ":");
        expect(scan, "{");
        expect(scan, "size");
        expect(scan, ":");
        one_int(scan, &shape->dims[shape->rank++]);
        expect(scan, "}");
    }
    expect(scan, "}");
}

static void one_shape(scan *scan, void *to)
{
    weir_shape *shape = to;
    if (accept(scan, "unknown")) {
        *shape = WEIR_UNKNOWN_SHAPE;
        return;
    }
    if (accept(scan, "{")) {
        shape_message(scan, shape);
        return;
    }
    expect(scan, "[");
    *shape = WEIR_SCALAR;
    shape->rank = each(scan, "]", one_int, shape->dims, sizeof(int64_t), WEIR_MAX_RANK);
}

static void one_func(scan *scan, void *to)
{
    expect(scan, "{");
    expect(scan, "}");
    *(weir_func *)to = (weir_func){.name = ""};
}

static void release_tensor(void *arg)
{
    weir_tensor_release(arg);
}

/* "uint8[255,0,0,255]": a vector of bytes, the only tensor that is a default value. */
static void one_tensor(scan *scan, void *to)
{
    enum { MOST = 16 };
    int64_t values[MOST];
    expect(scan, "uint8[");
    weir_shape shape = weir_shape_vector(each(scan, "]", one_int, values, sizeof *values, MOST));
    uint8_t bytes[MOST];
    for (int64_t i = 0; i < shape.dims[0]; i++)
        bytes[i] = (uint8_t)values[i];
    *(weir_tensor *)to = weir_tensor_from(WEIR_UINT8, &shape, bytes);
    weir_arena_defer(scan->arena, release_tensor, to);
}

static const struct kind {
    const char *name;
    uint8_t kind;
    uint8_t size;
    void (*one)(scan *scan, void *to);
} kinds[] = {
    {"string", WEIR_ATTR_STRING, sizeof(weir_str), one_string},
    {"int", WEIR_ATTR_INT, sizeof(int64_t), one_int},
    {"float", WEIR_ATTR_FLOAT, sizeof(float), one_float},
    {"bool", WEIR_ATTR_BOOL, sizeof(bool), one_bool},
    {"type", WEIR_ATTR_TYPE, sizeof(int32_t), one_type},
    {"shape", WEIR_ATTR_SHAPE, sizeof(weir_shape), one_shape},
    {"tensor", WEIR_ATTR_TENSOR, sizeof(weir_tensor), one_tensor},
    {"func", WEIR_ATTR_FUNC, sizeof(weir_func), one_func},
};

static const struct kind *kind_of(int kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].kind == kind)
            return &kinds[i];
    return NULL;
}

enum { LONGEST_LIST = 64 };

static weir_attr parse_list(scan *scan, int kind, const char *close)
{
    const struct kind *k = kind_of(kind);
    weir_attr attr = {.kind = (uint8_t)kind, .is_list = true};
    char *scratch = weir_arena_alloc(scan->arena, (size_t)k->size * LONGEST_LIST);
    attr.count = each(scan, close, k->one, scratch, k->size, LONGEST_LIST);
    attr.is = (const int64_t *)(void *)scratch; /* all list members share the same pointer field */
    return attr;
}

static weir_attr parse_value(scan *scan, const weir_attrdef *def)
{
    const struct kind *kind = kind_of(def->kind);
    if (!kind) /* unknown kind */
        return (weir_attr){0};
    if (def->is_list) {
        expect(scan, "[");
        return parse_list(scan, def->kind, "]");
    }
    weir_attr attr = {.kind = def->kind};
    void *one = weir_arena_zalloc(scan->arena, kind->size);
    kind->one(scan, one);
    switch (def->kind) {
    case WEIR_ATTR_SHAPE:
        attr.shape = one;
        break;
    case WEIR_ATTR_FUNC:
        attr.func = one;
        break;
    case WEIR_ATTR_TENSOR:
        attr.tensor = one;
        break;
    default:
        memcpy(&attr.s, one, kind->size);
    }
    return attr;
}

/* Names of sets of types. */
static const struct types_word {
    const char *name;
    int32_t types[16];
} types_words[] = {
    {"numbertype",
     {WEIR_FLOAT, WEIR_DOUBLE, WEIR_INT32, WEIR_UINT8, WEIR_INT16, WEIR_INT8, WEIR_COMPLEX64,
      WEIR_INT64, WEIR_QINT8, WEIR_QUINT8, WEIR_QINT32, WEIR_BFLOAT16, WEIR_UINT16, WEIR_COMPLEX128,
      WEIR_HALF}},
    {"realnumbertype",
     {WEIR_FLOAT, WEIR_DOUBLE, WEIR_INT32, WEIR_UINT8, WEIR_INT16, WEIR_INT8, WEIR_INT64,
      WEIR_BFLOAT16, WEIR_UINT16, WEIR_HALF, WEIR_UINT32, WEIR_UINT64}},
    {"quantizedtype", {WEIR_QINT8, WEIR_QUINT8, WEIR_QINT32, WEIR_QINT16, WEIR_QUINT16}},
};

static const struct types_word *find_types(weir_str name)
{
    for (size_t i = 0; i < sizeof types_words / sizeof *types_words; i++)
        if (weir_str_is(name, types_words[i].name))
            return &types_words[i];
    return NULL;
}

static int add_types(weir_str name, int32_t *types, int count)
{
    const struct types_word *word = find_types(name);
    for (int i = 0; word && i < 16 && word->types[i]; i++)
        types[count++] = word->types[i];
    int one = word ? 0 : weir_dtype_parse(name);
    if (one)
        types[count++] = one;
    return count;
}

/* "int32, realnumbertype}": an attr's allowed values. */
static weir_attr parse_allowed_types(scan *scan)
{
    int32_t *types = WEIR_ARENA_ARRAY(scan->arena, int32_t, LONGEST_LIST + 16);
    int count = 0;
    while (!scan->error && !accept(scan, "}")) {
        if (count)
            expect(scan, ",");
        int before = count;
        count = add_types(word(scan), types, count);
        if (count == before || count > LONGEST_LIST)
            fail(scan, "a type");
    }
    return (weir_attr){.kind = WEIR_ATTR_TYPE, .is_list = true, .count = count, .types = types};
}

static bool kind_of_types(scan *scan, weir_str name, weir_attrdef *def)
{
    if (!find_types(name))
        return false;
    int32_t *types = WEIR_ARENA_ARRAY(scan->arena, int32_t, 16);
    int count = add_types(name, types, 0);
    def->kind = WEIR_ATTR_TYPE;
    def->allowed =
        (weir_attr){.kind = WEIR_ATTR_TYPE, .is_list = true, .count = count, .types = types};
    return true;
}

static void parse_kind(scan *scan, weir_attrdef *def)
{
    if (accept(scan, "list(")) {
        def->is_list = true;
        parse_kind(scan, def);
        expect(scan, ")");
        return;
    }
    if (accept(scan, "{")) {
        spaces(scan);
        bool strings = *scan->at == '\'' || *scan->at == '"';
        def->kind = strings ? WEIR_ATTR_STRING : WEIR_ATTR_TYPE;
        def->allowed = strings ? parse_list(scan, def->kind, "}") : parse_allowed_types(scan);
        return;
    }
    weir_str name = word(scan);
    if (kind_of_types(scan, name, def))
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (weir_str_is(name, kinds[i].name))
            def->kind = kinds[i].kind;
    if (!def->kind)
        fail(scan, "a kind of attr");
}

static void parse_attr(scan *scan, weir_attrdef *def)
{
    def->name = keep(scan, word(scan));
    expect(scan, ":");
    parse_kind(scan, def);
    if (accept(scan, ">=")) {
        def->has_min = true;
        one_int(scan, &def->min);
    }
    if (accept(scan, "=")) {
        def->has_default = true;
        def->otherwise = parse_value(scan, def);
    }
}

static void length_minimum(weir_attrdef *attr)
{
    if (!attr->has_min)
        attr->min = 1;
    attr->has_min = true;
}

/* An argument's repeat count is at least 1, unless specified otherwise. */
static void length_minimums(const weir_opdef *def, weir_attrdef *attrs)
{
    for (int i = 0; i < def->in_count + def->out_count; i++) {
        const weir_argdef *arg = i < def->in_count ? &def->in[i] : &def->out[i - def->in_count];
        if (arg->number_attr >= 0)
            length_minimum(&attrs[arg->number_attr]);
        if (arg->type_list_attr >= 0)
            length_minimum(&attrs[arg->type_list_attr]);
    }
}

weir_status weir_opdef_parse(weir_arena *arena, const char *name, const char *in, const char *out,
                             const char *attrs, weir_opdef *out_def)
{
    scan scan = {.arena = arena, .op = name};
    weir_opdef def = {.name = name, .attr_count = pieces(attrs)};
    weir_attrdef *defs = WEIR_ARENA_ARRAY(arena, weir_attrdef, def.attr_count);
    scan.at = attrs;
    for (int i = 0; i < def.attr_count && !scan.error; i++) {
        if (i)
            expect(&scan, ";");
        parse_attr(&scan, &defs[i]);
    }
    def.attrs = defs;
    end_of_text(&scan);
    if (!scan.error)
        def.in = parse_args(&scan, in, defs, def.attr_count, &def.in_count);
    if (!scan.error)
        def.out = parse_args(&scan, out, defs, def.attr_count, &def.out_count);
    if (!scan.error)
        length_minimums(&def, defs);
    if (scan.error)
        return scan.error;
    *out_def = def;
    return WEIR_OK;
}

/* Arguments belong to the parser until it returns the definition, so they may be changed here. */
static bool mark_host(const weir_argdef *args, int count, weir_str name)
{
    bool found = false;
    for (int i = 0; i < count; i++)
        if (weir_str_is(name, args[i].name))
            found = ((weir_argdef *)args)[i].host = true;
    return found;
}

bool weir_opdef_mark_host(weir_opdef *def, const char *names)
{
    bool known = true;
    while (names && *names) {
        weir_str name = {names, strcspn(names, "; ")};
        known &=
            mark_host(def->in, def->in_count, name) || mark_host(def->out, def->out_count, name);
        names += name.length;
        names += strspn(names, "; ");
    }
    return known;
}
