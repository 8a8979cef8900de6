import subprocess

cols = subprocess.run(["sacct", "--format=JobID,AllocTRES"])
names = {"AllocTRES": "AllocGRES"}
