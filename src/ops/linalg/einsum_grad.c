/* ops/linalg/einsum_grad.c - the gradient of Einsum.
 *
 * For "a,b->c" the gradient of a is the sum "c,b->a" over dy and the conjugate of b. Labels that
 * only a has were reduced: the gradient is constant along them, so the result is computed without
 * them and then broadcast.
 */
#include "ops/linalg/einsum_grad.h"

#include "ops/common/grads.h"
#include "ops/linalg/equation.h"
#include "ops/math/gradient.h"

typedef struct text {
    char at[64];
    size_t length;
} text;

static void put(text *text, char ch)
{
    if (text->length + 1 < sizeof text->at)
        text->at[text->length++] = ch;
    text->at[text->length] = 0;
}

static void put_str(text *text, weir_str str)
{
    for (size_t i = 0; i < str.length; i++)
        put(text, str.at[i]);
}

static bool holds(weir_str term, char ch)
{
    return memchr(term.at, ch, term.length) != NULL;
}

/* The labels of |of| that also occur in dy or the other operand, without repeats, and its ellipsis.
 * |missing| gets the remaining labels. */
static void known_labels(weir_str of, weir_str dy, weir_str other, text *known, text *missing)
{
    for (size_t i = 0; i < of.length; i++) {
        char ch = of.at[i];
        bool seen = false;
        for (size_t k = 0; k < i && ch != '.'; k++)
            seen = seen || of.at[k] == ch;
        if (seen)
            continue;
        put(ch == '.' || holds(dy, ch) || holds(other, ch) ? known : missing, ch);
    }
}

static weir_str str_of(const text *text)
{
    return (weir_str){text->at, text->length};
}

static weir_edge emit(weir_grad *grad, const text *equation, const weir_edge *in, int count)
{
    weir_named_attr attrs[] = {weir_a_str("equation", equation->at), weir_a_int("N", count)};
    return weir_grad_op(grad, "Einsum", in, count, attrs, 2);
}

/* Length of dimension |letter| of operand x, as a vector of one. */
static weir_edge dim_of(weir_grad *grad, weir_edge x, weir_str term, char letter)
{
    /* After an ellipsis, dimensions are counted from the end. */
    int at = 0, total = weir_term_letters(term), seen = 0;
    bool after_ellipsis = false;
    for (size_t i = 0; i < term.length; i++) {
        if (term.at[i] == '.') {
            after_ellipsis = true;
            continue;
        }
        if (term.at[i] == letter) {
            at = after_ellipsis ? seen - total : seen;
            break;
        }
        seen++;
    }
    weir_edge shape = OP1("Shape", x), zero = weir_grad_scalar(grad, WEIR_INT32, 0);
    weir_edge place = weir_grad_const_int32(grad, (int32_t[]){at}, 1);
    if (at < 0)
        place = ADD(place, OP1("Size", shape));
    return weir_grad_op(grad, "GatherV2", WEIR_IN(shape, place, zero), WEIR_NO_ATTRS);
}

/* Broadcasts |dx|, labelled |known|, along the |missing| labels, which come first in the result. */
static weir_edge spread(weir_grad *grad, weir_edge dx, weir_edge x, weir_str term,
                        const text *missing)
{
    weir_edge dims[8];
    int count = 0;
    for (size_t k = 0; k < missing->length && count < 6; k++)
        dims[count++] = dim_of(grad, x, term, missing->at[k]);
    dims[count++] = OP1("Shape", dx);
    return OP2("BroadcastTo", dx, weir_grad_concat(grad, dims, count));
}

static void set_operand(weir_grad *grad, const weir_equation *e, int which)
{
    weir_str of = e->terms[which], other = e->inputs == 2 ? e->terms[!which] : (weir_str){"", 0};
    text known = {{0}, 0}, missing = {{0}, 0}, equation = {{0}, 0};
    known_labels(of, e->output, other, &known, &missing);
    weir_edge x = weir_grad_x(grad, which), in[2] = {DY};
    if (e->inputs == 2)
        in[1] = CONJ(weir_grad_x(grad, !which));
    put_str(&equation, e->output);
    if (e->inputs == 2) {
        put(&equation, ',');
        put_str(&equation, other);
    }
    put_str(&equation, (weir_str){"->", 2});
    bool whole = missing.length == 0;
    put_str(&equation, whole ? of : str_of(&known));
    weir_edge dx = emit(grad, &equation, in, e->inputs);
    if (!whole) { /* permute the labels into x's order, with its repeats */
        dx = spread(grad, dx, x, of, &missing);
        text order = {{0}, 0};
        put_str(&order, str_of(&missing));
        put_str(&order, str_of(&known));
        put_str(&order, (weir_str){"->", 2});
        put_str(&order, of);
        dx = emit(grad, &order, &dx, 1);
    }
    if (weir_term_has_ellipsis(of))
        dx = weir_grad_unbroadcast(grad, dx, x);
    weir_grad_set(grad, which, dx);
}

weir_status weir_einsum_grad(weir_grad *grad)
{
    weir_equation equation;
    const weir_site *site = weir_grad_site(grad);
    WEIR_TRY(weir_equation_parse(weir_site_str(site, 0), site->in_count, &equation));
    for (int k = 0; k < equation.inputs; k++)
        set_operand(grad, &equation, k);
    return WEIR_OK;
}
