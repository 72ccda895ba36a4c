/* weir/records.h - TFRecord files: byte records with checksums; the whole file may be compressed.
 *
 * |compression| is "" or null for none, "GZIP" or "ZLIB"; the reader must use the writer's. Not
 * thread-safe.
 */
#ifndef WEIR_RECORDS_H
#define WEIR_RECORDS_H

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_records_writer weir_records_writer;

/* The file is written under a temporary name and renamed by close. Null on failure. */
TF_CAPI_EXPORT extern weir_records_writer *
weir_records_create(const char *path, const char *compression, TF_Status *status);
/* Adds a record; copied. */
TF_CAPI_EXPORT extern void weir_records_add(weir_records_writer *w, const void *record,
                                            size_t length, TF_Status *status);
/* Completes the file and deletes the writer, also on failure. */
TF_CAPI_EXPORT extern void weir_records_close(weir_records_writer *w, TF_Status *status);
/* Deletes the writer and its unfinished file; takes null. */
TF_CAPI_EXPORT extern void weir_records_drop(weir_records_writer *w);

typedef struct weir_records_reader weir_records_reader;

/* Opens a file of records; the caller frees it by weir_records_delete. Null on an error. */
TF_CAPI_EXPORT extern weir_records_reader *
weir_records_open(const char *path, const char *compression, TF_Status *status);
/* The next record, which stays valid until the next call. False at the end of the file, with TF_OK,
 * and on failure: TF_DATA_LOSS names the file and the offset of the record. */
TF_CAPI_EXPORT extern bool weir_records_next(weir_records_reader *r, const void **record,
                                             size_t *length, TF_Status *status);
TF_CAPI_EXPORT extern void weir_records_delete(weir_records_reader *r); /* takes null */

#ifdef __cplusplus
}
#endif
#endif
