/* What can be set during a run. A line in `numbers` makes a number of the scene one that can. */
#include "definition/changes.h"

#include "base/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key;
    world_owner owner;
} numbers[WORLD_PROPERTIES] = {
    [WORLD_GRAVITY] = {"gravity", OF_SCENE},
    [WORLD_VISCOSITY] = {"viscosity", OF_MATERIAL},
    [WORLD_SURFACE_TENSION] = {"surface_tension", OF_MATERIAL},
    [WORLD_YOUNGS_MODULUS] = {"youngs_modulus", OF_MATERIAL},
    [WORLD_SHEAR_MODULUS] = {"shear_modulus", OF_MATERIAL},
    [WORLD_YIELD_STRESS] = {"yield_stress", OF_MATERIAL},
    [WORLD_RELAXATION_TIME] = {"relaxation_time", OF_MATERIAL},
    [WORLD_CONTACT_ANGLE] = {"contact_angle", OF_SOLID},
    [WORLD_RECEDING_ANGLE] = {NULL, OF_SOLID}, /* the path of the other leads to both */
    [WORLD_SLIP_LENGTH] = {"slip_length", OF_SOLID},
    [WORLD_FRICTION] = {"friction", OF_SOLID},
    [WORLD_ADHESION] = {"adhesion", OF_SOLID},
    [WORLD_IS_REMOVED] = {NULL, OF_SOLID},
    [WORLD_IS_HELD] = {NULL, OF_SOLID},
};

/* Of an owner: where its values stand in a scene, its table, what one of them is called. */
static const struct {
    const char *place, *name;
    const dew_property_table *table;
} owners[] = {
    [OF_MATERIAL] = {"materials", "material", &material_table},
    [OF_SOLID] = {"solids", "solid", &solid_table},
};

static const dew_property *find_property(const dew_property_table *table, const char *key)
{
    for (int k = 0; k < table->count; k++)
        if (strcmp(table->properties[k].key, key) == 0 && !(table->properties[k].flags & DEW_PROPERTY_IS_KEY))
            return &table->properties[k];
    return NULL;
}

world_number world_number_of(world_property what)
{
    world_number n = {.key = numbers[what].key, .owner = numbers[what].owner};
    if (n.key) n.property = find_property(n.owner == OF_SCENE ? dew_schema() : owners[n.owner].table, n.key);
    return n;
}

double *world_number_in(world_property what, dew_material_def *material)
{
    return (double *)((char *)material + world_number_of(what).property->offset);
}

/* --- paths --- */

static const char *const scope = "what can: gravity, materials.NAME.KEY, solids.NAME.KEY, domain.KEY";

/* Notes why nothing can be set there. */
#define NOT_FOUND(fault, format_of_advice, advice_of, ...)                                                             \
    (snprintf((fault)->text, sizeof(fault)->text, __VA_ARGS__),                                                        \
     snprintf((fault)->advice, sizeof(fault)->advice, format_of_advice, advice_of), false)

/* The keys of an owner that can be set, as "a, b"; and as a list. */
static int keys_of(world_owner owner, const char *keys[WORLD_PROPERTIES], char *text, size_t size)
{
    int count = 0;
    *text = 0;
    for (int k = 0; k < WORLD_PROPERTIES; k++) {
        if (numbers[k].owner != owner || !numbers[k].key) continue;
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", count ? ", " : "", numbers[k].key);
        keys[count++] = numbers[k].key;
    }
    return count;
}

static bool find_key(world_owner owner, const dew_property_table *table, const char *key, world_property *what,
                     change_fault *fault)
{
    for (int k = 0; k < WORLD_PROPERTIES; k++) {
        if (numbers[k].owner != owner || !numbers[k].key || strcmp(numbers[k].key, key) != 0) continue;
        *what = (world_property)k;
        return true;
    }
    const char *keys[WORLD_PROPERTIES];
    char list[128];
    int count = keys_of(owner, keys, list, sizeof list);
    if (find_property(table, key))
        return NOT_FOUND(fault, "what can: %s", list, "the %s of a %s cannot be set during a run", key, table->name);
    const char *nearest = nearest_word(key, keys, count), *replacement = definition_replacement_of(key);
    if (replacement) return NOT_FOUND(fault, "%s", replacement, "unknown key '%s' in %s", key, table->name);
    if (nearest) return NOT_FOUND(fault, "did you mean '%s'?", nearest, "unknown key '%s' in %s", key, table->name);
    return NOT_FOUND(fault, "what can be set: %s", list, "unknown key '%s' in %s", key, table->name);
}

