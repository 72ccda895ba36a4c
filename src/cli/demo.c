/* cli/demo.c - weir demo: a network learns to read digits while you watch. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/demo_data.h"
#include "cli/demo_model.h"

typedef struct settings {
    const char *mnist;
    long steps, batch, hidden;
    double rate;
} settings;

enum { JUDGED = 1000, SHOWN = 6 };

static const char shades[] = " .:-=+*#%@";

/* ---- what the reader sees -----------------------------------------------------------------------
 */

static void print_score(long step, float loss, float accuracy)
{
    char bar[41] = {0};
    memset(bar, '#', (size_t)(accuracy * 40));
    printf("  %5ld   %6.3f   %5.1f %%  %s\n", step, (double)loss, (double)accuracy * 100, bar);
    fflush(stdout);
}

/* |count| pictures side by side, then what is thought of them. */
static void print_digits(const weir_digits *d, int count, const int64_t *guesses)
{
    int stride = d->side > 16 ? 2 : 1; /* big ones at half size */
    int columns = d->side / stride < 14 ? 14 : d->side / stride;
    for (int y = 0; y < d->side; y += stride) {
        for (int i = 0; i < count; i++) {
            const float *row = d->pixels + ((size_t)i * d->side + y) * d->side;
            printf("  ");
            for (int x = 0; x < columns; x++)
                putchar(x * stride < d->side ? shades[(int)(row[x * stride] * 9.99f)] : ' ');
        }
        printf("\n");
    }
    for (int i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s %d", guesses[i] == d->labels[i] ? "says" : "wrong, says",
                 (int)guesses[i]);
        printf("  %-*s", columns, text);
    }
    printf("\n");
}

/* ---- the work -----------------------------------------------------------------------------------
 */

static weir_status get_digits(const settings *set, weir_digits *learn, weir_digits *judge)
{
    if (!set->mnist) {
        weir_digits_draw(4000, 1, learn);
        weir_digits_draw(JUDGED, 2, judge);
        return WEIR_OK;
    }
    WEIR_TRY(weir_digits_read(set->mnist, "train", learn));
    return weir_digits_read(set->mnist, "t10k", judge);
}

/* Trains, printing now and then; gives the seconds spent learning. */
static double train(weir_model *m, const settings *set, const weir_digits *learn,
                    const weir_digits *judge)
{
    float *pixels = WEIR_NEW_ARRAY(float, (size_t)set->batch * m->pixel_count);
    int32_t *labels = WEIR_NEW_ARRAY(int32_t, set->batch);
    uint64_t seed = 3;
    int64_t spent_ns = 0;
    int judged = judge->count < JUDGED ? judge->count : JUDGED;
    long every = set->steps / 10 > 0 ? set->steps / 10 : 1;
    printf("   step     loss   accuracy on digits it has not seen\n");
    for (long step = 0; step <= set->steps && TF_GetCode(m->status) == TF_OK; step++) {
        if (step % every == 0 || step == set->steps) {
            weir_score s = weir_model_step(m, judged, judge->pixels, judge->labels, false);
            if (TF_GetCode(m->status) == TF_OK)
                print_score(step, s.loss, s.accuracy);
        }
        int64_t start = weir_now_ns();
        weir_digits_batch(learn, (int)set->batch, &seed, pixels, labels);
        weir_model_step(m, (int)set->batch, pixels, labels, true);
        spent_ns += weir_now_ns() - start;
    }
    weir_free(pixels);
    weir_free(labels);
    return (double)spent_ns * 1e-9;
}

static int teach(const settings *set, const weir_digits *learn, const weir_digits *judge)
{
    weir_model m;
    int exit_status = WEIR_EXIT_OK;
    int64_t guesses[SHOWN];
    weir_model_init(&m, learn->side * learn->side, (int)set->hidden, (float)set->rate);
    if (TF_GetCode(m.status) == TF_OK) {
        printf("A graph of %d nodes; TF_AddGradients made %d of them.\n\n", m.node_count,
               m.gradient_count);
        double seconds = train(&m, set, learn, judge);
        weir_model_guess(&m, SHOWN, judge->pixels, guesses);
        if (TF_GetCode(m.status) == TF_OK) {
            printf("\n%ld steps of %ld pictures in %.2f s, %.3f ms each. Some it has not seen:\n\n",
                   set->steps, set->batch, seconds, seconds * 1e3 / (double)set->steps);
            print_digits(judge, SHOWN, guesses);
        }
    }
    if (TF_GetCode(m.status) != TF_OK)
        exit_status =
            weir_cli_fail("This is a fault of Weir's; please report it with this message.",
                          "the model does not run: %s", TF_Message(m.status));
    weir_model_fini(&m);
    return exit_status;
}

static int demo(void *args, int argc, char **argv)
{
    const settings *set = args;
    if (set->hidden > 1024 || set->batch > 100000)
        return weir_cli_misuse("demo", "--hidden goes up to 1024 and --batch up to 100000");

    weir_digits learn = {0}, judge = {0};
    weir_status s = get_digits(set, &learn, &judge);
    if (s != WEIR_OK)
        return weir_cli_fail_status("Give --mnist the folder that holds MNIST's files, or leave it "
                                    "out.",
                                    s);
    printf("Weir learns to read %d x %d pictures of digits%s: %d to learn from, %d kept back.\n",
           learn.side, learn.side, set->mnist ? " from MNIST" : " that it draws itself",
           learn.count, judge.count);
    int exit_status = teach(set, &learn, &judge);
    weir_digits_fini(&learn);
    weir_digits_fini(&judge);
    return exit_status;
}

static const weir_option options[] = {
    {"mnist", 'm', "DIR", "learn from MNIST's four files (plain or .gz) in DIR",
     WEIR_TEXT(settings, mnist), .hint = WEIR_HINT_FOLDER},
    {"steps", 's', "N", "steps to train", WEIR_NUMBER(settings, steps)},
    {"batch", 'b', "N", "pictures in a step", WEIR_NUMBER(settings, batch)},
    {"hidden", 'u', "N", "hidden units, at most 1024", WEIR_NUMBER(settings, hidden)},
    {"rate", 'r', "X", "learning rate", WEIR_REAL(settings, rate)},
};

const weir_command weir_command_demo = {
    .name = "demo",
    .summary = "train a small model and watch it learn",
    .about = "Trains a network of one hidden layer to read digits: its own drawings, or MNIST's "
             "when given. The graph is built, differentiated and run through TensorFlow's C API.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(settings, .steps = 2000, .batch = 50, .hidden = 64, .rate = 0.3),
    .run = demo,
};
