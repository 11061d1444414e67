/* Pictures: what must be seen is seen, shadows are dark, threads change nothing. */
#include "plain_frame.h"

#include "dew/render.h"
#include "render/camera.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { WIDTH = 160, HEIGHT = 120 };

static uint8_t picture[3 * WIDTH * HEIGHT];

static const uint8_t *pixel_at(double x, double y)
{
    return picture + 3 * ((int)(y * HEIGHT) * WIDTH + (int)(x * WIDTH));
}

static int brightness(const uint8_t *p) { return p[0] + p[1] + p[2]; }
static bool is_blue(const uint8_t *p) { return p[2] > p[0] + 40; }

static dew_render_def small_def(void)
{
    dew_render_def def = dew_default_render_def();
    def.width = WIDTH, def.height = HEIGHT;
    return def;
}

/* A ball of particles of radius `cells` spacings. */
static plain_frame *ball(double spacing, int cells, double height)
{
    plain_frame *b = plain_frame_create(spacing);
    int count = 0;
    for (int z = -cells; z <= cells; z++)
        for (int y = -cells; y <= cells; y++)
            for (int x = -cells; x <= cells; x++) {
                if (x * x + y * y + z * z > cells * cells) continue;
                dew_real *p = b->position[count];
                p[0] = (dew_real)(x * spacing), p[1] = (dew_real)(y * spacing), p[2] = (dew_real)(z * spacing + height);
                b->velocity[count][2] = (dew_real)z;
                count++;
            }
    plain_frame_count(b, count);
    return b;
}

static void draw(const dew_render_def *def, const plain_frame *f, int threads, int samples)
{
    dew_renderer *r;
    assert_int_equal(dew_renderer_create(def, threads, &r), DEW_OK);
    assert_int_equal(dew_renderer_draw(r, &f->frame, samples, picture), DEW_OK);
    dew_renderer_destroy(r);
}

/* The same picture whatever the unit: a drop of a micrometre and one of ten metres. */
static void ball_is_seen_in_the_middle(void **state)
{
    (void)state;
    static const double spacings[] = {1e-7, 1e-4, 1};
    for (int k = 0; k < 3; k++) {
        plain_frame *s = ball(spacings[k], 10, 0);
        dew_render_def def = small_def();
        draw(&def, s, 2, 4);
        assert_true(is_blue(pixel_at(0.5, 0.45)));
        for (int corner = 0; corner < 4; corner++)
            assert_false(is_blue(pixel_at(corner & 1 ? 0.99 : 0.01, corner & 2 ? 0.99 : 0.01)));
        int blue = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++) blue += is_blue(picture + 3 * i);
        assert_in_range(blue, WIDTH * HEIGHT / 6, WIDTH * HEIGHT / 2);
        plain_frame_destroy(s);
    }
}

/* A given camera looks down on ground and a ball: the ground beside the ball, away from the light, is darker. */
static void shadow_is_darker_than_lit_ground(void **state)
{
    (void)state;
    plain_frame *s = ball(0.1, 10, 1.05);
    dew_render_def def = small_def();
    def.has_camera = true, def.eye = (dew_vec3){0, -8, 8}, def.target = (dew_vec3){0, 0, 0.5};
    def.has_ground_plane = true, def.ground_normal = (dew_vec3){0, 0, 1};
    draw(&def, s, 2, 16);
    int darkest = 1000, left = brightness(pixel_at(0.08, 0.55));
    for (int x = 60; x < 95; x++) {
        const uint8_t *p = pixel_at(x / 100.0, 0.55);
        if (!is_blue(p) && brightness(p) < darkest) darkest = brightness(p);
    }
    assert_true(darkest < left * 8 / 10);
    assert_true(left > 3 * 150);
    def.has_ground = false;
    draw(&def, s, 2, 16);
    for (int x = 60; x < 95; x++) {
        const uint8_t *p = pixel_at(x / 100.0, 0.55);
        assert_true(is_blue(p) || brightness(p) > left * 8 / 10);
    }
    plain_frame_destroy(s);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static uint8_t first[sizeof picture];
    static const int threads[] = {1, 2, 3, 8};
    plain_frame *s = ball(0.05, 14, 1);
    for (int i = 0; i < s->frame.particle_count; i++) s->position[i][0] += (dew_real)(0.02 * sin(17.0 * i));
    dew_render_def def = small_def();
    for (int k = 0; k < 4; k++) {
        draw(&def, s, threads[k], 4);
        if (k == 0) memcpy(first, picture, sizeof first);
        assert_memory_equal(first, picture, sizeof first);
    }
    plain_frame_destroy(s);
}

