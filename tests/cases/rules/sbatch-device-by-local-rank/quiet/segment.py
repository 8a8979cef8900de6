import os
import torch

local_rank = int(os.environ["SLURM_LOCALID"]) if torch.cuda.device_count() > 1 else 0
torch.cuda.set_device(local_rank)
