/* command/output.h - a command's results as a table, JSON or CSV.
 *
 * A report is fields and then named tables; a list of records is one table alone. The same calls
 * produce all three formats:
 *
 *     weir_output *o = weir_output_begin(a->format);
 *     weir_output_text(o, "kind", "checkpoint");
 *     weir_output_table(o, "tensors");
 *     for (...) {
 *         weir_output_row(o);
 *         weir_output_text(o, "name", name);
 *         weir_output_bytes(o, "bytes", bytes);
 *     }
 *     weir_output_end(o);
 *
 * JSON is one object with the tables as arrays of objects, or one array when the only table has no
 * name; CSV is the first table alone, or the fields where there is none. Every row of a table has
 * the same keys in the same order. Text may be any bytes: those that a terminal or JSON does not
 * allow are escaped. One thread at a time.
 */
#ifndef WEIR_COMMAND_OUTPUT_H
#define WEIR_COMMAND_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum { WEIR_OUTPUT_TABLE, WEIR_OUTPUT_JSON, WEIR_OUTPUT_CSV };
/* The option, for an int field of the command's arguments. */
#define WEIR_OUTPUT_OPTION(type, field)                                                            \
    {                                                                                              \
        "output", 'o', "FORMAT", "output format", WEIR_CHOICE(type, field, "table|json|csv")       \
    }

typedef struct weir_output weir_output;
weir_output *weir_output_begin(int format); /* to standard output */
void weir_output_table(weir_output *output,
                       const char *name); /* null: records, no report around them */
/* The names of the columns, "symbol,weir": the header of CSV without rows. Must be a constant. */
void weir_output_columns(weir_output *output, const char *columns);
void weir_output_row(weir_output *output);
void weir_output_end(weir_output *output); /* prints the rest and frees */

/* A field, or a cell of the latest row. Keys are constants: "max_error". */
void weir_output_text(weir_output *output, const char *key, const char *value); /* null is null */
void weir_output_str(weir_output *output, const char *key, weir_str value);
void weir_output_int(weir_output *output, const char *key, int64_t value);
void weir_output_bytes(weir_output *output, const char *key,
                       int64_t value); /* "1.5 MB" in tables */
void weir_output_real(weir_output *output, const char *key,
                      double value); /* six digits in tables; null in JSON unless it is finite */
/* A number that may not be known: NaN is null. */
void weir_output_figure(weir_output *output, const char *key, double value);
void weir_output_bool(weir_output *output, const char *key, bool value);
void weir_output_null(weir_output *output, const char *key);
/* "[2,?,3]" and [2,-1,3]; |rank| -1 if unknown. */
void weir_output_dims(weir_output *output, const char *key, int rank, const int64_t *dims);
void weir_output_list(weir_output *output, const char *key, const char *const *items, size_t count);
/* |json| is a complete value; tables show it verbatim. */
void weir_output_json(weir_output *output, const char *key, weir_str json);
/* A line below a table; omitted in JSON and CSV. */
void weir_output_remark(weir_output *output, const char *fmt, ...) WEIR_PRINTF(2, 3);

/* The shortest text that parses to |value|; NaN and Infinity as in TensorFlow Serving. */
void weir_json_add_real(weir_buf *buf, double value, bool single);

#endif
