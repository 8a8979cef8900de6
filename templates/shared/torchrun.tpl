- name: train
  image: registry.example.com/{{WORD}}:replace-me
  command:
    - /bin/sh
    - -c
    - >-
      torchrun --nnodes={{NODES_WORD}} --nproc_per_node={{GPUS_WORD}} --node_rank=$JOB_COMPLETION_INDEX
      --master_addr={{FIRST_POD}} --master_port=29500 train.py
