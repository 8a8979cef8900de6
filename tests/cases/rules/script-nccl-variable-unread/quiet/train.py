import os
from datetime import timedelta

import torch.distributed as dist

dist.init_process_group("nccl", timeout=timedelta(seconds=int(os.environ["NCCL_TIMEOUT"])))