/* The name of a material or solid; those of solids that have none are numbers from 1, as in files. */
static const char *name_of(const dew_simulation_def *def, world_owner owner, int index, char own[32])
{
    const char *name = owner == OF_MATERIAL ? def->materials[index].name : def->solids[index].name;
    snprintf(own, 32, "%s_%d", owners[owner].name, index + 1);
    return name ? name : own;
}

static bool find_name(const dew_simulation_def *def, world_owner owner, const char *name, int *index,
                      change_fault *fault)
{
    enum { MOST = 255 };
    int count = owner == OF_MATERIAL ? def->material_count : def->solid_count;
    char own[MOST][32], *end;
    const char *names[MOST];
    long number = strtol(name, &end, 10);
    if (count > MOST) count = MOST;
    for (int k = 0; k < count; k++) names[k] = name_of(def, owner, k, own[k]);
    *index = word_index(names, count, name);
    if (*index < 0 && *name && !*end && number >= 0 && number < count) *index = (int)number;
    if (*index >= 0) return true;
    char list[128] = "";
    for (int k = 0; k < count; k++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", k ? ", " : "", names[k]);
    }
    const char *nearest = nearest_word(name, names, count);
    if (nearest) return NOT_FOUND(fault, "did you mean '%s'?", nearest, "unknown %s '%s'", owners[owner].name, name);
    return NOT_FOUND(fault, count ? "there are: %s" : "there is none%s", list, "unknown %s '%s'", owners[owner].name,
                     name);
}

bool change_find(const dew_simulation_def *def, const char *path, world_property *what, int *index, change_fault *fault)
{
    char part[3][80] = {"", "", ""};
    int count = 0;
    *fault = (change_fault){"", ""};
    for (const char *at = path ? path : ""; count < 3; at++) {
        size_t length = strcspn(at, ".");
        snprintf(part[count], sizeof part[count], "%.*s", (int)(length < 79 ? length : 79), at);
        count++, at += length;
        if (!*at) break;
        if (count == 3) return NOT_FOUND(fault, "%s", scope, "nothing can be set at '%.80s'", path);
    }
    *index = 0;
    if (strcmp(part[0], "gravity") == 0 && count == 1) {
        *what = WORLD_GRAVITY;
        return true;
    }
    if (strcmp(part[0], "domain") == 0 && count == 2) {
        *index = ALL_WALLS;
        return find_key(OF_SOLID, &domain_table, part[1], what, fault);
    }
    for (world_owner owner = OF_MATERIAL; owner <= OF_SOLID; owner++)
        if (strcmp(part[0], owners[owner].place) == 0 && count == 3)
            return find_name(def, owner, part[1], index, fault) &&
                   find_key(owner, owners[owner].table, part[2], what, fault);
    static const char *const places[] = {"gravity", "materials", "solids", "domain"};
    const char *nearest = nearest_word(part[0], places, 4);
    if (nearest && strcmp(nearest, part[0]) != 0)
        return NOT_FOUND(fault, "did you mean '%s'?", nearest, "nothing can be set at '%.80s'", path);
    return NOT_FOUND(fault, "%s", scope, "'%.80s' cannot be set during a run", path ? path : "");
}

void change_pattern(char *text, size_t size)
{
    size_t length = 0;
    const char *keys[WORLD_PROPERTIES];
    char list[128];
#define ADD(...) (length += (size_t)snprintf(text + length, length < size ? size - length : 0, __VA_ARGS__))
    ADD("^(gravity");
    for (world_owner owner = OF_MATERIAL; owner <= OF_SOLID; owner++) {
        int count = keys_of(owner, keys, list, sizeof list);
        ADD(owner == OF_SOLID ? "|(domain|solids[.][^.]+)[.](" : "|materials[.][^.]+[.](");
        for (int k = 0; k < count; k++) ADD("%s%s", k ? "|" : "", keys[k]);
        ADD(")");
    }
    ADD(")$");
#undef ADD
}

