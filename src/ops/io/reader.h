/* ops/io/reader.h - readers: objects that take names of work (files) off a queue and turn each
 * into records.
 *
 * A reader serves one call at a time; the others wait in the order of coming, by callback, until
 * it is their turn or their step is cancelled. Thread-safe.
 */
#ifndef WEIR_OPS_IO_READER_H
#define WEIR_OPS_IO_READER_H

#include "base/mutex.h"
#include "op/op.h"

typedef struct weir_reader weir_reader;

/* What kind of records a reader finds in its work. One call at a time. */
typedef struct weir_reader_kind {
    const char *name; /* "TextLineReader" */
    /* A new piece of work; |private| is what the last one left. */
    weir_status (*start)(weir_reader *reader);
    /* The next record into r->key and r->value, if *out_record; *out_end after the last one. */
    weir_status (*next)(weir_reader *reader, bool *out_record, bool *out_end);
    /* Forgets the work; takes any state. */
    void (*drop)(weir_reader *reader);
    bool can_save; /* its state is its counts and its work */
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
    struct weir_read *first WEIR_GUARDED_BY(lock); /* calls that wait for their turn ... */
    struct weir_read **last WEIR_GUARDED_BY(lock); /* ... and where the next one is linked */
    bool busy WEIR_GUARDED_BY(lock);               /* a call has the turn, and with it all below */
    char *work;                                    /* name of the last work; null: none */
    int64_t started, finished; /* pieces of work; the last one is at hand while more were started */
    int64_t records;
    weir_buf key, value; /* of the last record */
    void *file;          /* the kind's own */
    int64_t at;          /* the kind's own: line, offset, record number */
};

extern const weir_resource_type weir_reader_type;
weir_reader *weir_reader_create(const weir_reader_kind *kind, const char *node,
                                const weir_reader_options *options);

/* What a call does with the reader when it has the turn: gives its outputs, without waiting. */
typedef weir_status weir_reader_use(weir_call *call, weir_reader *reader);

/* Starts an asynchronous call that reads: up to |most| records of one or more pieces of work, at
 * least one, which become two vectors; |most| 0: exactly one, which becomes two scalars. */
void weir_reader_start_read(weir_call *call, int64_t most);
/* Starts an asynchronous call that uses the reader in its turn. */
void weir_reader_start_use(weir_call *call, weir_reader_use *use);

#endif
