/* base/csv.h - splits lines of CSV into fields. */
#ifndef WEIR_BASE_CSV_H
#define WEIR_BASE_CSV_H

#include "base/mem.h"
#include "base/str.h"

typedef WEIR_VEC(weir_str) weir_fields;

/* Options, and the fields of the line that was split last. Zero all but the options before use. */
typedef struct weir_csv {
    char between;       /* the character that separates fields */
    bool no_quotes;     /* a quote is an ordinary character */
    bool strict;        /* as DecodeCSV: spaces belong to fields, and an empty line has no fields */
    weir_fields fields; /* views of the line and of |unescaped| */
    weir_buf unescaped;
} weir_csv;

/* Why a line is rejected; the second and the third only when |strict|. */
typedef enum weir_csv_error {
    WEIR_CSV_OK,
    WEIR_CSV_NOT_CLOSED,  /* a quote without a closing one */
    WEIR_CSV_AFTER_QUOTE, /* text between a closing quote and the end of the field */
    WEIR_CSV_BARE_QUOTE,  /* a quote or a line end in a field without quotes */
} weir_csv_error;

/* Replaces |fields| by the fields of |line|. Quotes around a field are removed; "" inside them is
 * one quote. Spaces around a field are trimmed, unless |strict|. */
weir_csv_error weir_csv_split(weir_csv *csv, weir_str line);
void weir_csv_fini(weir_csv *csv);

/* Appends |text| as a field of a line: in quotes if it has a separator, a quote or a line
 * end. */
void weir_csv_put(weir_buf *out, weir_str text);

/* Guesses the separator from the name and the first line of a file. */
char weir_csv_guess_between(const char *name, weir_str line);

#endif
