import subprocess


def ask(version):
    if version < (20, 11):
        return subprocess.run(["sacct", "--format", "JobID,ReqGRES"])
    return subprocess.run(["sacct", "--format", "JobID,ReqTRES"])
