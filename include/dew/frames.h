/* Files of a run: frames for ParaView, the table of probes, checkpoints. All are written aside, synced and renamed, so
 * that a file that is there is whole. Part of libdew-io. */
#ifndef DEW_FRAMES_H
#define DEW_FRAMES_H

#include "result.h"
#include "simulation.h"

/* Writes DIR/frames/particles_NNNN.vtp (NNNN = the frame's index; binary appended, zlib) with the named fields,
 * solids that moved or at frame 0 as DIR/frames/solid_NAME_NNNN.vtp, and DIR/particles.pvd anew with every frame so
 * far. Fields that the frame lacks: DEW_INVALID. */
DEW_API dew_result dew_frame_write(const char *directory, const dew_frame *frame, const char *const *fields,
                                   int field_count);

/* The frames that a run has left in its folder, read back: particles from frames/, all else as its run.yaml has it.
 * What only the method's state tells is not there: see dew_frame. */
typedef struct dew_frame_reader dew_frame_reader;
/* DEW_INVALID where the folder is not that of a run, has no frames, or its run.yaml or particles.pvd is damaged. */
DEW_API dew_result dew_frame_reader_open(const char *directory, dew_frame_reader **reader);
DEW_API void dew_frame_reader_close(dew_frame_reader *reader); /* accepts NULL */
/* What the run was made from; belongs to the reader. */
DEW_API const dew_simulation_def *dew_frame_reader_definition(const dew_frame_reader *reader);
/* How many frames there are, and the index (of dew_frame) of each, in ascending order. */
DEW_API int dew_frame_reader_count(const dew_frame_reader *reader);
DEW_API int dew_frame_reader_index(const dew_frame_reader *reader, int k);
/* Reads the k-th of them. The frame belongs to the reader, valid until the next is read. */
DEW_API dew_result dew_frame_reader_read(dew_frame_reader *reader, int k, const dew_frame **frame);

/* HDF5. Reading needs a simulation made from the same definition. A file that is truncated, of another version, or of
 * another scene: DEW_INVALID or DEW_IO with what and where. */
DEW_API dew_result dew_checkpoint_write(const char *path, dew_simulation *simulation);
DEW_API dew_result dew_checkpoint_read(const char *path, dew_simulation *simulation);

/* What a file of dew's (checkpoint, frame, pvd, probes.csv) holds, for people; the caller frees *text. */
DEW_API dew_result dew_file_describe(const char *path, char **text);

/* probes.csv: time and the quantities of every probe of a definition. Opened for a run that starts (resume_time < 0) or
 * goes on at resume_time (later rows are dropped). The definition's probes must outlive the table. */
typedef struct dew_probe_table dew_probe_table;
DEW_API dew_result dew_probe_table_open(const char *path, const dew_simulation_def *def, double resume_time,
                                        dew_probe_table **table);
/* Measures what is due at the frame's time (call it after every step and once at the start); a row is written when any
 * is. */
DEW_API dew_result dew_probe_table_update(dew_probe_table *table, const dew_frame *frame);
/* Flushes to disk. Called before a checkpoint, so that a resumed run finds the rows before it. */
DEW_API dew_result dew_probe_table_sync(dew_probe_table *table);
DEW_API dew_result dew_probe_table_close(dew_probe_table *table);

#endif
