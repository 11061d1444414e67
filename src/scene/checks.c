/* What can only be said of the scene as a whole. */
#include "scene/tables.h"

#include "base/result.h"
#include "base/words.h"
#include "scene/expression.h"

#include <string.h>

static void check_liquids(reader *r, const node *root)
{
    dew_simulation_def *def = &r->scene->def;
    if (def->liquid_count + def->emitter_count > 0) return;
    const node *liquids = tree_get(root, "liquids");
    if ((liquids && liquids->count) || tree_get(root, "emitters")) return; /* complained of already */
    static const char *const wanted[] = {"liquids", "emitters"};
    for (const node *entry = root->first; entry; entry = entry->next)
        if (entry != liquids && nearest_word(entry->key, wanted, 2)) return; /* misspelt: likewise */
    complain(
        r->complaints, liquids ? liquids->at : root->at,
        "give a liquid with its shape, for example liquids: [{shape: {sphere: {centre: [0, 0, 0], radius: 1 mm}}}]",
        "there is no liquid: %s", liquids ? "'liquids' is empty" : "neither 'liquids' nor 'emitters' is given");
}

static void name_solids(reader *r, const node *root)
{
    const node *list = tree_get(root, "solids"), *entry = list ? list->first : NULL;
    dew_solid_def *solids = (dew_solid_def *)r->scene->def.solids;
    for (int i = 0; i < r->scene->def.solid_count && entry; i++, entry = entry->next) {
        if (!solids[i].name) solids[i].name = text_format(r->memory, "solid_%d", i + 1);
        for (int k = 0; k < i; k++) {
            if (strcmp(solids[k].name, solids[i].name) != 0) continue;
            const node *name = tree_get(entry, "name");
            complain(r->complaints, name ? name->at : entry->at, "give each its own", "two solids have the name '%s'",
                     solids[i].name);
            break;
        }
    }
}

static void name_probes(reader *r, const node *root)
{
    const node *list = tree_get(root, "probes"), *entry = list ? list->first : NULL;
    const dew_probe_def *probes = r->scene->def.probes;
    for (int i = 0; i < r->scene->def.probe_count && entry; i++, entry = entry->next)
        for (int k = 0; k < i && probes[i].name; k++)
            if (probes[k].name && strcmp(probes[k].name, probes[i].name) == 0) {
                complain(r->complaints, tree_get(entry, "name")->at, "give each its own",
                         "two probes have the name '%s'", probes[i].name);
                break;
            }
}

/* Every method that has a feature, for hints. */
static const char *methods_with(reader *r, unsigned feature)
{
    const char *list = NULL;
    for (int i = 0; i < dew_method_count(); i++) {
        const dew_method_info *m = dew_method_at(i);
        if (m->features & feature) list = list ? text_format(r->memory, "%s, %s", list, m->name) : m->name;
    }
    return list ? text_format(r->memory, "methods that can: %s", list) : NULL;
}

static void need_feature(reader *r, unsigned feature, const node *n, const char *what)
{
    if (!n || r->method->features & feature) return;
    complain(r->complaints, n->kind == NODE_TEXT ? n->at : n->key_at, methods_with(r, feature),
             "method '%s' cannot do %s", r->method->name, what);
}

static void check_domain_features(reader *r, const node *domain)
{
    for (int axis = 0; axis < 3; axis++) {
        const node *n = tree_get(domain, (const char[2]){"xyz"[axis], 0});
        if (n && r->scene->def.domain.axis[axis] == DEW_PERIODIC)
            need_feature(r, DEW_FEATURE_PERIODIC, n, "periodic axes");
        if (n && r->scene->def.domain.axis[axis] == DEW_SYMMETRY)
            need_feature(r, DEW_FEATURE_SYMMETRY, n, "symmetry planes");
    }
}

/* A key that needs temperatures, or something dissolved: with it they are followed, which not every method can. */
static void need_carried(reader *r, unsigned feature, const node *n, const char *what)
{
    if (!n) return;
    *(feature == DEW_FEATURE_HEAT ? &r->scene->def.has_heat : &r->scene->def.has_solute) = true;
    need_feature(r, feature, n, what);
}