static void camera_holds_everything(void **state)
{
    (void)state;
    dew_render_def def = small_def();
    unsigned seed = 3;
    for (int k = 0; k < 200; k++) {
        double r[9];
        for (int i = 0; i < 9; i++) seed = seed * 1664525 + 1013904223, r[i] = (seed >> 8) / (double)(1 << 24);
        bounds box = {{r[0] - 2, r[1], r[2]}, {r[0] - 2 + 0.01 + r[3], r[1] + 3 * r[4], r[2] + r[5] * r[5]}};
        double angle = 6.28 * r[6], tilt = 1.4 * (r[7] - 0.5);
        dew_vec3 forward = {cos(angle) * cos(tilt), sin(angle) * cos(tilt), sin(tilt)};
        def.width = 100 + 2 * (int)(400 * r[8]), def.height = 300;
        camera c = camera_fitted(&def, &box, forward, (dew_vec3){0, 0, 1});
        double widest = 0;
        for (int corner = 0; corner < 8; corner++) {
            dew_vec3 p = {(corner & 1 ? box.max.x : box.min.x) - c.eye.x,
                          (corner & 2 ? box.max.y : box.min.y) - c.eye.y,
                          (corner & 4 ? box.max.z : box.min.z) - c.eye.z};
            double depth = p.x * c.forward.x + p.y * c.forward.y + p.z * c.forward.z;
            double x = (p.x * c.right.x + p.y * c.right.y + p.z * c.right.z) / (depth * c.tan_x);
            double y = (p.x * c.up.x + p.y * c.up.y + p.z * c.up.z) / (depth * c.tan_y);
            assert_true(depth > 0 && fabs(x) < 0.95 && fabs(y) < 0.95);
            widest = fmax(widest, fmax(fabs(x), fabs(y)));
        }
        assert_true(widest > 0.7);
    }
}

/* A cone a thousand times larger than the drop over it is not what the picture is fitted to. */
static void huge_solid_does_not_shrink_the_liquid(void **state)
{
    (void)state;
    static const double vertices[12] = {0, 0, 0, 1000, 0, -600, -500, 866, -600, -500, -866, -600};
    static const int32_t triangles[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    plain_frame *s = ball(0.1, 10, 1.2);
    dew_solid_def cone = dew_default_solid_def();
    cone.shape = dew_default_shape_def(), cone.shape.kind = DEW_SHAPE_MESH;
    cone.shape.mesh.vertices = vertices, cone.shape.mesh.triangles = triangles;
    cone.shape.mesh.vertex_count = cone.shape.mesh.triangle_count = 4;
    assert_true(plain_frame_solids(s, &cone, 1, 100));
    dew_render_def def = small_def();
    draw(&def, s, 2, 4);
    int blue = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) blue += is_blue(picture + 3 * i);
    assert_true(blue > WIDTH * HEIGHT / 30);
    /* An invisible one leaves no trace. */
    cone.is_visible = false;
    assert_true(plain_frame_solids(s, &cone, 1, 100));
    draw(&def, s, 2, 4);
    static uint8_t without[sizeof picture];
    memcpy(without, picture, sizeof without);
    assert_true(plain_frame_solids(s, NULL, 0, 100));
    draw(&def, s, 2, 4);
    assert_memory_equal(without, picture, sizeof without);
    plain_frame_destroy(s);
}

static void colours_follow_the_field(void **state)
{
    (void)state;
    plain_frame *s = ball(0.1, 10, 0);
    for (int i = 0; i < s->frame.particle_count; i++) s->pressure[i] = s->position[i][2];
    dew_render_def def = small_def();
    def.colour_by = "pressure";
    draw(&def, s, 2, 4);
    const uint8_t *top = pixel_at(0.5, 0.22), *bottom = pixel_at(0.5, 0.72);
    assert_true(top[1] > top[2] + 30);  /* yellow or green */
    assert_true(bottom[2] > bottom[1]); /* violet */
    def.colour_by = "presure";
    dew_renderer *r;
    assert_int_equal(dew_renderer_create(&def, 1, &r), DEW_OK);
    assert_int_equal(dew_renderer_draw(r, &s->frame, 4, picture), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "pressure"));
    dew_renderer_destroy(r);
    plain_frame_destroy(s);
}

