/* cli/predict/input.c - detects a file's format, reads it, and converts it for the model. */
#include "cli/predict/input.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/values.h"
#include "io/file.h"
#include "io/idx.h"
#include "io/image.h"
#include "io/npy.h"
#include "math/cast/cast.h"
#include "math/pixels/pixels.h"
#include "ops/common/elem_of.h"

static const size_t largest_text = (size_t)1 << 30;

/* ---- conversion ------------------------------------------------------------------------------ */

static weir_status misfit(const weir_signature_tensor *want, const weir_tensor *in)
{
    weir_shape shape = {.rank = want->rank};
    for (int i = 0; i < want->rank; i++)
        shape.dims[i] = want->dims[i];
    return weir_error(WEIR_INVALID_ARGUMENT, "the input '%s' takes %s %s, and the file has %s %s",
                      want->key, weir_dtype_name((int)want->type), WEIR_SHAPE_STR(&shape),
                      weir_dtype_name((int)in->dtype), WEIR_SHAPE_STR(&in->shape));
}

static weir_status convert(const weir_signature_tensor *want, const predict_how *how, bool pixels,
                           weir_tensor *in)
{
    weir_dtype to = (weir_dtype)want->type;
    weir_tensor out;
    if (in->dtype == to)
        return WEIR_OK;
    if (!weir_values_are_real(in->dtype) || !weir_values_are_real(to))
        return misfit(want, in);
    if (pixels && in->dtype == WEIR_UINT8 && weir_dtype_is_float(to)) {
        WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &in->shape, &out));
        weir_pixels_convert(weir_tensor_count(in), in->data, (float)how->scale, 0, out.data);
        weir_tensor_release(in);
        *in = out;
        return convert(want, how, false, in);
    }
    WEIR_TRY(weir_tensor_alloc(to, &in->shape, &out));
    weir_cast_run(NULL, weir_elem_of(in->dtype), weir_elem_of(to), weir_tensor_count(in), in->data,
                  out.data);
    weir_tensor_release(in);
    *in = out;
    return WEIR_OK;
}

/* The target shape of |in|: its own if it matches; with an added first dimension of 1; or the
 * wanted shape with as many examples as there are. */
static bool find_shape(const weir_signature_tensor *want, const weir_tensor *in, weir_shape *out)
{
    weir_shape wanted = {.rank = want->rank}, one = {.rank = in->shape.rank + 1, .dims = {1}};
    int64_t each = 1, count = weir_tensor_count(in);
    *out = in->shape;
    if (want->rank < 0)
        return true;
    for (int i = 0; i < want->rank; i++)
        wanted.dims[i] = want->dims[i];
    if (weir_shape_compatible(&wanted, &in->shape))
        return true;
    if (one.rank <= WEIR_MAX_RANK) {
        for (int i = 0; i < in->shape.rank; i++)
            one.dims[i + 1] = in->shape.dims[i];
        *out = one;
        if (weir_shape_compatible(&wanted, &one))
            return true;
    }
    for (int i = 1; i < want->rank; i++)
        each *= want->dims[i];
    if (want->rank == 0 || each <= 0 || count % each)
        return false;
    *out = wanted;
    out->dims[0] = count / each;
    bool rows = in->shape.rank > 0 && in->shape.dims[0] == out->dims[0];
    return (rows || out->dims[0] == 1) && (want->dims[0] < 0 || want->dims[0] == out->dims[0]) &&
           weir_shape_known(out);
}

weir_status predict_fit(const weir_signature_tensor *want, const predict_how *how, bool pixels,
                        weir_tensor *in, weir_tensor *out)
{
    weir_shape shape;
    if (!find_shape(want, in, &shape)) {
        weir_status status = misfit(want, in);
        weir_tensor_release(in);
        return status;
    }
    weir_status status = convert(want, how, pixels, in);
    if (!status)
        *out = weir_tensor_view(in, &shape);
    weir_tensor_release(in);
    return status;
}

