/* data/csv_split.c - lines of a table cut into fields. */
#include "data/csv.h"

#include <strings.h>

/* Takes the quotes off the field at |at|, in place; returns what follows it, or null. */
static char *unquote(char *at, char *end, weir_str *out)
{
    char *to = at, *from = at + 1;
    for (; from < end; from++) {
        if (*from == '"') {
            if (from + 1 >= end || from[1] != '"')
                break;
            from++;
        }
        *to++ = *from;
    }
    *out = (weir_str){at, (size_t)(to - at)};
    return from < end ? from + 1 : NULL;
}

static weir_str trim(weir_str s)
{
    while (s.length && (s.at[0] == ' ' || s.at[0] == '\t'))
        s.at++, s.length--;
    while (s.length && strchr(" \t\r", s.at[s.length - 1]))
        s.length--;
    return s;
}

bool weir_csv_split(weir_buf *line, char between, weir_fields *out)
{
    char *at = line->at, *end = line->at + line->length;
    out->count = 0;
    for (;;) {
        weir_str field;
        char *next;
        while (at < end && *at == ' ' && between != ' ')
            at++;
        if (at < end && *at == '"') {
            next = unquote(at, end, &field);
            if (!next)
                return false;
            while (next < end && *next != between) /* what stands between the quote and the end */
                next++;
        } else {
            next = at < end ? memchr(at, between, (size_t)(end - at)) : NULL;
            next = next ? next : end;
            field = trim((weir_str){at, (size_t)(next - at)});
        }
        weir_vec_push(out, field);
        if (next >= end)
            return true;
        at = next + 1;
    }
}

char weir_csv_between(const char *name, weir_str line)
{
    static const char candidates[] = {',', ';', '\t', '|'};
    size_t n = strlen(name), counts[sizeof candidates] = {0}, best = 0;
    if (n > 4 && strcasecmp(name + n - 4, ".tsv") == 0)
        return '\t';
    for (size_t i = 0; i < line.length; i++)
        for (size_t k = 0; k < sizeof candidates; k++)
            counts[k] += line.at[i] == candidates[k];
    for (size_t k = 1; k < sizeof candidates; k++)
        if (counts[k] > counts[best])
            best = k;
    return candidates[best];
}