/* --- all of them --- */

dew_vec3 change_value(world_property what, const dew_setting_def *setting)
{
    if (what != WORLD_CONTACT_ANGLE) return setting->value;
    if (!setting->has_hysteresis) return (dew_vec3){setting->value.x, setting->value.x, 0};
    return (dew_vec3){setting->hysteresis.advancing, setting->hysteresis.receding, 0};
}

int changes_list(const dew_simulation_def *def, change_step *steps)
{
    int count = 0;
#define ADD(...)                                                                                                       \
    do {                                                                                                               \
        if (steps) steps[count] = (change_step)__VA_ARGS__;                                                            \
        count++;                                                                                                       \
    } while (0)
    for (int k = 0; k < def->change_count; k++) {
        const dew_change_def *c = &def->changes[k];
        for (int i = 0; i < c->set_count; i++) {
            change_step made = {.at = c->at};
            change_fault fault;
            if (!change_find(def, c->set[i].path, &made.what, &made.index, &fault)) continue;
            made.value = change_value(made.what, &c->set[i]);
            ADD(made);
        }
        if (c->remove >= 0) ADD({c->at, WORLD_IS_REMOVED, c->remove, {1, 0, 0}});
        if (c->release >= 0) ADD({c->at, WORLD_IS_HELD, c->release, {0, 0, 0}});
    }
#undef ADD
    return count;
}

int changes_made(const change_step *steps, int count, double time, double frame_rate)
{
    int made = 0;
    while (made < count && steps[made].at < time - changes_least_time(frame_rate)) made++;
    return made;
}

unsigned changes_all(const dew_simulation_def *def)
{
    unsigned all = 0;
    for (int k = 0; k < def->change_count; k++) {
        const dew_change_def *c = &def->changes[k];
        world_property what;
        int index;
        change_fault fault;
        for (int i = 0; i < c->set_count; i++)
            if (change_find(def, c->set[i].path, &what, &index, &fault)) all |= 1u << what;
        all |= (unsigned)(c->remove >= 0) << WORLD_IS_REMOVED | (unsigned)(c->release >= 0) << WORLD_IS_HELD;
    }
    return all;
}

/* --- checks --- */

typedef struct change_check {
    const dew_simulation_def *def;
    const definition_judge *judge;
    failures *all;
    char path[64]; /* to what is looked at */
} change_check;
#define SAY(c, advice, ...) failures_note((c)->all, (c)->path, 0, advice, __VA_ARGS__)

static void check_range(change_check *c, const dew_property *p, const dew_vec3 *value)
{
    char text[160];
    for (int k = 0; k < (p->type == DEW_PROPERTY_VECTOR ? 3 : 1); k++)
        if (property_is_wrong(p, (&value->x)[k], text, sizeof text)) SAY(c, NULL, "%s %s", p->key, text);
    if (p->type == DEW_PROPERTY_VECTOR && c->def->dimension == 2 && value->z != 0)
        SAY(c, "two dimensions are the plane z = 0: for example [0, -9.81, 0]", "%s leads out of the plane", p->key);
}

/* The line's two angles, and whether the method holds it between them. */
static void check_hysteresis(change_check *c, const dew_property *p, const dew_hysteresis *h)
{
    const definition_judge *j = c->judge;
    check_range(c, p, &(dew_vec3){h->advancing, 0, 0}), check_range(c, p, &(dew_vec3){h->receding, 0, 0});
    if (h->advancing < h->receding)
        SAY(c, "the line advances at the larger angle",
            "advancing is %g deg; it must be at least the receding one, %g deg", h->advancing, h->receding);
    if (j && j->method && !(j->method->features & DEW_FEATURE_HYSTERESIS))
        SAY(c, j->who_can ? j->who_can(DEW_FEATURE_HYSTERESIS) : NULL, "method '%s' cannot do %s", j->method->name,
            dew_feature_name(DEW_FEATURE_HYSTERESIS));
}

