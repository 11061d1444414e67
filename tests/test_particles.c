/* The particle store: fields keep together, ghosts are where a double loop over images finds them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "particles/ghosts.h"

static const field_info extra[] = {
    {"mass", "kg", "Mass", FIELD_REAL, 1, FIELD_RESTART | FIELD_GHOST},
    {"moment", "N m", "A vector", FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR},
    {"before", "m", "An earlier place", FIELD_REAL4, 3, FIELD_GHOST | FIELD_POSITION},
    {"private", "", "Not kept by ghosts", FIELD_INT32, 1, 0},
    {"flag", "", "A flag", FIELD_UINT8, 1, FIELD_GHOST},
};
enum { MASS = FIELD_CORE_COUNT, MOMENT, BEFORE, PRIVATE, FLAG };

static real4 place(int k) { return (real4){(real)(k % 7), (real)(k / 7 % 5), (real)(k / 35), (real)k}; }

/* Every field of a slot says which particle it is. */
static void mark(particles *p, int begin)
{
    for (int k = begin; k < p->count; k++) {
        int id = p->id[k];
        ((real *)p->data[MASS])[k] = (real)(id + 1);
        ((real4 *)p->data[MOMENT])[k] = (real4){(real)id, (real)(2 * id), (real)(3 * id), (real)(4 * id)};
        ((real4 *)p->data[BEFORE])[k] = place(id);
        ((int32_t *)p->data[PRIVATE])[k] = -id;
        ((uint8_t *)p->data[FLAG])[k] = (uint8_t)id;
    }
}

static void check(const particles *p, int slot)
{
    int id = p->id[slot];
    real4 x = place(id);
    assert_memory_equal(&p->position[slot], &x, sizeof x);
    assert_true(p->velocity[slot].y == (real)id && p->material[slot] == id % 3);
    assert_true(((real *)p->data[MASS])[slot] == (real)(id + 1));
    assert_true(((real4 *)p->data[MOMENT])[slot].w == (real)(4 * id));
    assert_true(((real4 *)p->data[BEFORE])[slot].x == place(id).x);
    assert_int_equal(((int32_t *)p->data[PRIVATE])[slot], -id);
    assert_int_equal(((uint8_t *)p->data[FLAG])[slot], (uint8_t)id);
}

static dew_result make_ghosts(particles *p, const dew_domain_def *domain, double reach)
{
    RESULT_TRY(ghosts_find(p, domain, reach));
    ghosts_fill(p);
    return DEW_OK;
}

static void check_frame(const particles *p)
{
    assert_int_equal(p->ghost_begin, (p->count + 3) / 4 * 4);
    assert_true(p->end >= p->ghost_begin && p->end + 4 <= p->capacity);
    for (int k = p->count; k < p->end + 4; k++) {
        if (k >= p->ghost_begin && k < p->end) continue;
        assert_true(p->position[k].x == PARTICLE_FAR && p->position[k].z == PARTICLE_FAR && p->position[k].w == 0);
        assert_true(p->velocity[k].x == 0 && p->id[k] == 0 && ((real *)p->data[MASS])[k] == 0);
    }
    for (int f = 0; f < p->field_count; f++) assert_int_equal((uintptr_t)p->data[f] % 64, 0);
}

static void open_store(particles *p)
{
    assert_int_equal(particles_create(p), DEW_OK);
    for (int f = 0; f < 5; f++) {
        int index;
        assert_int_equal(particles_add_field(p, &extra[f], &index), DEW_OK);
        assert_int_equal(index, FIELD_CORE_COUNT + f);
    }
}

static void insert(particles *p, int count)
{
    for (int k = 0; k < count; k++) {
        int id = p->next_id;
        real4 x = place(id), v = {0, (real)id, 0, 0};
        assert_int_equal(particles_insert(p, 1, &x, &v, (uint8_t)(id % 3)), DEW_OK);
    }
    mark(p, p->count - count);
}

