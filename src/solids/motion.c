#include "solids/motion.h"

#include <stdlib.h>
#include <string.h>

dew_result motion_create(motion *m, const dew_motion_def *def)
{
    memset(m, 0, sizeof *m);
    m->pivot = def->pivot;
    m->is_moving = def->keyframe_count > 1;
    for (int k = 0; k < 3; k++) {
        m->translation_of[k] = def->translation_of[k];
        m->rotation_of[k] = def->rotation_of[k];
        if (def->translation_of[k].evaluate || def->rotation_of[k].evaluate) m->is_moving = true;
    }
    if (def->keyframe_count == 0) return DEW_OK;
    m->keyframes = malloc((size_t)def->keyframe_count * sizeof *m->keyframes);
    if (!m->keyframes) return result_fail(DEW_NO_MEMORY, "no memory for %d keyframes", def->keyframe_count);
    memcpy(m->keyframes, def->keyframes, (size_t)def->keyframe_count * sizeof *m->keyframes);
    m->keyframe_count = def->keyframe_count;
    return DEW_OK;
}

void motion_release(motion *m) { free(m->keyframes); }

static dew_vec3 between(dew_vec3 a, dew_vec3 b, double f) { return vec3_add(a, vec3_scale(f, vec3_sub(b, a))); }

/* The index of the last keyframe not after `time`; -1 before the first. */
static int keyframe_before(const motion *m, double time)
{
    int low = -1, high = m->keyframe_count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (m->keyframes[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double replaced(dew_function f, double time, double value)
{
    if (!f.evaluate) return value;
    const double *inputs[1] = {&time};
    f.evaluate(f.context, 1, inputs, &value);
    return value;
}

static void place_at(const motion *m, double time, dew_vec3 *translation, dew_vec3 *rotation)
{
    dew_vec3 t = {0, 0, 0}, r = {0, 0, 0};
    if (m->keyframe_count > 0) {
        int k = keyframe_before(m, time), last = m->keyframe_count - 1;
        const dew_keyframe *a = &m->keyframes[k < 0 ? 0 : k], *b = k < 0 || k == last ? a : a + 1;
        double f = b == a ? 0 : (time - a->time) / (b->time - a->time);
        t = between(a->translation, b->translation, f);
        r = between(a->rotation, b->rotation, f);
    }
    const dew_function *tf = m->translation_of, *rf = m->rotation_of;
    *translation = (dew_vec3){replaced(tf[0], time, t.x), replaced(tf[1], time, t.y), replaced(tf[2], time, t.z)};
    *rotation = (dew_vec3){replaced(rf[0], time, r.x), replaced(rf[1], time, r.y), replaced(rf[2], time, r.z)};
}

pose motion_pose(const motion *m, double time)
{
    pose p = {.pivot = m->pivot};
    place_at(m, time, &p.translation, &p.rotation);
    double angle = vec3_length(p.rotation);
    dew_vec3 a = angle > 0 ? vec3_scale(1 / angle, p.rotation) : (dew_vec3){0, 0, 1};
    double c = cos(angle), o = 2 * sin(angle / 2) * sin(angle / 2), s = sin(angle);
    vec3_rotation(a, c, s, o, p.row);
    p.is_identity = angle == 0 && vec3_dot(p.translation, p.translation) == 0;
    return p;
}

void pose_distance(const pose *p, const shape *s, double band, int count, const real4 *points, real4 *out)
{
    enum { BLOCK = 64 };
    real4 own[BLOCK];
    own[0] = points[0]; /* or compilers fear for an empty block */
    for (int first = 0; first < count; first += BLOCK, points += BLOCK, out += BLOCK) {
        int n = count - first < BLOCK ? count - first : BLOCK;
        for (int i = 0; i < n; i++) {
            dew_vec3 x = pose_undo(p, (dew_vec3){points[i].x, points[i].y, points[i].z});
            own[i] = (real4){(real)x.x, (real)x.y, (real)x.z, 0};
        }
        shape_distance(s, band, n, own, out);
        for (int i = 0; i < n; i++) {
            dew_vec3 normal = vec3_turned(p->row, (dew_vec3){out[i].x, out[i].y, out[i].z});
            out[i].x = (real)normal.x, out[i].y = (real)normal.y, out[i].z = (real)normal.z;
        }
    }
}

/* The rotation vector that leads from one attitude to the other. About a fixed axis it is the difference, turns and
 * all; else it is read off the matrix between the two, and is at most half a turn. */
static dew_vec3 rotation_between(const pose *from, const pose *to)
{
    dew_vec3 a = from->rotation, b = to->rotation, across = vec3_cross(a, b);
    if (vec3_length(across) <= 1e-12 * vec3_length(a) * vec3_length(b)) return vec3_sub(b, a);
    double m[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[i][j] = vec3_dot(to->row[i], from->row[j]);
    dew_vec3 skew = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
    double sine = vec3_length(skew) / 2, cosine = (m[0][0] + m[1][1] + m[2][2] - 1) / 2;
    if (sine < 1e-9 && cosine > 0) return vec3_scale(0.5, skew);
    if (sine < 1e-9) { /* half a turn: the axis is the largest column of m + 1 */
        int k = m[0][0] > m[1][1] ? (m[0][0] > m[2][2] ? 0 : 2) : (m[1][1] > m[2][2] ? 1 : 2);
        dew_vec3 axis = {m[0][k] + (k == 0), m[1][k] + (k == 1), m[2][k] + (k == 2)};
        return vec3_scale(PI, vec3_normalise(axis));
    }
    return vec3_scale(atan2(sine, cosine) / (2 * sine), skew);
}

static twist twist_between(const pose *from, const pose *to, double interval)
{
    return (twist){.linear = vec3_scale(1 / interval, vec3_sub(to->translation, from->translation)),
                   .angular = vec3_scale(1 / interval, rotation_between(from, to)),
                   .centre = vec3_add(to->pivot, to->translation)};
}

twist motion_twist(const motion *m, double begin, double end)
{
    pose to = motion_pose(m, end);
    if (!(end > begin) || !m->is_moving) return (twist){.centre = vec3_add(to.pivot, to.translation)};
    pose from = motion_pose(m, begin);
    return twist_between(&from, &to, end - begin);
}

double motion_max_speed(const motion *m, double begin, double end, double arm, dew_vec3 frame)
{
    enum { SAMPLES = 16 };
    if (!(end > begin)) return 0;
    if (!m->is_moving) return vec3_length(frame);
    double most = 0, time = begin;
    pose from = motion_pose(m, begin);
    for (int k = 1; k <= SAMPLES && time < end;) {
        /* To the next sample, or to a keyframe if one comes before. */
        double next = k == SAMPLES ? end : begin + (end - begin) * k / SAMPLES;
        int key = keyframe_before(m, time) + 1;
        if (key < m->keyframe_count && m->keyframes[key].time < next)
            next = m->keyframes[key].time;
        else
            k++;
        if (!(next > time)) continue;
        pose to = motion_pose(m, next);
        twist t = twist_between(&from, &to, next - time);
        most = fmax(most, vec3_length(vec3_sub(t.linear, frame)) + arm * vec3_length(t.angular));
        from = to, time = next;
    }
    return most;
}
