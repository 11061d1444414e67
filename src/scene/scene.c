/* Scene files: reading, and run.yaml. */
#include "base/number.h"
#include "base/parallel.h"
#include "base/result.h"
#include "base/words.h"
#include "dew/dew.h"
#include "io/atomic.h"
#include "scene/reader.h"
#include "sim/simulation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILE = 16 << 20 };

/* A folder of a run holds a scene. */
static const char *folder_hint(const dew_scene *s)
{
    const char *run = text_format(s->memory, "%s/run.yaml", s->path);
    return access(run, R_OK) == 0 ? text_format(s->memory, "that of a run, whose scene is %s", run)
                                  : "name the scene's file: a short YAML text, see `dew list scenes`";
}

/* The file's text in the scene's memory; NULL after a complaint. */
static const char *read_file(dew_scene *s, complaints *c, dew_result *result)
{
    place whole = {0, 0, 0, 0};
    *result = DEW_IO;
    FILE *in = fopen(s->path, "rb");
    struct stat info;
    if (!in || fstat(fileno(in), &info) != 0) {
        complain(c, whole, NULL, "%s", strerror(errno));
        if (in) fclose(in);
        return NULL;
    }
    const char *wrong = S_ISDIR(info.st_mode) ? "it is a folder" : info.st_size > MAX_FILE ? "larger than 16 MB" : NULL;
    size_t room = S_ISREG(info.st_mode) ? (size_t)info.st_size : MAX_FILE;
    char *text = wrong ? NULL : arena_alloc(s->memory, room + 2);
    size_t length = text ? fread(text, 1, room + 1, in) : 0;
    if (text && ferror(in))
        wrong = strerror(errno);
    else if (length > MAX_FILE)
        wrong = "larger than 16 MB";
    fclose(in);
    if (wrong || !text) {
        const char *hint = S_ISDIR(info.st_mode) ? folder_hint(s) : "a scene is a short YAML text";
        complain(c, whole, wrong ? hint : NULL, "%s", wrong ? wrong : "out of memory");
        return NULL;
    }
    text[length] = 0;
    *result = DEW_INVALID;
    if (strlen(text) != length) {
        complain(c, whole, "a scene is a YAML text", "it holds bytes that are not text");
        return NULL;
    }
    return text;
}

static void apply_setting(complaints *c, arena *memory, node *root, const char *setting)
{
    int source = complaints_add_source(c, text_format(memory, "--set %s", setting), NULL);
    const char *equals = strchr(setting, '=');
    if (!equals) {
        complain(c, (place){source, 0, 0, 0}, "write KEY=VALUE, such as spacing=0.2mm", "there is no '=' in it");
        return;
    }
    tree_set(c, source, root, text_copy(memory, setting, (size_t)(equals - setting)), equals + 1);
}

static void choose_method(reader *r, node *root, const char *option)
{
    const dew_simulation_def *def = &r->scene->def;
    if (option) {
        int source = complaints_add_source(r->complaints, text_format(r->memory, "--method %s", option), NULL);
        tree_set(r->complaints, source, root, "method", option);
    } else if (!tree_get(root, "method")) {
        r->method = dew_method_find(def->method);
    }
}

/* Whether what other parts are judged by could be read. */
static bool is_basis_right(node *root)
{
    const dew_property_table *table = dew_schema();
    for (int k = 0; k < table->count; k++) {
        const node *n =
            table->properties[k].flags & DEW_PROPERTY_BASIS ? tree_get(root, table->properties[k].key) : NULL;
        if (n && tree_is_wrong(n)) return false;
    }
    return true;
}

/* The core's part: ranges, features, and where there are mistakes all that shows only when the rest is made, so that
 * all of it is told at once. */
static void judge(dew_scene *s, complaints *c)
{
    failures all = {.result = DEW_OK};
    bool is_whole = simulation_check(&s->def, &all);
    check_output(&s->output, &all);
    if (is_whole && is_basis_right(s->root) && (complaints_count(c) || all.result != DEW_OK))
        simulation_try(&s->def, &all);
    complain_of_failures(c, s->root, &all);
}

/* `text` NULL: the file's. */
static dew_result interpret(dew_scene *s, complaints *c, const char *text, const dew_scene_options *options)
{
    dew_result result = DEW_OK;
    text = text ? text_copy(s->memory, text, strlen(text)) : read_file(s, c, &result);
    if (!text) return result;
    complaints_set_text(c, 0, text);
    s->complaints = c;
    node *root = tree_parse(c, 0, text);
    if (root && root->kind != NODE_MAP) {
        complain(c, root->at, "see docs/scene-format.md", "a scene is a map of keys, such as 'spacing: 0.1 mm'");
        root = NULL;
    }
    if (!root) return DEW_INVALID;
    reader r = {.scene = s, .memory = s->memory, .complaints = c, .units = units_create()};
    if (!r.units) {
        complain(c, (place){0, 0, 0, 0}, "reinstall udunits2", "the table of units cannot be read");
        return DEW_IO;
    }
    for (int i = 0; options && i < options->setting_count; i++) apply_setting(c, s->memory, root, options->settings[i]);
    choose_method(&r, root, options ? options->method : NULL);
    s->root = root;
    read_record(&r, dew_schema(), root, &s->def);
    check_scene(&r, root, options ? options->usual_frame_rate : 0);
    units_destroy(r.units);
    if (r.result != DEW_OK) return r.result;
    judge(s, c);
    return complaints_count(c) ? DEW_INVALID : DEW_OK;
}