/* A number that follows from others is not set. */
static void check_is_number(change_check *c, world_property what, int index)
{
    const world_number n = world_number_of(what);
    if (n.owner == OF_MATERIAL) {
        const dew_material_def *m = &c->def->materials[index];
        const dew_function *f = property_functions(n.property, m);
        if (f && f->evaluate)
            SAY(c, "let the expression change with T or c", "the %s of '%s' is an expression, which no number replaces",
                n.key, m->name ? m->name : "");
    }
    if (what != WORLD_CONTACT_ANGLE || index == ALL_WALLS) return;
    const dew_solid_def *s = &c->def->solids[index];
    const char *name = s->name ? s->name : "";
    if (s->has_surface_energy)
        SAY(c, "give it a contact_angle at the start", "the contact angle on '%s' follows from its surface energies",
            name);
    else if (s->wets_count > 0)
        SAY(c, "give it one contact_angle for all", "the contact angle on '%s' is another for each material", name);
}

/* A number of an owner before the set-th setting of a change. */
static double value_before(const dew_simulation_def *def, int change, int set, world_property what, int index)
{
    const world_number n = world_number_of(what);
    const void *owner = n.owner == OF_MATERIAL ? (const void *)&def->materials[index]
                        : index == ALL_WALLS   ? (const void *)&def->domain
                                               : (const void *)&def->solids[index];
    const dew_property *p = index == ALL_WALLS ? find_property(&domain_table, n.key) : n.property;
    double value = *(const double *)((const char *)owner + p->offset);
    for (int k = 0; k <= change; k++)
        for (int i = 0; i < (k < change ? def->changes[k].set_count : set); i++) {
            const dew_setting_def *s = &def->changes[k].set[i];
            world_property other;
            int of;
            change_fault fault;
            if (change_find(def, s->path, &other, &of, &fault) && other == what && of == index) value = s->value.x;
        }
    return value;
}

/* After a change a material has one modulus at most, and one at least where its stress yields or relaxes. */
static void check_elasticity(change_check *c, int change, world_property what, int index)
{
    bool is_modulus = what == WORLD_YOUNGS_MODULUS || what == WORLD_SHEAR_MODULUS;
    if (!is_modulus && what != WORLD_YIELD_STRESS && what != WORLD_RELAXATION_TIME) return;
    int all = c->def->changes[change].set_count;
    const char *name = c->def->materials[index].name ? c->def->materials[index].name : "";
    double young = value_before(c->def, change, all, WORLD_YOUNGS_MODULUS, index),
           shear = value_before(c->def, change, all, WORLD_SHEAR_MODULUS, index);
    if (is_modulus && young > 0 && shear > 0)
        SAY(c, "set the modulus that the material has", "'%s' has its elasticity by the other modulus, not by %s", name,
            world_number_of(what).key);
    if (!is_modulus && !(young > 0 || shear > 0) && isfinite(value_before(c->def, change, all, what, index)))
        SAY(c, "set its shear_modulus too", "'%s' is not elastic then, and has no %s", name,
            what == WORLD_YIELD_STRESS ? "yield stress" : "stress to relax");
}

static void check_method(change_check *c, int change, int set, world_property what, int index, double value)
{
    const definition_judge *j = c->judge;
    if (!j || !j->method) return;
    const char *name = j->method->name, *key = world_number_of(what).key;
    if (!(j->may_change & 1u << what)) {
        SAY(c, j->who_may ? j->who_may((int)what) : NULL, "method '%s' cannot take another %s during a run", name, key);
        return;
    }
    bool is_modulus = what == WORLD_YOUNGS_MODULUS || what == WORLD_SHEAR_MODULUS,
         is_between = value > 0 && isfinite(value);
    if (is_modulus && !(j->may_change & 1u << WORLD_ELASTICITY) &&
        (value > 0) != (value_before(c->def, change, set, what, index) > 0))
        SAY(c, j->who_may ? j->who_may(WORLD_ELASTICITY) : NULL,
            "method '%s' cannot make a solid of what flows, or the other way round, during a run", name);
    unsigned feature = is_between ? DEW_FEATURE_SLIP_LENGTH : DEW_FEATURE_NO_SLIP;
    if (what == WORLD_SLIP_LENGTH && isfinite(value) && !(j->method->features & feature))
        SAY(c, j->who_can ? j->who_can(feature) : NULL, "method '%s' cannot do %s", name, dew_feature_name(feature));
}

