/* lab/report/scale.c - maps values to page coordinates, with round numbers on the axes. */
#include <math.h>

#include "lab/report/report_impl.h"

/* The smallest of 1, 2, 5 times a power of ten that is at least |least|. */
static double round_step(double least)
{
    double power = pow(10, floor(log10(least)));
    for (int i = 0; i < 3; i++)
        if (power * (double[]){1, 2, 5}[i] >= least * 0.999999)
            return power * (double[]){1, 2, 5}[i];
    return power * 10;
}

static void add_ticks(scale *scale, double step, double low, double high)
{
    double first = ceil(low / step - 1e-9);
    for (int i = 0; i < TICKS && (first + i) * step <= high + step * 1e-6; i++)
        scale->ticks[scale->tick_count++] = (first + i) * step;
    double digits = -floor(log10(step) + 1e-9);
    scale->decimals = digits > 0 ? (int)fmin(digits, 9) : 0;
}

static scale logarithmic(double low, double high, double from, double to)
{
    scale scale = {.log = true, .from = from, .to = to};
    low = low > 0 ? low : high > 0 ? high / 1000 : 1;
    high = high > low ? high : low;
    scale.low = floor(log10(low) + 1e-9);
    scale.high = ceil(log10(high) - 1e-9);
    scale.high = scale.high > scale.low ? scale.high : scale.low + 1;
    int every = (int)ceil((scale.high - scale.low + 1) / 8);
    for (double e = scale.low; e <= scale.high + 1e-9 && scale.tick_count < TICKS; e += every)
        scale.ticks[scale.tick_count++] = pow(10, e);
    return scale;
}

scale scale_make(double low, double high, bool log, int wanted, double from, double to)
{
    if (log)
        return logarithmic(low, high, from, to);
    scale scale = {.from = from, .to = to};
    if (!(high > low))
        high = low + (low != 0 ? fabs(low) * 0.1 : 1);
    double step = round_step((high - low) / wanted);
    scale.low = floor(low / step + 1e-9) * step;
    scale.high = ceil(high / step - 1e-9) * step;
    add_ticks(&scale, step, scale.low, scale.high);
    return scale;
}

scale scale_exact(double low, double high, int wanted, double from, double to)
{
    scale scale = {.from = from, .to = to, .low = low, .high = high > low ? high : low + 1};
    add_ticks(&scale, round_step((scale.high - scale.low) / wanted), scale.low, scale.high);
    return scale;
}

double scale_at(const scale *scale, double value)
{
    double number = scale->log ? log10(value > 0 ? value : 1e-300) : value;
    double part = (number - scale->low) / (scale->high - scale->low);
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return scale->from + part * (scale->to - scale->from);
}

void scale_label(const scale *scale, double tick, weir_buf *out)
{
    static const char *const suffixes[] = {"", "k", "M", "G", "T"};
    double ends = scale->tick_count
                      ? fmax(fabs(scale->ticks[0]), fabs(scale->ticks[scale->tick_count - 1]))
                      : 0;
    double size = scale->log ? fabs(tick) : ends >= 1e4 ? ends : 0; /* uniform for an axis */
    int unit = size >= 1e3 ? (int)(log10(size * 1.000001) / 3) : 0;
    unit = unit > 4 ? 4 : unit;
    if (unit && tick != 0)
        weir_buf_addf(out, "%.4g%s", tick / pow(1e3, unit), suffixes[unit]);
    else if (scale->log)
        weir_buf_addf(out, "%.4g", tick);
    else
        weir_buf_addf(out, "%.*f", unit ? 0 : scale->decimals, tick);
}
