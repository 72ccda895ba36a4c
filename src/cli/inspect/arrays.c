/* cli/inspect/arrays.c - files of numbers: IDX, npy, npz, images. */
#include <math.h>

#include "cli/inspect/inspect.h"
#include "io/idx.h"
#include "io/image.h"
#include "io/npy.h"

static bool begins(const inspect_place *p, const char *magic, size_t length)
{
    return p->exists && !p->is_dir && p->head.length >= length &&
           memcmp(p->head.at, magic, length) == 0;
}

/* ---- IDX ----------------------------------------------------------------------------------------
 */

/* Bytes of an element by the type's code; 0 when there is none. */
static size_t idx_size(uint8_t code)
{
    static const uint8_t sizes[] = {[8] = 1, [9] = 1, [11] = 2, [12] = 4, [13] = 4, [14] = 8};
    return code < sizeof sizes ? sizes[code] : 0;
}

/* Two zeros say little, so that the size has to agree where it is known. */
static bool claims_idx(const inspect_place *p)
{
    const uint8_t *b = (const uint8_t *)p->head.at;
    if (!begins(p, "\0\0", 2) || p->head.length < 8 || !idx_size(b[2]) || b[3] < 1 || b[3] > 8)
        return false;
    size_t need = idx_size(b[2]);
    if (p->head.length < 4 + 4 * (size_t)b[3])
        return false;
    for (int i = 0; i < b[3]; i++) {
        const uint8_t *d = b + 4 + 4 * i;
        size_t dim = (size_t)d[0] << 24 | (size_t)d[1] << 16 | (size_t)d[2] << 8 | d[3];
        if (!weir_size_mul(need, dim, &need))
            return false;
    }
    return p->packing != WEIR_PACKING_NONE || need + 4 + 4 * (size_t)b[3] == p->bytes;
}

static double element(const weir_tensor *t, int64_t i)
{
    switch (t->dtype) {
    case WEIR_UINT8:
        return ((const uint8_t *)t->data)[i];
    case WEIR_INT8:
        return ((const int8_t *)t->data)[i];
    case WEIR_INT16:
        return ((const int16_t *)t->data)[i];
    case WEIR_INT32:
        return ((const int32_t *)t->data)[i];
    case WEIR_FLOAT:
        return (double)((const float *)t->data)[i];
    default:
        return ((const double *)t->data)[i];
    }
}

static void show_range(weir_output *o, const weir_tensor *t)
{
    double least = INFINITY, most = -INFINITY, sum = 0;
    int64_t count = weir_tensor_count(t);
    for (int64_t i = 0; i < count; i++) {
        double v = element(t, i);
        least = v < least ? v : least;
        most = v > most ? v : most;
        sum += v;
    }
    if (count == 0)
        return;
    weir_output_real(o, "min", least);
    weir_output_real(o, "max", most);
    weir_output_real(o, "mean", sum / (double)count);
}

static weir_status show_idx(const inspect_place *p, weir_output *o)
{
    weir_tensor t = {0};
    WEIR_TRY(weir_idx_read(p->path, &t));
    inspect_dtype(o, "dtype", (int)t.dtype);
    weir_output_dims(o, "shape", t.shape.rank, t.shape.dims);
    weir_output_int(o, "elements", weir_tensor_count(&t));
    show_range(o, &t);
    weir_tensor_release(&t);
    return WEIR_OK;
}

/* ---- numpy --------------------------------------------------------------------------------------
 */

static bool claims_npz(const inspect_place *p)
{
    return begins(p, "PK\3\4", 4) || begins(p, "PK\5\6", 4);
}

static weir_status show_npz(const inspect_place *p, weir_output *o)
{
    WEIR_OWNED(weir_npz) z = NULL;
    int64_t elements = 0;
    WEIR_TRY(weir_npz_open(p->path, &z));
    for (size_t i = 0; i < weir_npz_count(z); i++) {
        weir_tensor_info t = weir_npz_at(z, i);
        elements += weir_shape_count(&t.shape);
    }
    weir_output_int(o, "array_count", (int64_t)weir_npz_count(z));
    weir_output_int(o, "elements", elements);
    weir_output_table(o, "arrays");
    for (size_t i = 0; i < weir_npz_count(z); i++) {
        weir_tensor_info t = weir_npz_at(z, i);
        weir_output_row(o);
        weir_output_str(o, "name", t.name);
        inspect_dtype(o, "dtype", (int)t.dtype);
        weir_output_dims(o, "shape", t.shape.rank, t.shape.dims);
        weir_output_int(o, "elements", weir_shape_count(&t.shape));
        weir_output_bytes(o, "stored_bytes", (int64_t)weir_npz_stored(z, i));
    }
    return WEIR_OK;
}

static bool claims_npy(const inspect_place *p)
{
    return begins(p, "\x93NUMPY", 6);
}

static weir_status show_npy(const inspect_place *p, weir_output *o)
{
    weir_npy_head h;
    WEIR_TRY(weir_npy_parse(weir_view(&p->head), &h));
    inspect_dtype(o, "dtype", (int)h.dtype);
    weir_output_dims(o, "shape", h.shape.rank, h.shape.dims);
    weir_output_int(o, "elements", weir_shape_count(&h.shape));
    weir_output_text(o, "order", h.fortran ? "Fortran" : "C");
    return WEIR_OK;
}

/* ---- images -------------------------------------------------------------------------------------
 */

static bool claims_image(const inspect_place *p)
{
    return p->exists && !p->is_dir && p->packing == WEIR_PACKING_NONE &&
           weir_image_sniff(weir_view(&p->head)) != WEIR_IMAGE_UNKNOWN;
}

static weir_status show_image(const inspect_place *p, weir_output *o)
{
    static const char *const names[] = {"?", "PNG", "JPEG", "GIF", "BMP", "WebP"};
    WEIR_BUF(bytes);
    weir_image_info info;
    WEIR_TRY(inspect_read(p, &bytes));
    weir_str view = weir_view(&bytes);
    weir_image_kind kind = weir_image_sniff(view);
    weir_output_text(o, "format", names[kind]);
    weir_status s = weir_image_inspect(kind, view, NULL, &info);
    if (!s) {
        weir_output_int(o, "height", info.height);
        weir_output_int(o, "width", info.width);
        weir_output_int(o, "channels", info.channels);
        weir_output_int(o, "frames", info.frames);
    }
    return s;
}

const inspect_kind inspect_idx = {"idx", claims_idx, show_idx};
const inspect_kind inspect_npz = {"npz", claims_npz, show_npz};
const inspect_kind inspect_npy = {"npy", claims_npy, show_npy};
const inspect_kind inspect_image = {"image", claims_image, show_image};
