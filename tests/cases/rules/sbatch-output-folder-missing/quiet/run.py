import os, subprocess
os.makedirs("logs", exist_ok=True)
subprocess.run(["sbatch", "job.sh"])
