#include "measure/samples.h"

#include <stdlib.h>

int samples_choose(const measurement *m, int samples, int32_t *sample)
{
    dew_field id;
    const int32_t *ids = dew_frame_field(m->frame, "id", &id) && id.type == DEW_FIELD_INT32 ? id.data : NULL;
    int step = (m->count + samples - 1) / samples, count = 0;
    for (int i = 0; i < m->count; i++)
        if ((ids ? ids[i] : i) % step == 0) sample[count++] = i;
    return count;
}

int samples_directions(int dimension, dew_vec3 *direction, int *kind)
{
    int count = 0;
    for (int k = 0; k < 27; k++) {
        int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1, axes = abs(x) + abs(y) + abs(z);
        if (axes == 0 || (dimension == 2 && z != 0)) continue;
        if (kind) kind[count] = axes;
        direction[count++] = vec3_normalise((dew_vec3){x, y, z});
    }
    return count;
}