weir_status predict_only_input(const weir_signature *signature, const char *what)
{
    if (signature->input_count == 1)
        return WEIR_OK;
    WEIR_BUF(keys);
    for (int i = 0; i < signature->input_count; i++)
        weir_buf_addf(&keys, "%s%s", i ? ", " : "", signature->inputs[i].key);
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "%s holds one input, and the model has %d (%s): give it JSON or an "
                      ".npz that names them",
                      what, signature->input_count, keys.length ? keys.at : "none");
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static weir_status read_npz(const weir_signature *signature, const predict_how *how,
                            const char *path, weir_tensor *out)
{
    WEIR_OWNED(weir_npz) npz = NULL;
    WEIR_TRY(weir_npz_open(path, &npz));
    for (int k = 0; k < signature->input_count; k++) {
        size_t at = weir_npz_count(npz);
        for (size_t i = 0; i < weir_npz_count(npz); i++)
            if (weir_str_is(weir_npz_at(npz, i).name, signature->inputs[k].key))
                at = i;
        if (at == weir_npz_count(npz) && signature->input_count == 1 && at == 1)
            at = 0; /* one array for one input, whatever its name */
        if (at == weir_npz_count(npz))
            return weir_error(WEIR_NOT_FOUND, "%s has no array '%s', which the model takes", path,
                              signature->inputs[k].key);
        weir_tensor tensor;
        WEIR_TRY(weir_npz_read(npz, at, &tensor));
        WEIR_TRY(predict_fit(&signature->inputs[k], how, false, &tensor, &out[k]));
    }
    return WEIR_OK;
}

static weir_status read_npy(const weir_signature *signature, const predict_how *how,
                            const char *path, weir_tensor *out)
{
    weir_tensor tensor;
    WEIR_TRY(predict_only_input(signature, "an .npy file"));
    WEIR_TRY(weir_npy_read(path, &tensor));
    return predict_fit(&signature->inputs[0], how, false, &tensor, out);
}

static weir_status read_idx(const weir_signature *signature, const predict_how *how,
                            const char *path, weir_tensor *out)
{
    weir_tensor tensor;
    WEIR_TRY(predict_only_input(signature, "an IDX file"));
    WEIR_TRY(weir_idx_read(path, &tensor));
    return predict_fit(&signature->inputs[0], how, true, &tensor, out);
}

/* ---- files ----------------------------------------------------------------------------------- */

static weir_status read_text(const weir_signature *signature, const char *path, weir_tensor *out)
{
    WEIR_BUF(text);
    bool in = strcmp(path, "-") == 0;
    weir_status status = WEIR_OK;
    if (!in)
        status = weir_file_read_all(path, largest_text, &text);
    char piece[65536];
    for (ssize_t got; in && text.length < largest_text && (got = read(0, piece, sizeof piece)) > 0;)
        weir_buf_add(&text, piece, (size_t)got);
    weir_str view = {text.at ? text.at : "", text.length};
    size_t blank = strspn(view.at, " \t\r\n");
    bool json = in || (blank < view.length && strchr("{[", view.at[blank]));
    if (!status)
        status =
            json ? predict_read_json(signature, view, out) : predict_read_csv(signature, view, out);
    return status;
}

static weir_status read_head(const char *path, char *head, size_t room, size_t *out_length)
{
    WEIR_OWNED(weir_rfile) file = NULL;
    if (weir_path_is_dir(path))
        return weir_error(WEIR_INVALID_ARGUMENT, "it is a folder; name the files in it");
    WEIR_TRY(weir_rfile_open(path, &file));
    return weir_rfile_read_some(file, 0, head, room, out_length);
}

static weir_status read_one(const weir_signature *signature, const predict_how *how,
                            char *const *path, weir_tensor *out)
{
    char head[64];
    size_t count = 0;
    if (strcmp(*path, "-") == 0)
        return read_text(signature, *path, out);
    WEIR_TRY(read_head(*path, head, sizeof head, &count));
    if (count > 6 && memcmp(head, "\x93NUMPY", 6) == 0)
        return read_npy(signature, how, *path, out);
    if (count > 4 && memcmp(head, "PK\3\4", 4) == 0)
        return read_npz(signature, how, *path, out);
    if (weir_image_sniff((weir_str){head, count}) != WEIR_IMAGE_UNKNOWN)
        return predict_read_images(signature, how, path, 1, out);
    if (count > 4 && (memcmp(head, "\x1f\x8b", 2) == 0 || memcmp(head, "\0\0", 2) == 0))
        return read_idx(signature, how, *path, out);
    return read_text(signature, *path, out);
}

weir_status predict_read(const weir_signature *signature, const predict_how *how,
                         char *const *paths, int count, weir_tensor *out_tensors)
{
    if (count == 1)
        return weir_file_note(read_one(signature, how, paths, out_tensors), paths[0]);
    return predict_read_images(signature, how, paths, count, out_tensors);
}