static void check_heat(reader *r, const node *root)
{
    const dew_simulation_def *def = &r->scene->def;
    if (!r->method) return;
    need_carried(r, DEW_FEATURE_HEAT, tree_get(root, "heat"), "heat");
    need_carried(r, DEW_FEATURE_HEAT, tree_get(tree_get(root, "domain"), "heat"), "heat");
    static const struct {
        const char *list, *key, *what;
    } keys[] = {{"materials", "melting_point", "melting"},
                {"liquids", "temperature", "temperatures"},
                {"emitters", "temperature", "temperatures"},
                {"solids", "heat", "heat"}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const node *list = tree_get(root, keys[k].list);
        for (const node *n = list ? list->first : NULL; n; n = n->next)
            need_carried(r, DEW_FEATURE_HEAT, tree_get(n, keys[k].key), keys[k].what);
    }
    const node *m = def->material_count ? tree_get(root, "materials")->first : NULL;
    for (int i = 0; m && i < def->material_count; m = m->next, i++) {
        if (expression_uses(def->materials[i].surface_tension_of_temperature, 'T'))
            need_carried(r, DEW_FEATURE_HEAT, tree_get(m, "surface_tension"), "a surface tension of temperature");
        if (expression_uses(def->materials[i].viscosity_of_temperature, 'T'))
            need_carried(r, DEW_FEATURE_HEAT, tree_get(m, "viscosity"), "a viscosity of temperature");
    }
}

static void check_solute(reader *r, const node *root)
{
    const dew_simulation_def *def = &r->scene->def;
    if (!r->method) return;
    static const char *const keys[][2] = {{"liquids", "concentration"}, {"emitters", "concentration"}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const node *list = tree_get(root, keys[k][0]);
        for (const node *n = list ? list->first : NULL; n; n = n->next)
            need_carried(r, DEW_FEATURE_SOLUTE, tree_get(n, keys[k][1]), "something dissolved");
    }
    const node *m = def->material_count ? tree_get(root, "materials")->first : NULL;
    for (int i = 0; m && i < def->material_count; m = m->next, i++) {
        if (def->materials[i].evaporation > 0)
            need_carried(r, DEW_FEATURE_SOLUTE, tree_get(m, "evaporation"), "something dissolved");
        if (expression_uses(def->materials[i].surface_tension_of_temperature, 'c'))
            need_carried(r, DEW_FEATURE_SOLUTE, tree_get(m, "surface_tension"), "a surface tension of concentration");
        if (expression_uses(def->materials[i].viscosity_of_temperature, 'c'))
            need_carried(r, DEW_FEATURE_SOLUTE, tree_get(m, "viscosity"), "a viscosity of concentration");
    }
}

static void check_features(reader *r, const node *root)
{
    const dew_simulation_def *def = &r->scene->def;
    if (!r->method) return;
    if (!(r->method->features & (def->dimension == 2 ? DEW_FEATURE_2D : DEW_FEATURE_3D))) r->is_basis_wrong = true;
    if (def->dimension == 2) need_feature(r, DEW_FEATURE_2D, tree_get(root, "dimension"), "dimension 2");
    if (def->dimension == 3 && !(r->method->features & DEW_FEATURE_3D)) {
        const node *n = tree_get(root, "dimension");
        need_feature(r, DEW_FEATURE_3D, n ? n : root, "dimension 3");
    }
    check_domain_features(r, tree_get(root, "domain"));
    const node *materials = tree_get(root, "materials");
    if (def->material_count > 1)
        need_feature(r, DEW_FEATURE_TWO_LIQUIDS, materials->first->next, "more than one liquid");
    for (const node *m = def->material_count ? materials->first : NULL; m; m = m->next)
        for (int k = 0; k < 2; k++)
            need_feature(r, DEW_FEATURE_ELASTIC, tree_get(m, k ? "poisson_ratio" : "youngs_modulus"), "elastic solids");
    const node *solids = tree_get(root, "solids");
    for (const node *s = def->solid_count ? solids->first : NULL; s; s = s->next) {
        need_feature(r, DEW_FEATURE_CONTACT_ANGLE, tree_get(s, "contact_angle"), "contact angles");
        need_feature(r, DEW_FEATURE_CONTACT_ANGLE, tree_get(s, "surface_energy"), "surface energies of solids");
    }
    const node *s = def->solid_count ? solids->first : NULL;
    for (int i = 0; s && i < def->solid_count; s = s->next, i++)
        if (def->solids[i].no_slip) need_feature(r, DEW_FEATURE_NO_SLIP, tree_get(s, "no_slip"), "walls without slip");
    if (def->domain.no_slip)
        need_feature(r, DEW_FEATURE_NO_SLIP, tree_get(tree_get(root, "domain"), "no_slip"), "walls without slip");
}

