/* gpu/chain_known.c - for every step of a chain: which inputs are still in local memory, and
 * whether it needs a barrier.
 */
#include "gpu/record_impl.h"

/* Rows that steps have accessed since the last barrier, as words of the table. */
typedef struct recent {
    uint64_t at, bytes;
    bool written;
} recent;
typedef WEIR_VEC(recent) recents;

/* Whether a work item may access an element of |at| that another one has accessed since the last
 * barrier, one of them writing: one address has the same element for a work item. */
static bool is_shared(const recents *recents, const recent *row)
{
    for (size_t i = 0; i < recents->count; i++) {
        const recent *other = &recents->at[i];
        if ((row->written || other->written) && row->at < other->at + other->bytes &&
            other->at < row->at + row->bytes &&
            (row->at != other->at || row->bytes != other->bytes))
            return true;
    }
    return false;
}

/* Which inputs are the row of the last result, |last| of |width| elements. */
static uint64_t known_inputs(const uint64_t *step, uint64_t last, uint64_t width)
{
    uint64_t known = 0, kind = step[WEIR_CHAIN_KIND];
    int inputs = kind == WEIR_CHAIN_PRODUCT ? 1 : kind == WEIR_CHAIN_ADD ? 2 : WEIR_CHAIN_INPUTS;
    for (int i = 0; i < inputs; i++) {
        bool deep = kind < WEIR_CHAIN_PROGRAM && i == 0;
        if (step[WEIR_CHAIN_IN + i] == last &&
            step[deep ? WEIR_CHAIN_DEPTH : WEIR_CHAIN_WIDTH] == width)
            known |= 1ull << i;
    }
    return known & ~step[WEIR_CHAIN_SINGLE];
}

/* Appends the rows of an element-wise step; true: it needs a barrier first. */
static bool list_rows(const uint64_t *step, int64_t rows, uint64_t known, recents *recents)
{
    uint64_t bytes = step[WEIR_CHAIN_WIDTH] * (uint64_t)rows * sizeof(float);
    size_t before = recents->count;
    bool shared = false;
    for (int i = -1; i < WEIR_CHAIN_INPUTS; i++) {
        recent row = {step[i < 0 ? WEIR_CHAIN_OUT : WEIR_CHAIN_IN + i], bytes, i < 0};
        if (i >= 0 && (known | step[WEIR_CHAIN_SINGLE]) >> i & 1)
            continue;
        size_t count = recents->count;
        recents->count = before; /* a step's own rows are one work item's */
        shared |= is_shared(recents, &row);
        recents->count = count;
        weir_vec_push(recents, row);
    }
    return shared;
}

/* Fills in CHAIN_KNOWN. Products and additions have barriers before they read, and after. */
void weir_gpu_chain_note_known(uint64_t *table, size_t count, int64_t rows)
{
    uint64_t last = UINT64_MAX, width = 0;
    recents recents = {0};
    for (size_t at = 0; at < count; at += WEIR_CHAIN_WORDS) {
        uint64_t *step = &table[at], kind = step[WEIR_CHAIN_KIND];
        if (kind == WEIR_CHAIN_LOAD || kind == WEIR_CHAIN_STORE)
            continue;
        uint64_t known = known_inputs(step, last, width);
        if (kind < WEIR_CHAIN_PROGRAM)
            recents.count = 0;
        if (kind == WEIR_CHAIN_PRODUCT)
            weir_vec_push(
                &recents,
                ((recent){step[WEIR_CHAIN_OUT],
                          step[WEIR_CHAIN_WIDTH] * (uint64_t)rows * sizeof(float), true}));
        if (kind >= WEIR_CHAIN_PROGRAM && list_rows(step, rows, known, &recents)) {
            recents.count = 0;
            known |= 1ull << WEIR_CHAIN_INPUTS;
            list_rows(step, rows, known, &recents);
        }
        step[WEIR_CHAIN_KNOWN] = known;
        if (kind != WEIR_CHAIN_ADD) {
            last = step[WEIR_CHAIN_OUT];
            width = step[WEIR_CHAIN_WIDTH];
        }
    }
    weir_vec_fini(&recents);
}
