/* data/csv.h - lines of a table cut into fields. */
#ifndef WEIR_DATA_CSV_H
#define WEIR_DATA_CSV_H

#include "base/mem.h"
#include "base/str.h"

typedef WEIR_VEC(weir_str) weir_fields;

/* Replaces |out| by the fields of |line|, which quotes ("" inside stands for one) may hold and
 * which it changes to take the quotes off. False when a quote is not closed. */
bool weir_csv_split(weir_buf *line, char between, weir_fields *out);
/* The character that stands between fields, as the first line of a file |name| shows. */
char weir_csv_between(const char *name, weir_str line);

#endif
