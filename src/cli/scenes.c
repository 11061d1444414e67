#include "cli/scenes.h"

#include "base/words.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What nftw's callback, which takes no context, writes to. Commands run once in a process. */
static scene_list found;
static size_t root_length;

static char *read_title(const char *path)
{
    char line[512], title[512] = "";
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "title: %511[^\n]", title) == 1) break;
    }
    if (file) fclose(file);
    size_t length = strlen(title);
    if (length >= 2 && (title[0] == '"' || title[0] == '\'') && title[length - 1] == title[0]) {
        title[length - 1] = 0;
        return strdup(title + 1);
    }
    return strdup(title);
}

static void entry_free(scene_entry *e) { free(e->path), free(e->name), free(e->title); }

static int add_scene(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    (void)about, (void)walk;
    size_t length = strlen(path);
    if (kind != FTW_F || length < 6 || strcmp(path + length - 5, ".yaml") != 0) return 0;
    char *name = strndup(path + root_length, length - 5 - root_length);
    for (int i = 0; name && i < found.count; i++) {
        if (strcmp(found.list[i].name, name) != 0) continue;
        free(name); /* the nearer folder has it */
        return 0;
    }
    scene_entry *grown = realloc(found.list, ((size_t)found.count + 1) * sizeof *grown);
    if (grown) found.list = grown;
    scene_entry entry = {strdup(path), name, read_title(path)};
    if (grown && entry.path && entry.name && entry.title) {
        found.list[found.count++] = entry;
        return 0;
    }
    entry_free(&entry);
    return 1;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const scene_entry *)a)->name, ((const scene_entry *)b)->name);
}

scene_list scenes_find(void)
{
    static const char *const roots[] = {"scenes", DEW_SCENES};
    found = (scene_list){NULL, 0};
    for (int i = 0; i < 2; i++) {
        root_length = strlen(roots[i]) + 1;
        if (access(roots[i], R_OK) == 0) nftw(roots[i], add_scene, 16, FTW_PHYS);
    }
    scene_list scenes = found;
    if (scenes.count > 1) qsort(scenes.list, (size_t)scenes.count, sizeof *scenes.list, by_name);
    return scenes;
}

void scenes_free(scene_list *scenes)
{
    for (int i = 0; i < scenes->count; i++) entry_free(&scenes->list[i]);
    free(scenes->list);
}

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static char *suggest(const scene_list *scenes, const char *word)
{
    const char **words = calloc(2 * (size_t)scenes->count + 1, sizeof *words);
    if (!words) return NULL;
    for (int i = 0; i < scenes->count; i++) {
        words[2 * i] = scenes->list[i].name, words[2 * i + 1] = last_part(scenes->list[i].name);
    }
    char bare[256];
    snprintf(bare, sizeof bare, "%s", last_part(word));
    size_t length = strlen(bare);
    if (length > 5 && strcmp(bare + length - 5, ".yaml") == 0) bare[length - 5] = 0;
    const char *nearest = nearest_word(bare, words, 2 * scenes->count);
    char *result = NULL;
    for (int i = 0; nearest && !result && i < 2 * scenes->count; i++)
        if (words[i] == nearest) result = strdup(scenes->list[i / 2].path);
    free(words);
    return result;
}

void scene_resolve(const char *word, char *path, size_t size, char **suggestion)
{
    snprintf(path, size, "%s", word);
    *suggestion = NULL;
    if (access(word, F_OK) == 0) return;
    scene_list scenes = scenes_find();
    const scene_entry *s = scenes.list, *end = s + scenes.count;
    while (s < end && strcmp(s->name, word) != 0 && strcmp(last_part(s->name), word) != 0) s++;
    if (s < end)
        snprintf(path, size, "%s", s->path);
    else
        *suggestion = suggest(&scenes, word);
    scenes_free(&scenes);
}