/* Friction acts where slip is free: after a change both hold, in whatever order it sets them. */
static void check_slip(change_check *c, int change, world_property what, int index)
{
    if (what != WORLD_FRICTION && what != WORLD_SLIP_LENGTH) return;
    int all = c->def->changes[change].set_count;
    const dew_method_info *method = c->judge ? c->judge->method : NULL;
    double slip_length = definition_slip_length(value_before(c->def, change, all, WORLD_SLIP_LENGTH, index),
                                                value_before(c->def, 0, 0, WORLD_FRICTION, index), method);
    if (isfinite(slip_length) && value_before(c->def, change, all, WORLD_FRICTION, index) > 0)
        SAY(c, "set slip_length: free with it, or friction: 0",
            "friction acts where liquid slips freely, and the slip length here is %g m", slip_length);
}

/* Notes that a solid has been removed before the change. */
static bool check_is_there(change_check *c, int change, int solid)
{
    for (int k = 0; k < change; k++) {
        if (c->def->changes[k].remove != solid) continue;
        const char *name = c->def->solids[solid].name;
        SAY(c, NULL, "solid '%s' is gone since %g s", name ? name : "", c->def->changes[k].at);
        return false;
    }
    return true;
}

static void check_setting(change_check *c, int change, int set)
{
    const dew_setting_def *s = &c->def->changes[change].set[set];
    world_property what;
    int index;
    change_fault fault;
    if (!change_find(c->def, s->path, &what, &index, &fault)) {
        SAY(c, *fault.advice ? fault.advice : NULL, "%s", fault.text);
        return;
    }
    if (numbers[what].owner == OF_SOLID && index >= 0 && !check_is_there(c, change, index)) return;
    const dew_property *p = world_number_of(what).property;
    if (s->has_hysteresis && what == WORLD_CONTACT_ANGLE)
        check_hysteresis(c, p, &s->hysteresis);
    else
        check_range(c, p, &s->value);
    check_is_number(c, what, index);
    check_slip(c, change, what, index);
    check_elasticity(c, change, what, index);
    check_method(c, change, set, what, index, s->value.x);
}

/* Notes of a solid that nothing holds before the change. */
static void check_release(change_check *c, int change, int solid)
{
    const dew_solid_def *s = &c->def->solids[solid];
    const char *name = s->name ? s->name : "";
    if (!s->has_rigid) {
        SAY(c, "only a rigid body can be let loose", "solid '%s' is not a rigid body", name);
        return;
    }
    if (!s->rigid.is_held) SAY(c, "hold it at the start: rigid: {held: true}", "solid '%s' is not held", name);
    for (int k = 0; k < change && s->rigid.is_held; k++)
        if (c->def->changes[k].release == solid)
            SAY(c, NULL, "solid '%s' is loose since %g s", name, c->def->changes[k].at);
}

static void check_solid(change_check *c, int change, const char *key, int solid)
{
    size_t length = strlen(c->path);
    if (solid < 0) return;
    snprintf(c->path + length, sizeof c->path - length, ".%s", key);
    if (solid >= c->def->solid_count)
        SAY(c, NULL, "there is no solid %d; there are %d", solid, c->def->solid_count);
    else if (check_is_there(c, change, solid) && strcmp(key, "release") == 0)
        check_release(c, change, solid);
    c->path[length] = 0;
}

void changes_check(const dew_simulation_def *def, const definition_judge *judge, failures *all)
{
    change_check c = {def, judge, all, ""};
    for (int k = 0; k < def->change_count && def->changes; k++) {
        const dew_change_def *change = &def->changes[k];
        for (int i = 0; i < change->set_count && change->set; i++) {
            snprintf(c.path, sizeof c.path, "changes[%d].set[%d]", k, i);
            check_setting(&c, k, i);
        }
        snprintf(c.path, sizeof c.path, "changes[%d]", k);
        check_solid(&c, k, "remove", change->remove), check_solid(&c, k, "release", change->release);
        if (change->set_count == 0 && change->remove < 0 && change->release < 0)
            SAY(&c, "give it set, remove or release", "nothing changes at %g s", change->at);
        snprintf(c.path, sizeof c.path, "changes[%d].at", k);
        if (k > 0 && change->at < def->changes[k - 1].at)
            SAY(&c, "changes must follow each other in time", "the change at %g s is before the one above it, at %g s",
                change->at, def->changes[k - 1].at);
    }
}
