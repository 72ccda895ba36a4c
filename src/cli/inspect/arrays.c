/* cli/inspect/arrays.c - files of numbers: IDX, npy, npz, images. */
#include <math.h>

#include "cli/inspect/inspect.h"
#include "io/idx.h"
#include "io/image.h"
#include "io/npy.h"
#include "io/zip.h"

static bool begins(const inspect_place *place, const char *magic, size_t length)
{
    return place->exists && !place->is_dir && place->head.length >= length &&
           memcmp(place->head.at, magic, length) == 0;
}

/* ---- IDX ------------------------------------------------------------------------------------- */

/* Element size by type code; 0 for an invalid code. */
static size_t idx_size(uint8_t code)
{
    static const uint8_t sizes[] = {[8] = 1, [9] = 1, [11] = 2, [12] = 4, [13] = 4, [14] = 8};
    return code < sizeof sizes ? sizes[code] : 0;
}

/* The two zero bytes are a weak signature, so the size must match if it is known. */
static bool claims_idx(const inspect_place *place)
{
    const uint8_t *bytes = (const uint8_t *)place->head.at;
    if (!begins(place, "\0\0", 2) || place->head.length < 8 || !idx_size(bytes[2]) ||
        bytes[3] < 1 || bytes[3] > 8)
        return false;
    size_t need = idx_size(bytes[2]);
    if (place->head.length < 4 + 4 * (size_t)bytes[3])
        return false;
    for (int i = 0; i < bytes[3]; i++) {
        const uint8_t *data = bytes + 4 + 4 * i;
        size_t dim = (size_t)data[0] << 24 | (size_t)data[1] << 16 | (size_t)data[2] << 8 | data[3];
        if (!weir_size_mul(need, dim, &need))
            return false;
    }
    return place->packing != WEIR_PACKING_NONE || need + 4 + 4 * (size_t)bytes[3] == place->bytes;
}

static double element(const weir_tensor *tensor, int64_t i)
{
    switch (tensor->dtype) {
    case WEIR_UINT8:
        return ((const uint8_t *)tensor->data)[i];
    case WEIR_INT8:
        return ((const int8_t *)tensor->data)[i];
    case WEIR_INT16:
        return ((const int16_t *)tensor->data)[i];
    case WEIR_INT32:
        return ((const int32_t *)tensor->data)[i];
    case WEIR_FLOAT:
        return (double)((const float *)tensor->data)[i];
    default:
        return ((const double *)tensor->data)[i];
    }
}

static void show_range(weir_output *output, const weir_tensor *tensor)
{
    double least = INFINITY, most = -INFINITY, sum = 0;
    int64_t count = weir_tensor_count(tensor);
    for (int64_t i = 0; i < count; i++) {
        double value = element(tensor, i);
        least = value < least ? value : least;
        most = value > most ? value : most;
        sum += value;
    }
    if (count == 0)
        return;
    weir_output_real(output, "min", least);
    weir_output_real(output, "max", most);
    weir_output_real(output, "mean", sum / (double)count);
}

static weir_status show_idx(const inspect_place *place, weir_output *output)
{
    weir_tensor tensor = {0};
    WEIR_TRY(weir_idx_read(place->path, &tensor));
    inspect_dtype(output, "dtype", (int)tensor.dtype);
    weir_output_dims(output, "shape", tensor.shape.rank, tensor.shape.dims);
    weir_output_int(output, "elements", weir_tensor_count(&tensor));
    show_range(output, &tensor);
    weir_tensor_release(&tensor);
    return WEIR_OK;
}

/* ---- numpy ----------------------------------------------------------------------------------- */

bool inspect_is_zip(const inspect_place *place)
{
    return begins(place, "PK\3\4", 4) || begins(place, "PK\5\6", 4);
}

/* An archive of arrays, possibly empty or damaged. */
static bool claims_npz(const inspect_place *place)
{
    WEIR_OWNED(weir_zip) zip = NULL;
    if (!inspect_is_zip(place))
        return false;
    weir_status damage = weir_zip_open(place->path, &zip);
    weir_status_free(damage);
    bool any = damage || weir_zip_count(zip) == 0;
    for (size_t i = 0; !any && i < weir_zip_count(zip); i++) {
        weir_str name = weir_zip_at(zip, i).name;
        any = name.length >= 4 && memcmp(name.at + name.length - 4, ".npy", 4) == 0;
    }
    return any;
}

