/* ops/string/hash.c - StringToHashBucket in three strengths, and Fingerprint. */
#include "base/fingerprint.h"
#include "ops/declare.h"
#include "ops/string/string_impl.h"

enum { NUM_BUCKETS, KEY };

static weir_status hash_all(weir_call *call, uint64_t (*hash)(const void *arg, weir_str s),
                            const void *arg)
{
    const weir_tensor *in = weir_in(call, 0);
    uint64_t buckets = (uint64_t)weir_site_int(call->site, NUM_BUCKETS);
    int64_t *out = weir_out(call, 0)->data;
    for (int64_t i = 0; i < weir_tensor_count(in); i++)
        out[i] = (int64_t)(hash(arg, weir_str_at(in, i)) % buckets);
    return WEIR_OK;
}

static uint64_t murmur(const void *arg, weir_str text)
{
    return weir_murmur64(text);
}

static uint64_t farm(const void *arg, weir_str text)
{
    return weir_fingerprint64(text);
}

static uint64_t sip(const void *arg, weir_str text)
{
    const int64_t *key = arg;
    return weir_siphash64((uint64_t)key[0], (uint64_t)key[1], text);
}

static weir_status hash_plain(weir_call *call)
{
    return hash_all(call, murmur, NULL);
}

static weir_status hash_fast(weir_call *call)
{
    return hash_all(call, farm, NULL);
}

static weir_status hash_strong(weir_call *call)
{
    const weir_attr *key = weir_site_list(call->site, KEY);
    if (key->count != 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Key must have 2 elements");
    return hash_all(call, sip, key->is);
}

#define HASH .out = "output: int64", .infer = weir_infer_same_shape, .no_grad = true

WEIR_DEFINE_OP(string_to_hash_bucket, "StringToHashBucket", HASH, .in = "string_tensor: string",
               .attrs = "num_buckets: int >= 1", .kernels = {{WEIR_CPU, "*", hash_plain}});
WEIR_DEFINE_OP(string_to_hash_bucket_fast, "StringToHashBucketFast", HASH, .in = "input: string",
               .attrs = "num_buckets: int >= 1", .kernels = {{WEIR_CPU, "*", hash_fast}});
WEIR_DEFINE_OP(string_to_hash_bucket_strong, "StringToHashBucketStrong", HASH,
               .in = "input: string", .attrs = "num_buckets: int >= 1; key: list(int)",
               .kernels = {{WEIR_CPU, "*", hash_strong}});

/* ---- Fingerprint: eight bytes per row -------------------------------------------------------- */

static weir_status infer_fingerprint(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    infer->out[0] = weir_shape_matrix(weir_infer_dim(infer, 0, 0), 8);
    return WEIR_OK;
}

/* A row of strings has the fingerprint of its strings' fingerprints, unless it is one string. */
static uint64_t fingerprint_strings(const weir_tensor *tensor, int64_t first, int64_t count,
                                    uint64_t *room)
{
    if (count == 1)
        return weir_fingerprint64(weir_str_at(tensor, first));
    for (int64_t i = 0; i < count; i++)
        room[i] = weir_fingerprint64(weir_str_at(tensor, first + i));
    return weir_fingerprint64((weir_str){(const char *)room, (size_t)count * sizeof *room});
}

static weir_status fingerprint(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    weir_str method = weir_str_at(weir_in(call, 1), 0);
    if (!weir_str_is(method, "farmhash64"))
        return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported fingerprint method: %.*s",
                          WEIR_STR_ARG(method));
    int64_t rows = in->shape.dims[0], row = rows ? weir_tensor_count(in) / rows : 0;
    size_t size = weir_dtype_size(in->dtype);
    uint64_t *out = weir_out(call, 0)->data;
    bool strings = in->dtype == WEIR_STRING;
    WEIR_FREED uint64_t *room = strings ? WEIR_NEW_ARRAY(uint64_t, row) : NULL;
    for (int64_t row_index = 0; row_index < rows; row_index++)
        out[row_index] = strings ? fingerprint_strings(in, row_index * row, row, room)
                                 : weir_fingerprint64((weir_str){
                                       (const char *)in->data + (size_t)(row_index * row) * size,
                                       (size_t)row * size});
    return WEIR_OK;
}

const weir_op weir_op_fingerprint = {
    .name = "Fingerprint",
    .in = "data: T; method: string",
    .out = "fingerprint: uint8",
    .attrs = "T: type",
    .infer = infer_fingerprint,
    .no_grad = true,
    .kernels = {{WEIR_CPU,
                 "T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
                 "uint32, uint64, complex64, complex128, bool, string",
                 fingerprint}},
};