/* In two dimensions down is -y. */
static void check_gravity(reader *r, const node *root)
{
    dew_simulation_def *def = &r->scene->def;
    const node *given = tree_get(root, "gravity");
    if (def->dimension != 2) return;
    if (!given)
        def->gravity = (dew_vec3){0, -9.81, 0};
    else if (def->gravity.z != 0)
        complain(r->complaints, given->at, "two dimensions are the plane z = 0: for example [0, -9.81, 0]",
                 "gravity pulls out of the plane");
}

/* --- fields --- */

enum { MAX_KNOWN = 64 };

static void give_one(void *context, int count, const double *const *inputs, double *output)
{
    (void)context, (void)inputs;
    for (int i = 0; i < count; i++) output[i] = 1;
}

/* Which fields there are, the method says when it is created: so a drop of a few particles is, with the scene's method
 * and parameters. 0 when that is not possible. */
static int find_fields(reader *r, const char *names[MAX_KNOWN])
{
    const dew_simulation_def *def = &r->scene->def;
    dew_material_def material = dew_default_material_def();
    dew_liquid_def liquid = dew_default_liquid_def();
    liquid.shape = dew_box((dew_vec3){-2e-3, -2e-3, -2e-3}, (dew_vec3){2e-3, 2e-3, 2e-3});
    liquid.fill = DEW_FILL_CUBIC;
    dew_simulation_def small = dew_default_simulation_def();
    small.method = def->method;
    small.has_heat = def->has_heat, small.has_solute = def->has_solute;
    for (int i = 0; i < def->material_count; i++) {
        if (isfinite(def->materials[i].melting_point)) material.melting_point = 273.15;
        if (def->materials[i].viscosity_of_temperature.evaluate)
            material.viscosity_of_temperature = (dew_function){give_one, NULL};
    }
    small.dimension = def->dimension;
    small.spacing = 1e-3;
    small.gravity = (dew_vec3){0, 0, 0};
    small.materials = &material, small.material_count = 1;
    small.liquids = &liquid, small.liquid_count = 1;
    small.parameters = def->parameters, small.parameter_count = def->parameter_count;
    dew_simulation *simulation = NULL;
    if (dew_simulation_create(&small, &simulation) != DEW_OK) return 0;
    const dew_frame *frame = dew_simulation_frame(simulation);
    int count = frame->field_count;
    if (count > MAX_KNOWN) count = MAX_KNOWN;
    for (int i = 0; i < count; i++) {
        const char *name = frame->fields[i].name;
        names[i] = text_copy(r->memory, name, strlen(name));
    }
    dew_simulation_destroy(simulation);
    return count;
}

static bool is_among(const char *word, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}

static void check_field(reader *r, const node *n, const char *const *known, int count)
{
    if (n->kind != NODE_TEXT || is_among(n->text, known, count)) return;
    complain(r->complaints, n->at, suggest(r->memory, n->text, "fields", known, count), "unknown field '%s'%s%s%s",
             n->text, r->method ? " of method '" : "", r->method ? r->method->name : "", r->method ? "'" : "");
}

static void check_fields(reader *r, const node *root)
{
    static const char *const wanted[] = {"velocity", "pressure", "is_surface"};
    enum { WANTED = sizeof wanted / sizeof wanted[0] };
    dew_scene_output *output = &r->scene->output;
    const char *known[MAX_KNOWN];
    const node *block = tree_get(root, "output"), *fields = tree_get(block, "fields"),
               *colour_by = tree_get(block, "colour_by");
    /* A scene that is wrong anyway needs no default fields. */
    bool is_needed = fields || colour_by || complaints_count(r->complaints) == 0;
    int count = r->method && is_needed ? find_fields(r, known) : 0;
    if (count && fields)
        for (const node *n = fields->first; n; n = n->next) check_field(r, n, known, count);
    if (count && colour_by) check_field(r, colour_by, known, count);
    if (fields) return;
    const char **names = keys_obtain(r, WANTED * sizeof *names);
    if (!names) return;
    for (int i = 0; i < WANTED; i++)
        if (is_among(wanted[i], known, count)) names[output->field_count++] = wanted[i];
    output->fields = names;
}

void checks_of_scene(reader *r, const node *root)
{
    check_liquids(r, root);
    name_solids(r, root);
    name_probes(r, root);
    check_features(r, root);
    check_heat(r, root);
    check_solute(r, root);
    check_gravity(r, root);
    check_fields(r, root);
}