/* Of a ball with a coloured core the nearer half is cut away: where its skin was, the core is seen. */
static void cut_shows_the_inside(void **state)
{
    (void)state;
    plain_frame *s = ball(0.1, 10, 0);
    for (int i = 0; i < s->frame.particle_count; i++) {
        const dew_real *x = s->position[i];
        s->pressure[i] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < (dew_real)0.25;
    }
    dew_render_def def = small_def();
    def.colour_by = "pressure", def.has_camera = true, def.eye = (dew_vec3){0, -5, 0};
    draw(&def, s, 2, 4);
    const uint8_t *middle = pixel_at(0.5, 0.5), *aside = pixel_at(0.5, 0.28);
    assert_true(middle[2] > middle[1]); /* violet: the skin */
    def.has_cut = true, def.cut_normal = (dew_vec3){0, -1, 0};
    draw(&def, s, 2, 4);
    assert_true(middle[1] > middle[2] + 30); /* yellow: the core */
    assert_true(aside[2] > aside[1]);
    plain_frame_destroy(s);
}

static void nothing_and_nonsense_are_drawn(void **state)
{
    (void)state;
    plain_frame *s = plain_frame_create(1e-3);
    dew_render_def def = small_def();
    draw(&def, s, 1, 1);
    assert_true(brightness(pixel_at(0.5, 0.5)) > 300);
    plain_frame_count(s, 3); /* three in one place, one of them lost */
    s->position[1][0] = (dew_real)NAN;
    s->position[2][0] = (dew_real)1e17;
    draw(&def, s, 2, 4);
    assert_true(is_blue(pixel_at(0.5, 0.5)));
    plain_frame_destroy(s);
}

static void wrong_definitions_are_explained(void **state)
{
    (void)state;
    dew_renderer *r;
    dew_render_def def = small_def();
    def.width = 161;
    assert_int_equal(dew_renderer_create(&def, 1, &r), DEW_INVALID);
    assert_null(r);
    assert_non_null(strstr(dew_message(), "161 x 120"));
    def = small_def(), def.samples = 0;
    assert_int_equal(dew_renderer_create(&def, 1, &r), DEW_INVALID);
    def = small_def(), def.field_of_view = 180;
    assert_int_equal(dew_renderer_create(&def, 1, &r), DEW_INVALID);
    def = small_def(), def.has_cut = true;
    assert_int_equal(dew_renderer_create(&def, 1, &r), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "cut"));
    def = small_def(), def.has_camera = true;
    assert_int_equal(dew_renderer_create(&def, 1, &r), DEW_INVALID);
}

/* What the definition tells: the floor is the highest-facing visible plane, or the domain's lower wall. */
static void floor_comes_from_the_definition(void **state)
{
    (void)state;
    dew_solid_def planes[2] = {{.is_visible = true}, {.is_visible = true}};
    for (int k = 0; k < 2; k++) {
        planes[k].shape.kind = DEW_SHAPE_PLANE, planes[k].shape.scale = 1;
        planes[k].shape.plane.normal = k ? (dew_vec3){0, 0, 1} : (dew_vec3){1, 0, 0};
        planes[k].shape.plane.point = (dew_vec3){0, 0, -3};
    }
    dew_simulation_def def = {.solids = planes, .solid_count = 2};
    dew_render_def render = small_def();
    dew_render_prepare(&render, &def);
    assert_true(render.has_ground_plane && render.ground_point.z == -3 && render.ground_normal.z == 1);
    def.solid_count = 1, def.domain.axis[2] = DEW_WALL, def.domain.min.z = -5;
    render = small_def();
    dew_render_prepare(&render, &def);
    assert_true(render.has_ground_plane && render.ground_point.z == -5);
    def.domain.axis[2] = DEW_OPEN;
    render = small_def();
    dew_render_prepare(&render, &def);
    assert_false(render.has_ground_plane);
}

/* --- files --- */

