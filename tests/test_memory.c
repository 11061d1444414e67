/* A step takes no memory but scratch memory and what is kept from step to step: after some steps nothing is obtained
 * any more, but where what is kept grows, by a sixteenth, as the liquid comes to new places. Obtaining is counted at
 * the functions of the C library, which the linker wraps (tests/meson.build). */
#include "set_ups.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_bool is_counting;
static atomic_int obtained;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);

static void count_call(void)
{
    if (atomic_load(&is_counting)) atomic_fetch_add(&obtained, 1);
}

void *__wrap_malloc(size_t size)
{
    count_call();
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    count_call();
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    count_call();
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    count_call();
    return __real_aligned_alloc(alignment, size);
}

/* Of the steps that are counted so many may let grow what is kept: the lists once, by each of both threads when it
 * first comes to the fullest part. */
enum { WARM_UP = 80, COUNTED = 20, MOST_GROWING = 2 };

static bool after_step(void *context, const dew_simulation *s)
{
    int *growing = context;
    *growing += atomic_exchange(&obtained, 0) > 0;
    int64_t steps = dew_simulation_step_count(s);
    atomic_store(&is_counting, steps >= WARM_UP && steps < WARM_UP + COUNTED);
    return steps < WARM_UP + COUNTED;
}

static void check_steps(const set_up *u, const char *scene, const char *what)
{
    dew_simulation *s = make(u);
    int growing = 0;
    if (dew_simulation_advance(s, 1, after_step, &growing) != DEW_OK) fail_msg("%s: %s", u->def.method, dew_message());
    dew_simulation_destroy(s);
    if (growing > MOST_GROWING)
        fail_msg("%s, %s, %s: memory was obtained in %d of %d steps", u->def.method, scene, what, growing, COUNTED);
}

/* On a plate, and across periodic and symmetry faces. */
static void check_scenes(const dew_method_info *info, const dew_parameter_value *choice)
{
    const char *what = choice ? choice->text : "as it is by default";
    set_up u;
    falling_drop(&u, info);
    u.def.emitter_count = 0, u.def.frame_rate = 1, u.def.threads = 2;
    u.def.parameters = choice, u.def.parameter_count = choice ? 1 : 0;
    set_ellipsoid(&u.drops[0], u.drops[0].shape.ellipsoid.centre, (dew_vec3){0, 0, 0});
    check_steps(&u, "a drop on a plate", what);
    if (!(info->features & DEW_FEATURE_PERIODIC)) return;
    begin(&u, info, DROP_SPACING);
    u.def.frame_rate = 1, u.def.threads = 2;
    u.def.parameters = choice, u.def.parameter_count = choice ? 1 : 0;
    set_ellipsoid(&u.drops[0], (dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 0});
    u.def.domain.min = (dew_vec3){-1.3 * MILLIMETRE, 0, -1.3 * MILLIMETRE};
    u.def.domain.max = (dew_vec3){1.0 * MILLIMETRE, 2 * MILLIMETRE, 1.3 * MILLIMETRE};
    u.def.domain.axis[0] = DEW_PERIODIC, u.def.domain.axis[1] = DEW_SYMMETRY;
    check_steps(&u, "a drop across faces", what);
}

static void steps_obtain_no_memory(void **state)
{
    (void)state;
    for (int m = 0; m < dew_method_count(); m++) {
        const dew_method_info *info = dew_method_at(m);
        check_scenes(info, NULL);
        for (int k = 0; k < info->parameter_count; k++) {
            char words[256];
            if (!info->parameters[k].choices) continue;
            snprintf(words, sizeof words, "%s", info->parameters[k].choices);
            int index = 0;
            for (char *word = strtok(words, "|"); word; word = strtok(NULL, "|"), index++)
                if (index != (int)info->parameters[k].default_value)
                    check_scenes(info, &(dew_parameter_value){info->parameters[k].name, 0, word});
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_obtain_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