static weir_status show_npz(const inspect_place *place, weir_output *output)
{
    WEIR_OWNED(weir_npz) npz = NULL;
    int64_t elements = 0;
    WEIR_TRY(weir_npz_open(place->path, &npz));
    for (size_t i = 0; i < weir_npz_count(npz); i++) {
        weir_tensor_info info = weir_npz_at(npz, i);
        elements += weir_shape_count(&info.shape);
    }
    weir_output_int(output, "array_count", (int64_t)weir_npz_count(npz));
    weir_output_int(output, "elements", elements);
    weir_output_table(output, "arrays");
    for (size_t i = 0; i < weir_npz_count(npz); i++) {
        weir_tensor_info info = weir_npz_at(npz, i);
        weir_output_row(output);
        weir_output_str(output, "name", info.name);
        inspect_dtype(output, "dtype", (int)info.dtype);
        weir_output_dims(output, "shape", info.shape.rank, info.shape.dims);
        weir_output_int(output, "elements", weir_shape_count(&info.shape));
        weir_output_bytes(output, "stored_bytes", (int64_t)weir_npz_stored(npz, i));
    }
    return WEIR_OK;
}

/* ---- archives of other files ----------------------------------------------------------------- */

static weir_status show_zip(const inspect_place *place, weir_output *output)
{
    WEIR_OWNED(weir_zip) zip = NULL;
    WEIR_TRY(weir_zip_open(place->path, &zip));
    weir_output_int(output, "file_count", (int64_t)weir_zip_count(zip));
    weir_output_table(output, "files");
    for (size_t i = 0; i < weir_zip_count(zip); i++) {
        weir_zip_member member = weir_zip_at(zip, i);
        weir_output_row(output);
        weir_output_str(output, "name", member.name);
        weir_output_bytes(output, "bytes", (int64_t)member.bytes);
        weir_output_bytes(output, "stored_bytes", (int64_t)member.packed);
    }
    return WEIR_OK;
}

static bool claims_npy(const inspect_place *place)
{
    return begins(place, "\x93NUMPY", 6);
}

static weir_status show_npy(const inspect_place *place, weir_output *output)
{
    weir_npy_head head;
    WEIR_TRY(weir_npy_parse(weir_view(&place->head), &head));
    inspect_dtype(output, "dtype", (int)head.dtype);
    weir_output_dims(output, "shape", head.shape.rank, head.shape.dims);
    weir_output_int(output, "elements", weir_shape_count(&head.shape));
    weir_output_text(output, "order", head.fortran ? "Fortran" : "C");
    return WEIR_OK;
}

/* ---- images ---------------------------------------------------------------------------------- */

static bool claims_image(const inspect_place *place)
{
    return place->exists && !place->is_dir && place->packing == WEIR_PACKING_NONE &&
           weir_image_sniff(weir_view(&place->head)) != WEIR_IMAGE_UNKNOWN;
}

static weir_status show_image(const inspect_place *place, weir_output *output)
{
    static const char *const names[] = {"?", "PNG", "JPEG", "GIF", "BMP", "WebP"};
    WEIR_BUF(bytes);
    weir_image_info info;
    WEIR_TRY(inspect_read(place, &bytes));
    weir_str view = weir_view(&bytes);
    weir_image_kind kind = weir_image_sniff(view);
    weir_output_text(output, "format", names[kind]);
    weir_status status = weir_image_inspect(kind, view, NULL, &info);
    if (!status) {
        weir_output_int(output, "height", info.height);
        weir_output_int(output, "width", info.width);
        weir_output_int(output, "channels", info.channels);
        weir_output_int(output, "frames", info.frames);
    }
    return status;
}

const inspect_kind inspect_idx = {"idx", claims_idx, show_idx};
const inspect_kind inspect_npz = {"npz", claims_npz, show_npz};
const inspect_kind inspect_zip = {"zip", inspect_is_zip, show_zip};
const inspect_kind inspect_npy = {"npy", claims_npy, show_npy};
const inspect_kind inspect_image = {"image", claims_image, show_image};
