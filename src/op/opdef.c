/* op/opdef.c - signatures out of text: a scanner and one function per rule.
 *
 *   args   = [arg {";" arg}]          arg  = name ":" [number "*"] type
 *   type   = "Ref(" type ")" | attr name | dtype
 *   attrs  = [attr {";" attr}]        attr = name ":" kind [">=" int] ["=" value]
 *   kind   = "list(" kind ")" | "{" names "}" | string int float bool type shape tensor func
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

static void fail(scan *s, const char *expected)
{
    if (!s->error)
        s->error = weir_error(WEIR_INTERNAL, "signature of op %s: expected %s at '%.40s'", s->op,
                              expected, s->at);
}

static void spaces(scan *s)
{
    while (*s->at == ' ')
        s->at++;
}

static bool accept(scan *s, const char *token)
{
    spaces(s);
    size_t n = strlen(token);
    if (strncmp(s->at, token, n) != 0)
        return false;
    s->at += n;
    return true;
}

static void expect(scan *s, const char *token)
{
    if (!accept(s, token))
        fail(s, token);
}

static weir_str word(scan *s)
{
    spaces(s);
    const char *start = s->at;
    while (isalnum((unsigned char)*s->at) || *s->at == '_' || *s->at == '.')
        s->at++;
    if (s->at == start)
        fail(s, "a name");
    return (weir_str){start, (size_t)(s->at - start)};
}

static const char *keep(scan *s, weir_str w)
{
    return weir_arena_strndup(s->arena, w.at, w.length);
}

/* Separated by ';': how many pieces there are. */
static int pieces(const char *text)
{
    if (!text || !*text)
        return 0;
    int n = 1;
    char quote = 0;
    for (const char *p = text; *p; p++) {
        if (quote)
            quote = *p == quote ? 0 : quote;
        else if (*p == '\'' || *p == '"')
            quote = *p;
        else if (*p == ';')
            n++;
    }
    return n;
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

static void parse_arg(scan *s, const weir_attrdef *attrs, int attr_count, weir_argdef *out)
{
    *out = (weir_argdef){.type_attr = -1, .number_attr = -1, .type_list_attr = -1};
    out->name = keep(s, word(s));
    expect(s, ":");
    bool ref = accept(s, "Ref(");
    weir_str type = word(s);
    if (accept(s, "*")) {
        out->number_attr = (int16_t)find_attr(attrs, attr_count, type);
        if (out->number_attr < 0)
            fail(s, "a number attr");
        ref = accept(s, "Ref(");
        type = word(s);
    }
    if (ref)
        expect(s, ")");
    out->is_ref = ref;
    int attr = find_attr(attrs, attr_count, type);
    if (attr < 0)
        out->dtype = weir_dtype_parse(type);
    else if (attrs[attr].is_list)
        out->type_list_attr = (int16_t)attr;
    else
        out->type_attr = (int16_t)attr;
    if (attr < 0 && !out->dtype)
        fail(s, "a type");
}

static const weir_argdef *parse_args(scan *s, const char *text, const weir_attrdef *attrs,
                                     int attr_count, int *out_count)
{
    int n = *out_count = pieces(text);
    weir_argdef *args = WEIR_ARENA_ARRAY(s->arena, weir_argdef, n);
    s->at = text;
    for (int i = 0; i < n; i++) {
        if (i)
            expect(s, ";");
        parse_arg(s, attrs, attr_count, &args[i]);
    }
    return args;
}

static weir_str quoted(scan *s)
{
    spaces(s);
    char q = *s->at;
    if (q != '\'' && q != '"') {
        fail(s, "a string");
        return (weir_str){0};
    }
    const char *start = ++s->at;
    while (*s->at && *s->at != q)
        s->at++;
    weir_str w = {start, (size_t)(s->at - start)};
    if (*s->at)
        s->at++;
    w.at = keep(s, w);
    return w;
}

/* Runs |one| over "a, b, c" up to |close|, and returns how many. Elements go to |into| of |size|.
 */
static int each(scan *s, const char *close, void (*one)(scan *s, void *to), void *into, size_t size,
                int room)
{
    int n = 0;
    while (!s->error && !accept(s, close)) {
        if (n)
            expect(s, ",");
        if (n == room) {
            fail(s, "fewer elements");
            break;
        }
        one(s, (char *)into + size * (size_t)n++);
    }
    return n;
}

static void one_type(scan *s, void *to)
{
    int t = weir_dtype_parse(word(s));
    if (!t)
        fail(s, "a type");
    *(int32_t *)to = t;
}

static void one_string(scan *s, void *to)
{
    *(weir_str *)to = quoted(s);
}

static void one_int(scan *s, void *to)
{
    spaces(s);
    char *end;
    *(int64_t *)to = strtoll(s->at, &end, 10);
    if (end == s->at)
        fail(s, "an integer");
    s->at = end;
}

static void one_float(scan *s, void *to)
{
    spaces(s);
    char *end;
    *(float *)to = (float)strtod(s->at, &end);
    if (end == s->at)
        fail(s, "a number");
    s->at = end;
}

static void one_bool(scan *s, void *to)
{
    weir_str w = word(s);
    *(bool *)to = weir_str_is(w, "true");
}

static void one_shape(scan *s, void *to)
{
    weir_shape *shape = to;
    if (accept(s, "unknown")) {
        *shape = WEIR_UNKNOWN_SHAPE;
        return;
    }
    expect(s, "[");
    *shape = WEIR_SCALAR;
    shape->rank = each(s, "]", one_int, shape->dims, sizeof(int64_t), WEIR_MAX_RANK);
}

static void one_func(scan *s, void *to)
{
    expect(s, "{");
    expect(s, "}");
    *(weir_func *)to = (weir_func){.name = ""};
}

static void release_tensor(void *t)
{
    weir_tensor_release(t);
}

/* "uint8[255,0,0,255]": a vector of bytes, the only kind of tensor that is a default. */
static void one_tensor(scan *s, void *to)
{
    enum { MOST = 16 };
    int64_t values[MOST];
    expect(s, "uint8[");
    weir_shape shape = weir_shape_vector(each(s, "]", one_int, values, sizeof *values, MOST));
    uint8_t bytes[MOST];
    for (int64_t i = 0; i < shape.dims[0]; i++)
        bytes[i] = (uint8_t)values[i];
    *(weir_tensor *)to = weir_tensor_from(WEIR_UINT8, &shape, bytes);
    weir_arena_defer(s->arena, release_tensor, to);
}

static const struct kind {
    const char *name;
    uint8_t kind;
    uint8_t size;
    void (*one)(scan *s, void *to);
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

static weir_attr parse_list(scan *s, int kind, const char *close)
{
    const struct kind *k = kind_of(kind);
    weir_attr a = {.kind = (uint8_t)kind, .is_list = true};
    char *scratch = weir_arena_alloc(s->arena, (size_t)k->size * LONGEST_LIST);
    a.count = each(s, close, k->one, scratch, k->size, LONGEST_LIST);
    a.is = (const int64_t *)(void *)scratch; /* all list members share the pointer's place */
    return a;
}

static weir_attr parse_value(scan *s, const weir_attrdef *def)
{
    const struct kind *k = kind_of(def->kind);
    if (def->is_list) {
        expect(s, "[");
        return parse_list(s, def->kind, "]");
    }
    weir_attr a = {.kind = def->kind};
    void *one = weir_arena_zalloc(s->arena, k->size);
    k->one(s, one);
    switch (def->kind) {
    case WEIR_ATTR_SHAPE:
        a.shape = one;
        break;
    case WEIR_ATTR_FUNC:
        a.func = one;
        break;
    case WEIR_ATTR_TENSOR:
        a.tensor = one;
        break;
    default:
        memcpy(&a.s, one, k->size);
    }
    return a;
}

static void parse_kind(scan *s, weir_attrdef *def)
{
    if (accept(s, "list(")) {
        def->is_list = true;
        parse_kind(s, def);
        expect(s, ")");
        return;
    }
    if (accept(s, "{")) {
        spaces(s);
        def->kind = *s->at == '\'' ? WEIR_ATTR_STRING : WEIR_ATTR_TYPE;
        def->allowed = parse_list(s, def->kind, "}");
        return;
    }
    weir_str name = word(s);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (weir_str_is(name, kinds[i].name))
            def->kind = kinds[i].kind;
    if (!def->kind)
        fail(s, "a kind of attr");
}

static void parse_attr(scan *s, weir_attrdef *def)
{
    def->name = keep(s, word(s));
    expect(s, ":");
    parse_kind(s, def);
    if (accept(s, ">=")) {
        def->has_min = true;
        one_int(s, &def->min);
    }
    if (accept(s, "=")) {
        def->has_default = true;
        def->otherwise = parse_value(s, def);
    }
}

weir_status weir_opdef_parse(weir_arena *arena, const char *name, const char *in, const char *out,
                             const char *attrs, weir_opdef *out_def)
{
    scan s = {.arena = arena, .op = name};
    weir_opdef def = {.name = name, .attr_count = pieces(attrs)};
    weir_attrdef *defs = WEIR_ARENA_ARRAY(arena, weir_attrdef, def.attr_count);
    s.at = attrs;
    for (int i = 0; i < def.attr_count && !s.error; i++) {
        if (i)
            expect(&s, ";");
        parse_attr(&s, &defs[i]);
    }
    def.attrs = defs;
    if (!s.error)
        def.in = parse_args(&s, in, defs, def.attr_count, &def.in_count);
    if (!s.error)
        def.out = parse_args(&s, out, defs, def.attr_count, &def.out_count);
    if (s.error)
        return s.error;
    *out_def = def;
    return WEIR_OK;
}

/* Arguments are the parser's until their definition is handed out, so they may be changed here. */
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
