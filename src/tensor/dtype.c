/* tensor/dtype.c - one row per element type. */
#include "tensor/dtype.h"

enum { PLAIN = 1, FLOATING = 2, COMPLEX = 4, INTEGER = 8 };

typedef struct row {
    const char *name, *enum_name, *ref_name, *ref_enum;
    uint8_t flags;
} row;

#define ROW(id, name, flags) [WEIR_##id] = {name, "DT_" #id, name "_ref", "DT_" #id "_REF", flags}

static const row rows[WEIR_DTYPE_COUNT] = {
    ROW(FLOAT, "float", PLAIN | FLOATING),
    ROW(DOUBLE, "double", PLAIN | FLOATING),
    ROW(INT32, "int32", PLAIN | INTEGER),
    ROW(UINT8, "uint8", PLAIN | INTEGER),
    ROW(INT16, "int16", PLAIN | INTEGER),
    ROW(INT8, "int8", PLAIN | INTEGER),
    ROW(STRING, "string", 0),
    ROW(COMPLEX64, "complex64", PLAIN | COMPLEX),
    ROW(INT64, "int64", PLAIN | INTEGER),
    ROW(BOOL, "bool", PLAIN),
    ROW(QINT8, "qint8", PLAIN),
    ROW(QUINT8, "quint8", PLAIN),
    ROW(QINT32, "qint32", PLAIN),
    ROW(BFLOAT16, "bfloat16", PLAIN | FLOATING),
    ROW(QINT16, "qint16", PLAIN),
    ROW(QUINT16, "quint16", PLAIN),
    ROW(UINT16, "uint16", PLAIN | INTEGER),
    ROW(COMPLEX128, "complex128", PLAIN | COMPLEX),
    ROW(HALF, "half", PLAIN | FLOATING),
    ROW(RESOURCE, "resource", 0),
    ROW(VARIANT, "variant", 0),
    ROW(UINT32, "uint32", PLAIN | INTEGER),
    ROW(UINT64, "uint64", PLAIN | INTEGER),
    ROW(FLOAT8_E5M2, "float8_e5m2", PLAIN),
    ROW(FLOAT8_E4M3FN, "float8_e4m3fn", PLAIN),
    ROW(FLOAT8_E4M3FNUZ, "float8_e4m3fnuz", PLAIN),
    ROW(FLOAT8_E4M3B11FNUZ, "float8_e4m3b11fnuz", PLAIN),
    ROW(FLOAT8_E5M2FNUZ, "float8_e5m2fnuz", PLAIN),
    ROW(INT4, "int4", PLAIN),
    ROW(UINT4, "uint4", PLAIN),
    ROW(INT2, "int2", PLAIN),
    ROW(UINT2, "uint2", PLAIN),
    ROW(FLOAT4_E2M1FN, "float4_e2m1fn", PLAIN),
};

const uint8_t weir_dtype_sizes[WEIR_DTYPE_COUNT] = {
    [WEIR_FLOAT] = 4,
    [WEIR_DOUBLE] = 8,
    [WEIR_INT32] = 4,
    [WEIR_UINT8] = 1,
    [WEIR_INT16] = 2,
    [WEIR_INT8] = 1,
    [WEIR_STRING] = 24,
    [WEIR_COMPLEX64] = 8,
    [WEIR_INT64] = 8,
    [WEIR_BOOL] = 1,
    [WEIR_QINT8] = 1,
    [WEIR_QUINT8] = 1,
    [WEIR_QINT32] = 4,
    [WEIR_BFLOAT16] = 2,
    [WEIR_QINT16] = 2,
    [WEIR_QUINT16] = 2,
    [WEIR_UINT16] = 2,
    [WEIR_COMPLEX128] = 16,
    [WEIR_HALF] = 2,
    [WEIR_RESOURCE] = 8,
    [WEIR_VARIANT] = 8,
    [WEIR_UINT32] = 4,
    [WEIR_UINT64] = 8,
    [WEIR_FLOAT8_E5M2] = 1,
    [WEIR_FLOAT8_E4M3FN] = 1,
    [WEIR_FLOAT8_E4M3FNUZ] = 1,
    [WEIR_FLOAT8_E4M3B11FNUZ] = 1,
    [WEIR_FLOAT8_E5M2FNUZ] = 1,
    [WEIR_INT4] = 1,
    [WEIR_UINT4] = 1,
    [WEIR_INT2] = 1,
    [WEIR_UINT2] = 1,
    [WEIR_FLOAT4_E2M1FN] = 1,
};

size_t weir_dtype_wire_size(weir_dtype dtype)
{
    return weir_dtype_valid(dtype) && rows[dtype].flags & PLAIN ? weir_dtype_sizes[dtype] : 0;
}

static bool has(weir_dtype dtype, int flag)
{
    return weir_dtype_valid(dtype) && rows[dtype].flags & flag;
}

bool weir_dtype_is_plain(weir_dtype dtype)
{
    return has(dtype, PLAIN);
}

bool weir_dtype_is_float(weir_dtype dtype)
{
    return has(dtype, FLOATING);
}

bool weir_dtype_is_complex(weir_dtype dtype)
{
    return has(dtype, COMPLEX);
}

bool weir_dtype_is_int(weir_dtype dtype)
{
    return has(dtype, INTEGER);
}

const char *weir_dtype_name(int t)
{
    int base = weir_dtype_base(t);
    if (!weir_dtype_valid(base))
        return "invalid";
    return weir_dtype_is_ref(t) ? rows[base].ref_name : rows[base].name;
}

const char *weir_dtype_enum(int t)
{
    int base = weir_dtype_base(t);
    if (!weir_dtype_valid(base))
        return "DT_INVALID";
    return weir_dtype_is_ref(t) ? rows[base].ref_enum : rows[base].enum_name;
}

int weir_dtype_parse(weir_str name)
{
    for (int t = 1; t < WEIR_DTYPE_COUNT; t++) {
        if (weir_str_is(name, rows[t].name) || weir_str_is(name, rows[t].enum_name))
            return t;
        if (weir_str_is(name, rows[t].ref_name) || weir_str_is(name, rows[t].ref_enum))
            return t + WEIR_REF_OFFSET;
    }
    static const struct {
        const char *name;
        weir_dtype dtype;
    } aliases[] = {{"float32", WEIR_FLOAT}, {"float64", WEIR_DOUBLE}, {"float16", WEIR_HALF}};
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (weir_str_is(name, aliases[i].name))
            return aliases[i].dtype;
    return 0;
}
