/* data/digits.c - generated digits, for training without files: the word "digits".
 *
 * An example depends only on its number: a digit of seven rows of five dots, in one of two sizes
 * per axis, near the centre of a 28 by 28 image, with random brightness, some missing dots and
 * noise. The test split has different examples.
 */
#include "base/mem.h"
#include "data/source.h"

enum {
    SIDE = 28,
    ROWS = 7,
    DOTS = 5,
    TRAINING = 20000,
    TESTING = 2000,
    NOISE = 96, /* exclusive maximum of the noise */
    LOST = 12,  /* one of this many dots is missing */
    AWAY = 3,   /* maximum distance from the centre */
};

/* The bits of a row, leftmost first. */
static const uint8_t shapes[10][ROWS] = {
    {14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},  {14, 17, 1, 2, 4, 8, 31},
    {31, 2, 4, 2, 1, 17, 14},     {2, 6, 10, 18, 31, 2, 2}, {31, 16, 30, 1, 1, 17, 14},
    {6, 8, 16, 30, 17, 17, 14},   {31, 1, 2, 4, 8, 8, 8},   {14, 17, 17, 14, 17, 17, 14},
    {14, 17, 17, 15, 1, 2, 12},
};

typedef struct digits_source {
    weir_source base;
    int64_t first; /* the test split follows the training examples */
} digits_source;

/* The next number of a sequence (splitmix64). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int below(uint64_t *state, int bound)
{
    return (int)(draw(state) >> 33) % bound;
}

static void fill_dot(uint8_t *pixels, int top, int left, int height, int width, int light)
{
    for (int y = top; y < top + height; y++)
        memset(pixels + y * SIDE + left, light, (size_t)width);
}

static void draw_digit(int digit, uint64_t *state, uint8_t *pixels)
{
    int height = 2 + below(state, 2), width = 3 + below(state, 2);
    int top = (SIDE - ROWS * height) / 2 - AWAY + below(state, 2 * AWAY + 1);
    int left = (SIDE - DOTS * width) / 2 - AWAY + below(state, 2 * AWAY + 1);
    int light = 130 + below(state, 256 - 130);
    for (int i = 0; i < SIDE * SIDE; i++)
        pixels[i] = (uint8_t)below(state, NOISE);
    for (int row = 0; row < ROWS; row++)
        for (int dot = 0; dot < DOTS; dot++)
            if (shapes[digit][row] >> (DOTS - 1 - dot) & 1 && below(state, LOST))
                fill_dot(pixels, top + row * height, left + dot * width, height, width, light);
}

static weir_status fetch(weir_source *source, const weir_item *item, weir_scratch *scratch,
                         weir_example *out_example)
{
    uint64_t state = (uint64_t)(((digits_source *)source)->first + item->index);
    int digit = below(&state, 10);
    uint8_t *pixels = weir_scratch_room(&scratch->file, SIDE * SIDE);
    draw_digit(digit, &state, pixels);
    *out_example = (weir_example){.kind = WEIR_PIXELS,
                                  .bytes = {(const char *)pixels, SIDE * SIDE},
                                  .height = SIDE,
                                  .width = SIDE,
                                  .channels = 1,
                                  .label = digit};
    return WEIR_OK;
}

static void where(const weir_source *source, const weir_item *item, weir_buf *out)
{
    (void)source;
    weir_buf_addf(out, "digit %lld", (long long)item->index);
}

static const char *class_name(const weir_source *source, int64_t label)
{
    static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    (void)source;
    return label >= 0 && label < 10 ? names[label] : NULL;
}

static void destroy(weir_source *source)
{
    weir_free(source);
}

static const weir_source_class digits_class = {
    .fetch = fetch, .where = where, .class_name = class_name, .destroy = destroy};

static bool claims(const weir_data_place *place)
{
    return weir_is_digits(place->path);
}

static weir_status open_digits(const weir_data_place *place, weir_source **out_source)
{
    weir_split split = weir_split_wanted(place->options);
    digits_source *source = WEIR_NEW(digits_source);
    source->first = split == WEIR_SPLIT_TEST ? TRAINING : 0;
    source->base = (weir_source){.class = &digits_class,
                                 .count = split == WEIR_SPLIT_TRAIN  ? TRAINING
                                          : split == WEIR_SPLIT_TEST ? TESTING
                                                                     : TRAINING + TESTING,
                                 .rank = 3,
                                 .dims = {SIDE, SIDE, 1},
                                 .classes = 10,
                                 .in_memory = true,
                                 .upright = true,
                                 .of_images = true};
    *out_source = &source->base;
    return WEIR_OK;
}

const weir_source_kind weir_digits_source = {"digits", claims, open_digits};
