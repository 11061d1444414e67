/* Pictures as PNG. */
#include "dew/render.h"
#include "io/atomic.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

/* Everything libpng says ends here: a failure of the file is found at the commit, so only memory is left to fail. */
static void on_error(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void on_write(png_structp png, png_bytep data, size_t bytes) { atomic_write(png_get_io_ptr(png), data, bytes); }

static void on_flush(png_structp png) { (void)png; }

static bool encode(png_structp png, png_infop info, int width, int height, const uint8_t *rgb)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) png_write_row(png, rgb + 3 * (size_t)y * (size_t)width);
    png_write_end(png, info);
    return true;
}

dew_result dew_picture_write(const char *path, int width, int height, const uint8_t *rgb)
{
    if (width < 1 || height < 1) return result_fail(DEW_INVALID, "a picture of %d x %d pixels is none", width, height);
    atomic_file file;
    RESULT_TRY(atomic_open(&file, path));
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool is_done = false;
    if (info) {
        png_set_write_fn(png, &file, on_write, on_flush);
        is_done = encode(png, info, width, height, rgb);
    }
    png_destroy_write_struct(&png, &info);
    if (is_done) return atomic_commit(&file);
    atomic_abandon(&file);
    return result_fail(DEW_NO_MEMORY, "no memory to write the picture %s", path);
}
