/* JSON as it is written: what stands where, and that no text breaks out of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/json.h"

static char *text;
static size_t size;

static json begin(void) { return (json){.stream = open_memstream(&text, &size)}; }

static void check(json *j, const char *expected)
{
    fclose(j->stream);
    assert_string_equal(text, expected);
    free(text);
}

static void commas_stand_between(void **state)
{
    (void)state;
    json j = begin();
    json_open(&j, NULL, '{');
    json_open(&j, "empty", '[');
    json_close(&j, ']');
    json_bool(&j, "yes", true);
    json_text(&j, "nothing", NULL);
    json_open(&j, "list", '[');
    for (int i = 0; i < 2; i++) {
        json_open(&j, NULL, '{');
        json_number(&j, "i", i, 3);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_close(&j, '}');
    check(&j, "{\"empty\": [], \"yes\": true, \"nothing\": null, \"list\": [{\"i\": 0},\n{\"i\": 1}]}");
}

static void numbers_are_finite(void **state)
{
    (void)state;
    json j = begin();
    json_open(&j, NULL, '[');
    const double values[] = {1.0 / 3, 1e-300, NAN, -INFINITY, 123456};
    for (int i = 0; i < 5; i++) json_number(&j, NULL, values[i], 4);
    json_close(&j, ']');
    check(&j, "[0.3333, 1e-300, null, null, 1.235e+05]");
}

static void no_text_breaks_out(void **state)
{
    (void)state;
    static const char *const texts[][2] = {{"</script><!--", "\"\\u003c/script>\\u003c!--\""},
                                           {"\"\\\n\x01", "\"\\\"\\\\\\u000a\\u0001\""},
                                           {"θ ≤ 90°", "\"θ ≤ 90°\""},
                                           {"a\xffz\xe2\x89", "\"a\\ufffdz\\ufffd\\ufffd\""},
                                           {NULL, "null"}};
    for (int i = 0; i < 5; i++) {
        json j = begin();
        json_text(&j, NULL, texts[i][0]);
        check(&j, texts[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(commas_stand_between), cmocka_unit_test(numbers_are_finite),
                                       cmocka_unit_test(no_text_breaks_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