static void pictures_are_png(void **state)
{
    (void)state;
    char path[64] = "/tmp/dew-picture-XXXXXX";
    close(mkstemp(path));
    assert_int_equal(dew_picture_write(path, WIDTH, HEIGHT, picture), DEW_OK);
    uint8_t head[24] = {0};
    FILE *f = fopen(path, "rb");
    assert_int_equal(fread(head, 1, sizeof head, f), sizeof head);
    fclose(f);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(head[19], WIDTH);
    assert_int_equal(head[23], HEIGHT);
    unlink(path);
    assert_int_equal(dew_picture_write("/tmp/none/picture.png", WIDTH, HEIGHT, picture), DEW_IO);
    assert_non_null(strstr(dew_message(), "/tmp/none/picture.png"));
}

static void video_without_ffmpeg_is_explained(void **state)
{
    (void)state;
    char path[64] = "/tmp/dew-video-XXXXXX", *old = strdup(getenv("PATH"));
    close(mkstemp(path));
    setenv("PATH", "/nowhere", 1);
    dew_video *v;
    dew_result result = dew_video_create(path, WIDTH, HEIGHT, 30, &v);
    setenv("PATH", old, 1);
    free(old);
    assert_int_equal(result, DEW_IO);
    assert_null(v);
    assert_non_null(strstr(dew_message(), "install"));
    unlink(path);
}

/* A program of that name that reads nothing and fails: no signal, its own words in the message, no file left. */
static void failing_ffmpeg_is_explained(void **state)
{
    (void)state;
    char folder[64] = "/tmp/dew-video-XXXXXX", path[128], video[128], *old = strdup(getenv("PATH"));
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ffmpeg", folder);
    snprintf(video, sizeof video, "%s/v.mp4", folder);
    FILE *f = fopen(path, "w");
    fprintf(f, "#!/bin/sh\necho 'Unknown encoder libx264' >&2\nexit 1\n");
    fclose(f);
    chmod(path, 0755);
    setenv("PATH", folder, 1);
    dew_video *v;
    dew_result result = dew_video_create(video, WIDTH, HEIGHT, 30, &v);
    setenv("PATH", old, 1);
    free(old);
    assert_int_equal(result, DEW_OK);
    for (int k = 0; k < 50 && result == DEW_OK; k++) result = dew_video_add(v, picture);
    assert_int_equal(result, DEW_IO);
    assert_non_null(strstr(dew_message(), "Unknown encoder libx264"));
    assert_int_equal(dew_video_finish(v), DEW_IO);
    assert_int_not_equal(access(video, F_OK), 0);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

static void video_is_made(void **state)
{
    (void)state;
    if (system("ffmpeg -hide_banner -encoders 2>/dev/null | grep -q libx264") != 0) skip();
    char path[64] = "/tmp/dew-video-XXXXXX";
    close(mkstemp(path));
    dew_video *v;
    assert_int_equal(dew_video_create(path, WIDTH, HEIGHT, 30, &v), DEW_OK);
    for (int k = 0; k < 10; k++) {
        memset(picture, 25 * k, sizeof picture);
        assert_int_equal(dew_video_add(v, picture), DEW_OK);
    }
    assert_int_equal(dew_video_finish(v), DEW_OK);
    char head[12] = {0};
    FILE *f = fopen(path, "rb");
    assert_int_equal(fread(head, 1, 12, f), 12);
    fclose(f);
    assert_memory_equal(head + 4, "ftyp", 4);
    unlink(path);
    assert_int_equal(dew_video_create("/tmp/none/v.mp4", WIDTH, HEIGHT, 30, &v), DEW_IO);
    assert_int_equal(dew_video_create(path, 3, HEIGHT, 30, &v), DEW_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_is_seen_in_the_middle),
        cmocka_unit_test(shadow_is_darker_than_lit_ground),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(camera_holds_everything),
        cmocka_unit_test(huge_solid_does_not_shrink_the_liquid),
        cmocka_unit_test(colours_follow_the_field),
        cmocka_unit_test(cut_shows_the_inside),
        cmocka_unit_test(nothing_and_nonsense_are_drawn),
        cmocka_unit_test(wrong_definitions_are_explained),
        cmocka_unit_test(floor_comes_from_the_definition),
        cmocka_unit_test(pictures_are_png),
        cmocka_unit_test(video_without_ffmpeg_is_explained),
        cmocka_unit_test(failing_ffmpeg_is_explained),
        cmocka_unit_test(video_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
