#!/bin/bash
#SBATCH --time=1:00:00
[ -n "$IMAGE" ] || echo "Usage: srun --container-mounts=/a:/a, /b:/b"
[ -d /data ] || die "try apptainer exec --bind /a, /b image.sif"
srun hostname   # was: srun --container-mounts=/a, /b
