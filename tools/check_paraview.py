"""Opens a run's particles.pvd and solids.pvd in ParaView, every time of it, and prints what it finds.

    pvpython --force-offscreen-rendering tools/check_paraview.py DIR

Exit status 1 if a file does not open, a time is missing or a frame has no particle ids. Needs ParaView 5.11 or later;
nothing of dew depends on it.
"""
import os
import sys

from paraview.simple import PVDReader


def check(path):
    reader = PVDReader(FileName=path)
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    if not times:
        raise RuntimeError(path + ": no times")
    for time in times:
        reader.UpdatePipeline(time)
        info = reader.GetDataInformation()
        fields = sorted(array.Name for array in reader.PointData)
        if path.endswith("particles.pvd") and info.GetNumberOfPoints() > 0 and "id" not in fields:
            raise RuntimeError("%s: no field id at %g s" % (path, time))
        print("%s  %.6g s  %d points  %d cells  %s" % (
            os.path.basename(path), time, info.GetNumberOfPoints(), info.GetNumberOfCells(), " ".join(fields)))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = False
    for name in ("particles.pvd", "solids.pvd"):
        path = os.path.join(sys.argv[1], name)
        if os.path.exists(path):
            found = True
            check(path)
    if not found:
        sys.exit("no particles.pvd in " + sys.argv[1])


main()
