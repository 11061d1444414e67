/* Every method that there is. */
#include "methods/ddr/ddr.h"
#include "methods/method.h"
#include "methods/mpm/mpm.h"
#include "methods/mps/mps.h"
#include "methods/pbf/pbf.h"
#include "methods/sph/sph.h"

#include <stdio.h>
#include <string.h>

const method *const method_registry[] = {
    &method_pbf, &method_ddr, &method_sph, &method_mpm, &method_mps, NULL,
};

const method *method_find(const char *name)
{
    if (!name) return NULL;
    for (int i = 0; method_registry[i]; i++) {
        if (strcmp(method_registry[i]->info.name, name) == 0) return method_registry[i];
    }
    return NULL;
}

static const char *list_of(unsigned features, unsigned changes)
{
    static _Thread_local char list[256];
    list[0] = 0;
    for (int i = 0; method_registry[i]; i++) {
        const method *m = method_registry[i];
        size_t length = strlen(list);
        if (!(m->info.features & features) && !(m->may_change & changes)) continue;
        snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "methods that can: ", m->info.name);
    }
    return *list ? list : NULL;
}

const char *method_who_can(unsigned features) { return list_of(features, 0); }
const char *method_who_may(int what) { return list_of(0, 1u << what); }

int dew_method_count(void)
{
    int count = 0;
    while (method_registry[count]) count++;
    return count;
}

const dew_method_info *dew_method_at(int index)
{
    return index >= 0 && index < dew_method_count() ? &method_registry[index]->info : NULL;
}

const dew_method_info *dew_method_find(const char *name)
{
    const method *m = method_find(name);
    return m ? &m->info : NULL;
}
