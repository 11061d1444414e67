/* Scene files that are wrong: every mistake with its exact complaint. */
#include "scene_files.h"

static void test_wrong_scenes(void **state)
{
    (void)state;
    char *names[MAX_FILES];
    int count = list(in(root, "tests/scenes_wrong"), ".yaml", names), different = 0;
    assert_int_equal(chdir(in(root, "tests/scenes_wrong")), 0);
    for (int i = 0; i < count; i++) {
        char *found = read_wrong(names[i], NULL);
        char expected_name[PATH_SIZE];
        snprintf(expected_name, sizeof expected_name, "%.*s.expected", (int)strlen(names[i]) - 5, names[i]);
        char *expected = read_text(expected_name);
        if (!expected || strcmp(found, expected) != 0) {
            size_t same = 0; /* print_error cuts at 1000 letters */
            while (expected && found[same] && found[same] == expected[same]) same++;
            print_error("%s: after %zu letters: found\n%.400s\nexpected\n%.400s\n", names[i], same, found + same,
                        expected ? expected + same : "(no file)");
            different++;
        }
        free(found), free(expected), free(names[i]);
    }
    assert_int_equal(chdir(start), 0);
    assert_int_equal(different, 0);
    assert_true(count >= 60);
}

static void test_missing_file(void **state)
{
    (void)state;
    char *found = read_wrong("no/such/scene.yaml", NULL);
    assert_string_equal(found, "no/such/scene.yaml: error: No such file or directory\n");
    assert_string_equal(dew_message(), found);
    free(found);
    found = read_wrong(scratch, NULL);
    assert_non_null(strstr(found, "error: it is a folder"));
    free(found);
}

static void test_wrong_settings(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "pbf.tenson=paper", "spacing",       "spacing=1 kg", "liquids.3.fill=cubic",
        "spacing.x=1",      "gravity=[0, 0", "a..b=1",       "matrials.water.density=1"};
    dew_scene_options options = {
        .method = "pbd", .settings = settings, .setting_count = sizeof settings / sizeof settings[0]};
    char *found = read_wrong(scratch_file("small.yaml", small), &options);
    assert_string_equal(found, "--set pbf.tenson=paper: error: method 'pbf' has no parameter 'tenson'\n"
                               "      = did you mean 'tension'?\n"
                               "--set spacing: error: there is no '=' in it\n"
                               "      = write KEY=VALUE, such as spacing=0.2mm\n"
                               "--set spacing=1 kg: error: unit 'kg' does not fit spacing, which is in m\n"
                               "      = write a number, in m if it names no unit\n"
                               "--set liquids.3.fill=cubic: error: liquids has no entry '3'\n"
                               "      = it has one, 0\n"
                               "--set spacing.x=1: error: spacing is a single value, there is no 'x' in it\n"
                               "--set gravity=[0, 0: error: not YAML: flow sequence without a closing bracket\n"
                               "--set a..b=1: error: the path 'a..b' has an empty part\n"
                               "      = write KEY=VALUE, such as materials.water.viscosity=1e-3\n"
                               "--set matrials.water.density=1: error: unknown key 'matrials' in the scene\n"
                               "      = did you mean 'materials'?\n"
                               "--method pbd: error: unknown method 'pbd'\n"
                               "      = did you mean 'pbf'?\n");
    free(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_scenes),
        cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_wrong_settings),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