static void fields_keep_together(void **state)
{
    (void)state;
    particles p;
    open_store(&p);
    check_frame(&p);
    insert(&p, 103);
    check_frame(&p);
    for (int k = 0; k < p.count; k++) check(&p, k);
    uint8_t remove[103];
    for (int k = 0; k < 103; k++) remove[k] = k % 5 == 2;
    uint32_t revision = p.revision;
    particles_remove(&p, remove);
    assert_true(p.revision != revision);
    assert_int_equal(p.count, 82);
    check_frame(&p);
    for (int k = 0; k < p.count; k++) check(&p, k);
    for (int k = 1; k < p.count; k++) assert_true(p.id[k] > p.id[k - 1]);
    int32_t order[200];
    for (int k = 0; k < p.count; k++) order[k] = k * 37 % p.count;
    int32_t first = p.id[order[1]];
    assert_int_equal(particles_reorder(&p, order), DEW_OK);
    assert_int_equal(p.id[1], first);
    check_frame(&p);
    for (int k = 0; k < p.count; k++) check(&p, k);
    insert(&p, 40);
    assert_int_equal(p.id[p.count - 1], 142); /* ids are never used again */
    assert_int_equal(particles_reserve(&p, 5000, 100), DEW_OK);
    check_frame(&p);
    for (int k = 0; k < p.count; k++) check(&p, k);
    for (int k = 0; k < 103; k++) remove[k] = 1;
    while (p.count) {
        int some = p.count < 103 ? p.count : 103;
        uint8_t all[200] = {0};
        memcpy(all, remove, (size_t)some);
        particles_remove(&p, all);
        check_frame(&p);
    }
    particles_destroy(&p);
}

static void field_table(void **state)
{
    (void)state;
    particles p;
    open_store(&p);
    assert_string_equal(p.info[FIELD_POSITION_INDEX].name, "position");
    assert_string_equal(p.info[FLAG].name, "flag");
    int index;
    while (p.field_count < MAX_FIELDS) assert_int_equal(particles_add_field(&p, &extra[0], &index), DEW_OK);
    assert_int_equal(particles_add_field(&p, &extra[0], &index), DEW_INVALID);
    particles_destroy(&p);
    particles_destroy(&p); /* of an empty store too */
}

static bool in_reach(double x, double min, double max, dew_boundary kind, int choice, double reach)
{
    if (kind != DEW_PERIODIC && kind != DEW_SYMMETRY) return false;
    return choice == 1 ? x < min + reach : x > max - reach;
}

static double image(double x, double min, double max, dew_boundary kind, int choice)
{
    if (kind == DEW_PERIODIC) return choice == 1 ? x + (max - min) : x - (max - min);
    return 2 * (choice == 1 ? min : max) - x;
}

/* Every combination of kinds: each image that a plain loop finds is a ghost, once, with mirrored vectors. */
static void ghosts_of_all_faces(void **state)
{
    (void)state;
    const dew_boundary kinds[] = {DEW_OPEN, DEW_PERIODIC, DEW_SYMMETRY, DEW_WALL};
    double min[3] = {-0.5, -0.5, -0.5}, max[3] = {6.5, 4.5, 2.5}, reach = 2;
    for (int combination = 0; combination < 64; combination++) {
        dew_domain_def domain = {.min = {min[0], min[1], min[2]}, .max = {max[0], max[1], max[2]}};
        for (int a = 0; a < 3; a++) domain.axis[a] = kinds[combination >> 2 * a & 3];
        particles p;
        open_store(&p);
        insert(&p, 105);
        assert_int_equal(make_ghosts(&p, &domain, reach), DEW_OK);
        check_frame(&p);
        int expected = 0;
        for (int i = 0; i < p.count; i++)
            for (int c = 1; c < 27; c++) {
                int choice[3] = {c % 3, c / 3 % 3, c / 9};
                bool exists = true;
                double x[3], sign[3] = {1, 1, 1};
                for (int a = 0; a < 3; a++) {
                    x[a] = (double)(&p.position[i].x)[a];
                    if (!choice[a]) continue;
                    exists &= in_reach(x[a], min[a], max[a], domain.axis[a], choice[a], reach);
                    if (domain.axis[a] == DEW_SYMMETRY) sign[a] = -1;
                    x[a] = image(x[a], min[a], max[a], domain.axis[a], choice[a]);
                }
                if (!exists) continue;
                expected++;
                int found = 0;
                for (int g = p.ghost_begin; g < p.end; g++) {
                    real4 y = p.position[g], moment = ((real4 *)p.data[MOMENT])[g];
                    double id = p.id[i];
                    if (p.id[g] != p.id[i] ||
                        fabs((double)y.x - x[0]) + fabs((double)y.y - x[1]) + fabs((double)y.z - x[2]) > 1e-5)
                        continue;
                    found++;
                    for (int a = 0; a < 3; a++) assert_int_equal(ghosts_axes(&p, g) >> a & 1, choice[a] != 0);
                    assert_true(y.w == p.position[i].w && p.material[g] == p.material[i]);
                    assert_true(moment.x == sign[0] * id && moment.y == sign[1] * 2 * id &&
                                moment.z == sign[2] * 3 * id);
                    assert_true(((real *)p.data[MASS])[g] == (real)(id + 1) && ((int32_t *)p.data[PRIVATE])[g] == 0);
                    assert_true(((real4 *)p.data[BEFORE])[g].x == y.x && ((real4 *)p.data[BEFORE])[g].z == y.z);
                }
                assert_int_equal(found, 1);
            }
        assert_int_equal(p.end - p.ghost_begin, expected);
        for (int i = 0; i < p.count; i++) ((real *)p.data[MASS])[i] *= 2;
        particles_update_ghosts(&p, MASS);
        for (int g = p.ghost_begin; g < p.end; g++) assert_true(((real *)p.data[MASS])[g] == (real)(2 * p.id[g] + 2));
        assert_int_equal(make_ghosts(&p, NULL, reach), DEW_OK);
        assert_int_equal(p.end, p.ghost_begin);
        check_frame(&p);
        particles_destroy(&p);
    }
}