static void set_path(dew_scene *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    s->path = text_copy(s->memory, path, strlen(path));
    s->directory = !slash ? "." : slash == path ? "/" : text_copy(s->memory, path, (size_t)(slash - path));
}

static dew_result read_scene(const char *given, const char *path, const dew_scene_options *options, dew_scene **scene,
                             char **complaints_out)
{
    *scene = NULL;
    if (complaints_out) *complaints_out = NULL;
    dew_scene *s = calloc(1, sizeof *s);
    if (s) s->memory = arena_create();
    complaints *c = s && s->memory ? complaints_create(s->memory) : NULL;
    if (!c || complaints_add_source(c, path, NULL) < 0) {
        dew_scene_destroy(s);
        return result_fail(DEW_NO_MEMORY, "no memory to read %s", path);
    }
    set_path(s, path);
    s->def = dew_default_simulation_def();
    s->output.render = dew_default_render_def();
    dew_result result = interpret(s, c, given, options);
    if (result == DEW_OK) {
        *scene = s;
        return DEW_OK;
    }
    char *text = complaints_text(c);
    result_fail(result, "%s", text ? text : "no memory for the complaints");
    dew_scene_destroy(s);
    if (complaints_out)
        *complaints_out = text;
    else
        free(text);
    return result;
}

dew_result dew_scene_read(const char *path, const dew_scene_options *options, dew_scene **scene, char **complaints_out)
{
    return read_scene(NULL, path, options, scene, complaints_out);
}

dew_result dew_scene_read_text(const char *text, const char *name, const dew_scene_options *options, dew_scene **scene,
                               char **complaints_out)
{
    return read_scene(text, name, options, scene, complaints_out);
}

void dew_scene_destroy(dew_scene *s)
{
    if (!s) return;
    for (expression_link *e = s->expressions; e; e = e->next) expression_destroy(e->expression);
    for (mesh_link *m = s->meshes; m; m = m->next) mesh_file_free(&m->mesh);
    arena_destroy(s->memory);
    free(s);
}

const dew_simulation_def *dew_scene_definition(const dew_scene *scene) { return &scene->def; }
const dew_scene_output *dew_scene_output_of(const dew_scene *scene) { return &scene->output; }

void dew_scene_set_colour_range(dew_scene *scene, double min, double max)
{
    scene->output.render.colour_min = min, scene->output.render.colour_max = max;
}

/* --- run.yaml --- */

static double given_parameter(const dew_simulation_def *def, const dew_parameter *p)
{
    for (int k = def->parameter_count; k-- > 0;)
        if (strcmp(def->parameters[k].name, p->name) == 0) return def->parameters[k].number;
    return p->default_value;
}

static void write_parameters(writer *w, const dew_simulation *simulation)
{
    const dew_simulation_def *def = &w->scene->def;
    const dew_method_info *info = simulation ? dew_simulation_method(simulation) : dew_method_find(def->method);
    if (!info || !info->parameter_count) return;
    fprintf(w->out, "%s:\n", info->name);
    for (int i = 0; i < info->parameter_count; i++) {
        const dew_parameter *p = &info->parameters[i];
        double value = simulation ? dew_simulation_parameter(simulation, i) : given_parameter(def, p);
        fprintf(w->out, "  %s: ", p->name);
        int length;
        const char *word = p->choices ? words_at(p->choices, (int)value, &length) : NULL;
        if (word)
            fprintf(w->out, "%.*s", length, word);
        else
            number_print(w->out, value, 15);
        fputc('\n', w->out);
    }
}

char *dew_scene_text(const dew_scene *scene, const dew_simulation *simulation)
{
    char *text = NULL;
    size_t size = 0, solids_size = (size_t)scene->def.solid_count * sizeof *scene->def.solids;
    dew_simulation_def used = scene->def;
    dew_solid_def *copies = malloc(solids_size + 1);
    FILE *out = copies ? open_memstream(&text, &size) : NULL;
    if (!out) {
        free(copies);
        return NULL;
    }
    if (solids_size > 0) memcpy(copies, used.solids, solids_size);
    used.solids = copies;
    definition_set_slip_lengths(&used, copies, dew_method_find(used.method));
    writer w = {.out = out, .scene = scene};
    fprintf(out, "# Every value that this run used. A scene itself: dew run run.yaml\n");
    fprintf(out, "# scene: %s\n# dew: %s\n# threads: %d\n", scene->path, DEW_VERSION, parallel_threads());
    if (simulation) fprintf(out, "# particles at the start: %d\n", dew_simulation_particle_count(simulation));
    write_entries(&w, dew_schema(), &used, true);
    write_entry(&w, &output_property, scene, false);
    write_parameters(&w, simulation);
    free(copies);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

dew_result dew_scene_write(const dew_scene *scene, const dew_simulation *simulation, const char *path)
{
    char *text = dew_scene_text(scene, simulation);
    if (!text) return result_fail(DEW_NO_MEMORY, "no memory to write %s", path);
    dew_result result = io_write_file(path, text, strlen(text));
    free(text);
    return result;
}
