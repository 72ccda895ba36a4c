/* ops/linalg/equation.c - parses Einsum equations. */
#include "ops/linalg/equation.h"

#include <inttypes.h>

static int letter_label(char ch)
{
    if (ch >= 'a' && ch <= 'z')
        return ch - 'a';
    return ch >= 'A' && ch <= 'Z' ? 26 + ch - 'A' : -1;
}

static weir_status check_term(weir_str term)
{
    bool ellipsis = false;
    for (size_t i = 0; i < term.length; i++) {
        if (letter_label(term.at[i]) >= 0)
            continue;
        if (term.at[i] != '.' || ellipsis || i + 2 >= term.length || term.at[i + 1] != '.' ||
            term.at[i + 2] != '.')
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid character or misplaced ellipsis in Einsum term '%.*s'",
                              (int)term.length, term.at);
        ellipsis = true;
        i += 2;
    }
    return WEIR_OK;
}

/* Position of |what| in [from, text.length), or -1. */
static int64_t find(weir_str text, size_t from, const char *what, size_t length)
{
    for (size_t i = from; i + length <= text.length; i++)
        if (memcmp(text.at + i, what, length) == 0)
            return (int64_t)i;
    return -1;
}

weir_status weir_equation_parse(weir_str text, int inputs, weir_equation *out)
{
    int64_t arrow = find(text, 0, "->", 2);
    if (arrow < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expecting exactly one '->' in einsum equation: %.*s", (int)text.length,
                          text.at);
    weir_str left = {text.at, (size_t)arrow};
    *out = (weir_equation){.output = {text.at + arrow + 2, text.length - (size_t)arrow - 2}};
    for (size_t at = 0;;) {
        int64_t comma = find(left, at, ",", 1);
        size_t end = comma < 0 ? left.length : (size_t)comma;
        if (out->inputs < WEIR_EINSUM_INPUTS)
            out->terms[out->inputs] = (weir_str){left.at + at, end - at};
        out->inputs++;
        if (comma < 0)
            break;
        at = end + 1;
    }
    if (out->inputs > WEIR_EINSUM_INPUTS || out->inputs != inputs)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expecting 1 or 2 inputs in Einsum equation '%.*s', as many as the "
                          "%d given",
                          (int)text.length, text.at, inputs);
    for (int k = 0; k < inputs; k++)
        WEIR_TRY(check_term(out->terms[k]));
    return check_term(out->output);
}

bool weir_term_has_ellipsis(weir_str term)
{
    return memchr(term.at, '.', term.length) != NULL;
}

int weir_term_letters(weir_str term)
{
    return (int)term.length - (weir_term_has_ellipsis(term) ? 3 : 0);
}

weir_status weir_term_resolve(weir_str term, int rank, int ellipsis, weir_term *out)
{
    int letters = weir_term_letters(term);
    bool has = weir_term_has_ellipsis(term);
    int dims = rank < 0 ? (has ? ellipsis : 0) : rank - letters;
    if (dims < 0 || (dims > 0 && !has) || letters + dims > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected input to have rank %s%d but got %d for Einsum term '%.*s'",
                          has ? "at least " : "", letters, rank, (int)term.length, term.at);
    *out = (weir_term){0};
    for (size_t i = 0; i < term.length; i++) {
        if (term.at[i] != '.') {
            out->labels[out->count++] = (int8_t)letter_label(term.at[i]);
            continue;
        }
        /* The last dimension gets label ELLIPSIS, the one before it the next, and so on. */
        for (int axis = dims - 1; axis >= 0; axis--)
            out->labels[out->count++] = (int8_t)(WEIR_EINSUM_ELLIPSIS + axis);
        i += 2;
    }
    return WEIR_OK;
}

bool weir_term_has(const weir_term *term, int label)
{
    for (int i = 0; i < term->count; i++)
        if (term->labels[i] == label)
            return true;
    return false;
}

weir_status weir_equation_sizes(const weir_term *terms, const weir_shape *const *shapes, int inputs,
                                int64_t sizes[WEIR_EINSUM_LABELS])
{
    for (int l = 0; l < WEIR_EINSUM_LABELS; l++)
        sizes[l] = -1;
    for (int k = 0; k < inputs; k++)
        for (int axis = 0; axis < terms[k].count; axis++) {
            int label = terms[k].labels[axis];
            int64_t *size = &sizes[label], dim = shapes[k]->dims[axis];
            bool gives_way = label >= WEIR_EINSUM_ELLIPSIS && (dim == 1 || *size == 1);
            if (*size >= 0 && dim >= 0 && *size != dim && !gives_way)
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Expected dimension %" PRId64
                                  " at axis %d of the input shaped %s "
                                  "but got dimension %" PRId64,
                                  *size, axis, WEIR_SHAPE_STR(shapes[k]), dim);
            *size = *size < 0 || (gives_way && *size == 1) ? dim : *size;
        }
    return WEIR_OK;
}
