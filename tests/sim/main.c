/* main.c - sim [--seeds FIRST-LAST] [--scenario NAME] [--mutant NAME] [--jobs N] [--trace]
 * [--digest] | --experiment null-steps|backup-workers
 *
 * Every seed is a process of its own, forked before any thread exists. With a mutant the first that
 * fails is the last: one that never waits takes a minute. The last line counts.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cluster.h"

void sim_counters(void);
void sim_sync(void);
void sim_collective(void);

const sim_scenario sim_scenarios[] = {
    {"counters", "clients count on parameter servers while tasks and lines fail", sim_counters},
    {"collective", "all-reduce among workers that die and come back, each by itself",
     sim_collective},
    {"sync", "synchronous training with backup workers while lines fail", sim_sync},
};
const int sim_scenario_count = sizeof sim_scenarios / sizeof *sim_scenarios;

enum { CPU_SECONDS = 60 }; /* of a seed */

typedef struct arguments {
    unsigned long long first, last;
    int jobs, scenario;
    bool trace, digest, planted;
    const char *experiment;
} arguments;

static int usage(void)
{
    fprintf(stderr, "usage: sim [--seeds FIRST-LAST] [--scenario NAME] [--mutant NAME] [--jobs N] "
                    "[--trace] [--digest]\nscenarios:\n");
    for (int i = 0; i < sim_scenario_count; i++)
        fprintf(stderr, "  %-14s %s\n", sim_scenarios[i].name, sim_scenarios[i].what);
    fprintf(stderr, "mutants:\n");
    for (int i = 0; i < sim_mutant_count; i++)
        fprintf(stderr, "  %-14s %s\n", sim_mutants[i].name, sim_mutants[i].what);
    return 2;
}

static bool read_arguments(int argc, char **argv, arguments *out)
{
    static const struct option options[] = {
        {"seeds", 1, NULL, 's'},      {"scenario", 1, NULL, 'n'},
        {"jobs", 1, NULL, 'j'},       {"trace", 0, NULL, 't'},
        {"digest", 0, NULL, 'd'},     {"mutant", 1, NULL, 'm'},
        {"experiment", 1, NULL, 'e'}, {0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) >= 0;) {
        if (c == 's' && sscanf(optarg, "%llu-%llu", &out->first, &out->last) == 1)
            out->last = out->first;
        else if (c == 'j')
            out->jobs = atoi(optarg);
        else if (c == 't')
            out->trace = true;
        else if (c == 'd')
            out->digest = true;
        else if (c == 'e')
            out->experiment = optarg;
        else if (c == 'm' && !(out->planted = sim_plant(optarg)))
            return false;
        else if (c == 'n') {
            for (out->scenario = 0; out->scenario < sim_scenario_count; out->scenario++)
                if (!strcmp(sim_scenarios[out->scenario].name, optarg))
                    break;
        } else if (c == '?')
            return false;
    }
    return out->scenario < sim_scenario_count && out->first <= out->last;
}

/* How rough the world is differs from seed to seed. */
static sim_options options_of(unsigned long long seed, bool trace)
{
    static const int preempts[] = {0, 4, 16, 64}, stalls[] = {0, 0, 20000, 4000};
    return (sim_options){.seed = seed,
                         .trace = trace,
                         .end_ns = 1800 * SIM_SECOND,
                         .preempt_one_in = preempts[seed % 4],
                         .stall_one_in = stalls[seed / 4 % 4],
                         .stall_ns = 30 * SIM_MS,
                         .latency_ns = seed / 16 % 2 ? 2 * SIM_MS : 100000,
                         .byte_ps = seed / 32 % 2 ? 8000 : 800,
                         .duplicate_one_in = (int[]){0, 20, 4}[seed % 3],
                         .keeps_answers = seed / 3 % 2};
}

static _Noreturn void run_seed(const arguments *arguments, unsigned long long seed)
{
    sim_options options = options_of(seed, arguments->trace);
    setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS}); /* one that never waits */
    if (options.keeps_answers)
        setenv("WEIR_LIMITS", "kept_answer_mib=1", 1);
    sim_begin(&options);
    sim_scenarios[arguments->scenario].run();
    if (arguments->digest)
        printf("%llu %016llx\n", seed, (unsigned long long)sim_digest());
    fflush(NULL);
    _exit(0);
}

static int collect(unsigned long long *failed)
{
    int status;
    if (wait(&status) < 0)
        return 0;
    if (WIFSIGNALED(status))
        fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
    *failed += !WIFEXITED(status) || WEXITSTATUS(status);
    return 1;
}

static int run_seeds(const arguments *arguments)
{
    unsigned long long failed = 0, total = 0;
    int running = 0;
    for (unsigned long long seed = arguments->first; seed <= arguments->last; seed++) {
        while (running >= arguments->jobs)
            running -= collect(&failed);
        if (failed && arguments->planted)
            break;
        pid_t child = fork();
        if (child == 0)
            run_seed(arguments, seed);
        running += child > 0;
        total++;
    }
    while (running)
        running -= collect(&failed);
    printf("%llu passed, %llu failed\n", total - failed, failed);
    return failed != 0;
}

int main(int argc, char **argv)
{
    arguments arguments = {.first = 1, .last = 20, .jobs = 2};
    if (!read_arguments(argc, argv, &arguments))
        return usage();
    if (!(personality(0xffffffff) & ADDR_NO_RANDOMIZE)) { /* addresses are part of what happens */
        personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE);
        execv("/proc/self/exe", argv);
    }
    setenv("WEIR_TRANSPORTS", "grpc", 1);
    setenv("WEIR_OBSERVE", "0", 1);
    setenv("WEIR_THREADS", "2", 1);
    if (!arguments.trace)
        setenv("WEIR_LOG", "9", 0);
    return arguments.experiment ? sim_experiment(arguments.experiment) : run_seeds(&arguments);
}