/* Of xy a plane across x turns the sign, one across z does not. */
static void bends_are_mirrored(void **state)
{
    (void)state;
    dew_domain_def domain = {
        .min = {-0.5, -0.5, -0.5}, .max = {6.5, 4.5, 2.5}, .axis = {DEW_SYMMETRY, DEW_PERIODIC, DEW_SYMMETRY}};
    particles p;
    open_store(&p);
    insert(&p, 105);
    assert_int_equal(make_ghosts(&p, &domain, 2), DEW_OK);
    real4 *bend[6];
    for (int m = 0; m < 6; m++) {
        bend[m] = aligned_obtain((size_t)p.end * sizeof *bend[m]);
        for (int i = 0; i < p.count; i++) bend[m][i] = (real4){1, 2, (real)(m + 1), 0};
    }
    ghosts_copy_bends(&p, bend);
    for (int g = p.ghost_begin; g < p.end; g++) {
        real x = ghosts_axes(&p, g) & 1 ? -1 : 1, z = ghosts_axes(&p, g) & 4 ? -1 : 1;
        const real sign[6] = {1, 1, 1, z, z * x, x};
        for (int m = 0; m < 6; m++) {
            assert_true(bend[m][g].x == sign[m] * x && bend[m][g].y == 2 * sign[m]);
            assert_true(bend[m][g].z == sign[m] * z * (real)(m + 1));
        }
    }
    for (int m = 0; m < 6; m++) aligned_release(bend[m]);
    particles_destroy(&p);
}

static void too_narrow(void **state)
{
    (void)state;
    particles p;
    open_store(&p);
    insert(&p, 10);
    dew_domain_def domain = {.min = {0, 0, 0}, .max = {10, 1, 10}, .axis = {DEW_OPEN, DEW_PERIODIC, DEW_OPEN}};
    assert_int_equal(make_ghosts(&p, &domain, 2), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "1 m wide along y"));
    particles_destroy(&p);
}

static void wrapping(void **state)
{
    (void)state;
    particles p;
    open_store(&p);
    insert(&p, 5);
    real4 *before = p.data[BEFORE];
    dew_domain_def domain = {.min = {0, 0, 0}, .max = {10, 5, 8}, .axis = {DEW_PERIODIC, DEW_OPEN, DEW_PERIODIC}};
    const real x[] = {-1, 10, 25, 3, NAN};
    for (int k = 0; k < 5; k++) {
        p.position[k].x = x[k], p.position[k].y = 70, p.position[k].z = -9;
        before[k].x = x[k] - (real)0.5;
    }
    particles_wrap(&p, NULL);
    assert_true(p.position[0].x == -1);
    particles_wrap(&p, &domain);
    assert_true(p.position[0].x == 9 && p.position[1].x == 0 && p.position[2].x == 5 && p.position[3].x == 3);
    assert_true(isnan(p.position[4].x) && p.position[0].y == 70 && p.position[0].z == 7);
    assert_true(before[0].x == (real)8.5 && before[2].x == (real)4.5); /* moved with the place, even if outside */
    particles_destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_keep_together), cmocka_unit_test(field_table), cmocka_unit_test(ghosts_of_all_faces),
        cmocka_unit_test(bends_are_mirrored),   cmocka_unit_test(too_narrow),  cmocka_unit_test(wrapping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
