#include "cli/watching.h"

#include <math.h>
#include <stdio.h>

void watching_begin(watching *w, const dew_simulation *s)
{
    for (int k = 0; k < DEW_WATCHED; k++) w->is_told[k] = dew_simulation_watched(s, (dew_watched_quantity)k).is_beyond;
    w->time = dew_simulation_time(s);
}

/* "+2.1 %"; the ratios of dissipations and viscosities are pure numbers. */
static void print_value(FILE *f, int which, double value)
{
    if (which == DEW_WATCHED_DISSIPATION || which == DEW_WATCHED_VISCOSITY)
        fprintf(f, "%.3g times", value);
    else
        fprintf(f, "%+.2g %%", 100 * value);
}

static const char *const leaving_names[] = {
    [DEW_PERIODIC] = "periodic", [DEW_SYMMETRY] = "symmetry", [DEW_OUTFLOW] = "outflow"};
static const char *const leaving_reasons[] = {
    [DEW_PERIODIC] = "bodies do not come in on the other side: a wall or a joint would hold it",
    [DEW_SYMMETRY] = "planes of symmetry do not hold bodies: a wall or a joint would, or take the whole scene",
    [DEW_OUTFLOW] = "liquid is removed there, and bodies go on: a wall or a joint would hold it"};

/* Of bodies that have got deep into other solids since the last look. */
static int tell_crushing(const watching *w, const dew_simulation *s, const progress_line *line)
{
    dew_body_crushing b;
    int count = 0;
    for (int k = 0; k < dew_frame_solid_count(dew_simulation_frame(s)); k++) {
        if (!dew_simulation_body_is_crushed(s, k, &b) || !(b.time > w->time)) continue;
        count++;
        progress_clear(line);
        fprintf(stderr, "warning: the body '%s' is crushed ", b.name);
        if (b.by) fprintf(stderr, "between '%s' and '%s': ", b.into, b.by);
        fprintf(stderr,
                "at %.4g s, %.3g m deep in '%s', and is at (%g, %g, %g) m; what moves as the scene says does so "
                "whatever is in its way: end that before, or make it a body that a slider's drive moves by a force\n",
                b.time, b.depth, b.into, b.centre.x, b.centre.y, b.centre.z);
    }
    return count;
}

/* Of bodies that have left since the last look. */
static int tell_leaving(const watching *w, const dew_simulation *s, const progress_line *line)
{
    dew_body_leaving b;
    int count = 0;
    for (int k = 0; k < dew_frame_solid_count(dew_simulation_frame(s)); k++) {
        if (!dew_simulation_body_has_left(s, k, &b) || !(b.time > w->time)) continue;
        count++;
        progress_clear(line);
        fprintf(stderr,
                "warning: the body '%s' has left the domain by its %s face %s at %.4g s and is at (%g, %g, %g) m; "
                "%s\n",
                b.name, leaving_names[b.by], b.face, b.time, b.centre.x, b.centre.y, b.centre.z, leaving_reasons[b.by]);
    }
    return count;
}

int watching_tell(watching *w, const dew_simulation *s, const progress_line *line)
{
    static const char *const causes[DEW_WATCHED] = {
        [DEW_WATCHED_DENSITY] =
            ("a finer spacing, or shorter steps (cfl of the method), may mend it; gaps and nozzles need "
             "some spacings across"),
        [DEW_WATCHED_ENERGY] = "a finer spacing, or another method (--method), may mend it",
        [DEW_WATCHED_LOOSE] = "liquid is shed particle by particle: a finer spacing resolves what comes off",
        [DEW_WATCHED_MOMENTUM] = "this is a fault of the method",
        [DEW_WATCHED_MASS] = "liquid has left the scene",
        [DEW_WATCHED_DISSIPATION] = "the method is not as viscous as the material: a finer spacing may mend it",
        [DEW_WATCHED_NARROW] = "how it parts and flows there is not resolved: a finer spacing resolves more",
        [DEW_WATCHED_VISCOSITY] = "waves die sooner: a finer spacing adds less",
    };
    int count = tell_leaving(w, s, line) + tell_crushing(w, s, line);
    w->time = dew_simulation_time(s);
    for (int k = 0; k < DEW_WATCHED; k++) {
        dew_watched at = dew_simulation_watched(s, (dew_watched_quantity)k);
        if (!at.is_beyond || w->is_told[k]) continue;
        w->is_told[k] = true, count++;
        progress_clear(line);
        fprintf(stderr, "warning: %s: %s ", at.name, at.sentence);
        print_value(stderr, k, at.now);
        fprintf(stderr, " at %.4g s (limit %g %%); %s\n", dew_simulation_time(s), 100 * at.limit, causes[k]);
    }
    return count;
}

void watching_print(const dew_simulation *s)
{
    int looks = dew_simulation_look_count(s), frames = dew_simulation_frame(s)->index + 1;
    if (looks < frames)
        printf("  Watched at %d of %d frames, the start among them (watch: {steps: 1}: at all):\n", looks, frames);
    for (int k = 0; k < DEW_WATCHED; k++) {
        dew_watched at = dew_simulation_watched(s, (dew_watched_quantity)k);
        if (isnan(at.now) && at.worst == 0) {
            if (k == DEW_WATCHED_ENERGY)
                printf("  %-13s not told: where more than two tensions differ, or there is none to compare with\n",
                       at.name);
            continue;
        }
        printf("  %-13s at worst ", at.name);
        print_value(stdout, k, at.worst);
        if (at.worst != 0) printf(" at %.4g s", at.worst_time);
        printf("%s\n", at.is_beyond ? "  (beyond its limit)" : "");
    }
}
