/* The scenes that come with dew: in ./scenes, and where dew is installed. */
#ifndef CLI_SCENES_H
#define CLI_SCENES_H

#include <stddef.h>

typedef struct scene_entry {
    char *path;  /* a file */
    char *name;  /* below its folder of scenes, without ".yaml": "pbf/impaled-droplet" */
    char *title; /* as the file says; "" */
} scene_entry;

typedef struct scene_list {
    scene_entry *list; /* sorted by name */
    int count;
} scene_list;

scene_list scenes_find(void);
void scenes_free(scene_list *scenes);

/* The file that a user means: a path, or the name of a scene in whole or its last part. Writes into path[size]; where
 * there is none the word itself, and *suggestion (may be NULL on return) a name that is near, to be freed. */
void scene_resolve(const char *word, char *path, size_t size, char **suggestion);

#endif
