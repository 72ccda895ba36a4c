/* ops/io/reader.h - readers: objects that dequeue work items (file names) and produce their
 * records.
 *
 * A reader serves one call at a time; the others are queued in FIFO order, without blocking a
 * thread, until their turn or the cancellation of their step. Thread-safe.
 */
#ifndef WEIR_OPS_IO_READER_H
#define WEIR_OPS_IO_READER_H

#include "base/mutex.h"
#include "op/op.h"

typedef struct weir_reader weir_reader;

/* A kind of reader. Not thread-safe. */
typedef struct weir_reader_kind {
    const char *name; /* "TextLineReader" */
    /* Opens a new work item; |private| is what the last one left. */
    weir_status (*start)(weir_reader *reader);
    /* Reads the next record to r->key, r->value, if *out_record; *out_end after the last one. */
    weir_status (*next)(weir_reader *reader, bool *out_record, bool *out_end);
    /* Closes the work item; accepts any state. */
    void (*drop)(weir_reader *reader);
    bool can_save; /* its state is its counts and its work item */
} weir_reader_kind;

extern const weir_reader_kind weir_whole_file_reader, weir_text_line_reader,
    weir_fixed_length_reader, weir_record_reader, weir_identity_reader;

typedef struct weir_reader_options {
    int64_t skip_header_lines;                                   /* text lines */
    int64_t header_bytes, record_bytes, footer_bytes, hop_bytes; /* fixed length */
    int packing;                                                 /* weir_packing */
} weir_reader_options;

struct weir_reader {
    weir_resource base;
    const weir_reader_kind *kind;
    char *name; /* kind and node, for errors: "TextLineReader 'reader'" */
    weir_reader_options options;
    weir_mutex lock;
    struct weir_read *first WEIR_GUARDED_BY(lock); /* queued calls ... */
    struct weir_read **last WEIR_GUARDED_BY(lock); /* ... and the tail of the list */
    bool busy WEIR_GUARDED_BY(lock);               /* a call has the turn and owns all below */
    char *work;                                    /* name of the last work item; null: none */
    int64_t started, finished; /* work items; the last one is open while more were started */
    int64_t records;
    weir_buf key, value; /* of the last record */
    void *file;          /* the kind's own */
    int64_t at;          /* the kind's own: line, offset, record number */
};

extern const weir_resource_type weir_reader_type;
weir_reader *weir_reader_create(const weir_reader_kind *kind, const char *node,
                                const weir_reader_options *options);

/* Uses the reader during a call's turn: sets its outputs, without blocking. */
typedef weir_status weir_reader_use(weir_call *call, weir_reader *reader);

/* Starts an asynchronous read of up to |most| records, at least one, from one or more work items,
 * into two vectors; |most| 0: exactly one, into two scalars. */
void weir_reader_start_read(weir_call *call, int64_t most);
/* Starts an asynchronous call that uses the reader when its turn comes. */
void weir_reader_start_use(weir_call *call, weir_reader_use *use);

#endif
