import subprocess

subprocess.run(["srun", "-n", "128", "solver"], check=True)
