/* What can only be said of the scene as a whole, and where in it the core's complaints belong. */
#include "scene/reader.h"

#include "base/words.h"
#include "dew/dew.h"
#include "sim/simulation.h"

#include <math.h>
#include <string.h>

/* Names that are left out become solid_1, solid_2, ...; two entries of a list cannot have the same. */
static void check_names(reader *r, const char *what, node *list, char *items, int count, size_t size, size_t offset)
{
    node *entry = list ? list->first : NULL;
    for (int i = 0; i < count && entry; i++, entry = entry->next) {
        const char **name = (const char **)(items + (size_t)i * size + offset);
        if (!*name) *name = text_format(r->memory, "%s_%d", what, i + 1);
        for (int k = 0; k < i; k++) {
            if (strcmp(*(const char **)(items + (size_t)k * size + offset), *name) != 0) continue;
            node *given = tree_get(entry, "name");
            wrong(r, given ? given : entry, "give each its own", "two %ss have the name '%s'", what, *name);
            break;
        }
    }
}

/* In two dimensions down is -y. */
static void check_gravity(reader *r, node *root)
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

/* A run has at least SHORT_FRAMES frames where neither the scene nor `usual` gives a rate, and one where one does. */
static void check_frame_rate(reader *r, node *root, double usual)
{
    enum { SHORT_FRAMES = 60 };
    dew_simulation_def *def = &r->scene->def;
    const node *given = tree_get(root, "frame_rate");
    if (!(def->duration > 0)) return;
    if (!given)
        def->frame_rate = usual > 0 ? usual : fmax(def->frame_rate, SHORT_FRAMES / def->duration);
    else if (def->frame_rate > 0 && def->duration * def->frame_rate < 1 - 1e-9)
        complain(r->complaints, given->at,
                 text_format(r->memory, "%.3g 1/s would show %d frames", SHORT_FRAMES / def->duration, SHORT_FRAMES),
                 "one frame lasts %.3g s, longer than the duration of %.3g s", 1 / def->frame_rate, def->duration);
}

/* --- fields --- */

enum { MAX_KNOWN = 64 };

static void check_field(reader *r, node *n, const char *const *known, int count)
{
    if (n->kind != NODE_TEXT || word_index(known, count, n->text) >= 0) return;
    complain(r->complaints, n->at, suggest(r->memory, n->text, "fields", known, count), "unknown field '%s'%s%s%s",
             n->text, r->method ? " of method '" : "", r->method ? r->method->name : "", r->method ? "'" : "");
}

static void check_fields(reader *r, node *root)
{
    static const char *const wanted[] = {"velocity", "pressure", "is_surface"};
    enum { WANTED = sizeof wanted / sizeof wanted[0] };
    dew_scene_output *output = &r->scene->output;
    const char *known[MAX_KNOWN];
    node *block = tree_get(root, "output"), *fields = tree_get(block, "fields"),
         *colour_by = tree_get(block, "colour_by");
    const method *m = r->method ? method_find(r->method->name) : NULL;
    int count = m ? simulation_field_names(&r->scene->def, m, known, MAX_KNOWN) : 0;
    if (count && fields)
        for (node *n = fields->first; n; n = n->next) check_field(r, n, known, count);
    if (count && colour_by) check_field(r, colour_by, known, count);
    if (fields) return;
    const char **names = obtain(r, WANTED * sizeof *names);
    if (!names) return;
    for (int i = 0; i < WANTED; i++)
        if (word_index(known, count, wanted[i]) >= 0) names[output->field_count++] = wanted[i];
    output->fields = names;
}

/* --- parts of probes --- */

static void check_part(reader *r, node *given, const char *kind, const char *kinds, const char *const *names, int count)
{
    if (!given || given->kind != NODE_TEXT || word_index(names, count, given->text) >= 0) return;
    wrong(r, given, suggest(r->memory, given->text, kinds, names, count), "unknown %s '%s'", kind, given->text);
}

static void check_parts(reader *r, node *root)
{
    static const char *const walls[] = {"wall -x", "wall +x", "wall -y", "wall +y", "wall -z", "wall +z"};
    enum { WALLS = sizeof walls / sizeof *walls };
    const dew_simulation_def *d = &r->scene->def;
    const char **materials = obtain(r, (size_t)(d->material_count + 1) * sizeof *materials);
    const char **bodies = obtain(r, (size_t)(d->solid_count + WALLS) * sizeof *bodies);
    node *probes = tree_get(root, "probes");
    if (!materials || !bodies || !probes || probes->kind != NODE_LIST) return;
    int count = 0;
    for (int k = 0; k < d->material_count; k++) materials[k] = d->materials[k].name;
    for (int k = 0; k < d->solid_count; k++) bodies[count++] = d->solids[k].name;
    for (int k = 0; k < WALLS; k++) {
        bool is_there = d->domain.axis[k / 2] == DEW_WALL && (k < 4 || d->dimension == 3);
        if (is_there) bodies[count++] = walls[k];
    }
    for (node *probe = probes->first; probe; probe = probe->next) {
        node *of = tree_get(probe, "of");
        if (!of) continue;
        check_part(r, tree_get(of, "material"), "material", "materials", materials, d->material_count);
        check_part(r, tree_get(of, "solid"), "solid", "solids", bodies, count);
    }
}

void check_scene(reader *r, node *root, double usual_frame_rate)
{
    const dew_simulation_def *d = &r->scene->def;
    check_names(r, "solid", tree_get(root, "solids"), (char *)d->solids, d->solid_count, sizeof *d->solids,
                offsetof(dew_solid_def, name));
    check_names(r, "probe", tree_get(root, "probes"), (char *)d->probes, d->probe_count, sizeof *d->probes,
                offsetof(dew_probe_def, name));
    check_parts(r, root);
    check_gravity(r, root);
    check_frame_rate(r, root, usual_frame_rate);
    check_fields(r, root);
}

/* --- the core's complaints --- */

void complain_of_failures(complaints *c, node *root, const failures *all)
{
    for (int k = 0; k < all->count; k++) {
        dew_failure one = failures_at(all, k);
        node *n = tree_find(root, one.path);
        if (n != root && tree_is_wrong(n)) continue;
        place at = n->kind == NODE_TEXT ? n->at : n->key ? n->key_at : n->at;
        complain(c, at, *one.advice ? text_copy(complaints_memory(c), one.advice, strlen(one.advice)) : NULL, "%s",
                 one.sentence);
    }
}

char *dew_scene_explain(const dew_scene *scene)
{
    complaints *c = complaints_about_same(scene->complaints);
    failures all = {.result = DEW_OK};
    if (!c) return NULL;
    failures_add(&all, DEW_INVALID, "%s", "");
    complain_of_failures(c, scene->root, &all);
    return complaints_text(c);
}
