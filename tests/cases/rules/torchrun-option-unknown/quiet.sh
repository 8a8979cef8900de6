#!/bin/bash
# torchrun --gpus 8 is no command
echo "torchrun --gpus 8"
torchrun --nproc_per_node=8 --nnodes 2 --rdzv_id="$JOB" --rdzv-backend=c10d --rdzv_endpoint $(hostname):29500 \
    --max_restarts=0 --tee 3 -m app.train --gpus 8
torchrun --standalone --nproc-per 4 train.py --epochs 3
torchrun $LAUNCH_ARGS --gpus 8 train.py
torchrun --nproc_per_node=gpu "${EXTRA[@]}" --gpus 8 train.py
torchrun --no-python bash -c "python train.py"
python -m torch.distributed.launch --use_env --nproc_per_node=4 train.py --batch 3
