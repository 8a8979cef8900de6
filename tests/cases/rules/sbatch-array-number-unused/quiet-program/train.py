import os

print(int(os.environ["SLURM_ARRAY_TASK_ID"]))
