/* files.c - checkpoints, record files, and messages as text. */
#include "native.h"

#include "weir/records.h"
#include "weir/saved_model.h"

static void file_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    void *held = ((native_owner *)self)->held;
    if (held && type == native.reader)
        TF_DeleteCheckpointReader(held);
    else if (held && type == native.records)
        weir_records_delete(held);
    else if (held)
        weir_records_drop(held);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot file_slots[] = {{Py_tp_dealloc, file_dealloc}, {0, NULL}};
#define FILE_OWNER(name)                                                                           \
    {                                                                                              \
        "weir._native." name, sizeof(native_owner), 0,                                             \
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, file_slots                     \
    }
static PyType_Spec reader_spec = FILE_OWNER("CheckpointReader"),
                   writer_spec = FILE_OWNER("RecordWriter"),
                   records_spec = FILE_OWNER("RecordReader");

int native_add_file_types(PyObject *module)
{
    native.reader = native_add_type(module, &reader_spec);
    native.writer = native_add_type(module, &writer_spec);
    native.records = native_add_type(module, &records_spec);
    return native.reader && native.writer && native.records ? 0 : -1;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static PyObject *checkpoint_open(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    const char *path = PyUnicode_AsUTF8AndSize(args[0], NULL);
    if (!path)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_CheckpointReader *reader = TF_NewCheckpointReader(path, status);
    return native_ok(status) ? native_own(native.reader, reader, NULL) : NULL;
}

static PyObject *shape_in(TF_CheckpointReader *reader, const char *name)
{
    int64_t dims[NATIVE_MAX_RANK];
    TF_Status *status = TF_NewStatus();
    int rank = TF_CheckpointReaderGetVariableNumDims(reader, name);
    TF_CheckpointReaderGetVariableShape(reader, name, dims, rank, status);
    return native_ok(status) ? native_shape(rank, dims) : NULL;
}

/* checkpoint_list(reader) -> [(name, dtype, shape)] */
static PyObject *checkpoint_list(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_CheckpointReader *reader = native_held(args[0], native.reader);
    int count = reader ? TF_CheckpointReaderSize(reader) : 0;
    PyObject *list = reader ? PyList_New(count) : NULL;
    for (int i = 0; list && i < count; i++) {
        const char *name = TF_CheckpointReaderGetVariable(reader, i);
        PyObject *row =
            Py_BuildValue("(siN)", name, (int)TF_CheckpointReaderGetVariableDataType(reader, name),
                          shape_in(reader, name));
        if (row)
            PyList_SetItem(list, i, row);
        else
            Py_CLEAR(list);
    }
    return list;
}

/* checkpoint_get(reader, name) -> array */
static PyObject *checkpoint_get(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    TF_CheckpointReader *reader = native_held(args[0], native.reader);
    const char *name = reader ? PyUnicode_AsUTF8AndSize(args[1], NULL) : NULL;
    if (!name)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Tensor *tensor = TF_CheckpointReaderGetTensor(reader, name, status);
    return native_ok(status) ? native_array(tensor) : NULL;
}

/* ---- records --------------------------------------------------------------------------------- */

/* records_create(path, compression) */
static PyObject *records_create(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    const char *path = PyUnicode_AsUTF8AndSize(args[0], NULL);
    const char *compression = path ? PyUnicode_AsUTF8AndSize(args[1], NULL) : NULL;
    if (!compression)
        return NULL;
    TF_Status *status = TF_NewStatus();
    weir_records_writer *writer = weir_records_create(path, compression, status);
    return native_ok(status) ? native_own(native.writer, writer, NULL) : NULL;
}

static PyObject *records_add(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    char *bytes;
    Py_ssize_t length;
    (void)self;
    NATIVE_ARGS(2);
    weir_records_writer *writer = native_held(args[0], native.writer);
    if (!writer || PyBytes_AsStringAndSize(args[1], &bytes, &length))
        return NULL;
    TF_Status *status = TF_NewStatus();
    weir_records_add(writer, bytes, (size_t)length, status);
    if (!native_ok(status))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *records_close(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    weir_records_writer *writer = native_held(args[0], native.writer);
    if (!writer)
        return NULL;
    ((native_owner *)args[0])->held = NULL;
    TF_Status *status = TF_NewStatus();
    weir_records_close(writer, status);
    if (!native_ok(status))
        return NULL;
    Py_RETURN_NONE;
}

/* records_open(path, compression) */
static PyObject *records_open(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    const char *path = PyUnicode_AsUTF8AndSize(args[0], NULL);
    const char *compression = path ? PyUnicode_AsUTF8AndSize(args[1], NULL) : NULL;
    if (!compression)
        return NULL;
    TF_Status *status = TF_NewStatus();
    weir_records_reader *reader = weir_records_open(path, compression, status);
    return native_ok(status) ? native_own(native.records, reader, NULL) : NULL;
}

/* records_next(reader) -> bytes, or None at the end */
static PyObject *records_next(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    const void *record;
    size_t length;
    (void)self;
    NATIVE_ARGS(1);
    weir_records_reader *reader = native_held(args[0], native.records);
    if (!reader)
        return NULL;
    TF_Status *status = TF_NewStatus();
    bool more = weir_records_next(reader, &record, &length, status);
    if (!native_ok(status))
        return NULL;
    if (!more)
        Py_RETURN_NONE;
    return PyBytes_FromStringAndSize(record, (Py_ssize_t)length);
}

/* CRC-32C, masked as record files have it. */
static uint32_t masked_crc(const unsigned char *bytes, size_t length)
{
    static uint32_t table[256];
    for (uint32_t i = 0; !table[255] && i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
        table[i] = crc;
    }
    uint32_t crc = ~0u;
    for (size_t i = 0; i < length; i++)
        crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
    crc = ~crc;
    return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

static void put_little(unsigned char *at, uint64_t value, int count)
{
    for (int i = 0; i < count; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

/* record_frame(bytes) -> (head, tail): what stands before and after a record in a file that grows
 */
static PyObject *record_frame(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    unsigned char head[12], tail[4];
    char *bytes;
    Py_ssize_t length;
    (void)self;
    NATIVE_ARGS(1);
    if (PyBytes_AsStringAndSize(args[0], &bytes, &length))
        return NULL;
    put_little(head, (uint64_t)length, 8);
    put_little(head + 8, masked_crc(head, 8), 4);
    put_little(tail, masked_crc((unsigned char *)bytes, (size_t)length), 4);
    return Py_BuildValue("(y#y#)", head, (Py_ssize_t)12, tail, (Py_ssize_t)4);
}

/* ---- messages as text ------------------------------------------------------------------------ */

typedef void (*converter)(const char *, const TF_Buffer *, TF_Buffer *, TF_Status *);

static PyObject *convert(PyObject *const *args, converter act)
{
    char *bytes;
    Py_ssize_t length;
    const char *type = PyUnicode_AsUTF8AndSize(args[0], NULL);
    if (!type || PyBytes_AsStringAndSize(args[1], &bytes, &length))
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Buffer *in = TF_NewBufferFromString(bytes, (size_t)length), *out = TF_NewBuffer();
    act(type, in, out, status);
    TF_DeleteBuffer(in);
    if (native_ok(status))
        return native_bytes(out);
    TF_DeleteBuffer(out);
    return NULL;
}

/* message_to_text(type, bytes) -> bytes */
static PyObject *message_to_text(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    return convert(args, weir_message_to_text);
}

/* message_from_text(type, bytes) -> bytes */
static PyObject *message_from_text(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    return convert(args, weir_message_from_text);
}

PyMethodDef native_file_methods[] = {
    NATIVE_METHOD(checkpoint_open, "checkpoint_open(prefix)"),
    NATIVE_METHOD(checkpoint_list, "checkpoint_list(reader) -> [(name, dtype, shape)]"),
    NATIVE_METHOD(checkpoint_get, "checkpoint_get(reader, name) -> array"),
    NATIVE_METHOD(records_create, "records_create(path, compression)"),
    NATIVE_METHOD(records_add, "records_add(writer, bytes)"),
    NATIVE_METHOD(records_close, "records_close(writer)"),
    NATIVE_METHOD(records_open, "records_open(path, compression)"),
    NATIVE_METHOD(records_next, "records_next(reader) -> bytes or None"),
    NATIVE_METHOD(record_frame, "record_frame(bytes) -> (head, tail)"),
    NATIVE_METHOD(message_to_text, "message_to_text(type, bytes) -> bytes"),
    NATIVE_METHOD(message_from_text, "message_from_text(type, bytes) -> bytes"),
    {0},
};
