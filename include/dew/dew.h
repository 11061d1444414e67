/* dew: liquids where surface tension rules. The core, libdew: definitions, simulations, measurements. Files and
 * pictures are in libdew-io: dew/scene.h, dew/frames.h, dew/render.h. */
#ifndef DEW_DEW_H
#define DEW_DEW_H

#include "definition.h"
#include "method.h"
#include "result.h"
#include "schema.h"
#include "shape.h"
#include "simulation.h"
#include "types.h"

#define DEW_VERSION "0.1.0"

#endif
