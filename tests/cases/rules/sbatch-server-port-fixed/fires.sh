#!/bin/bash
#SBATCH --time=1:00:00 --nodes=1 --ntasks-per-node=1 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 8192 &   # finding: sbatch-server-port-fixed
sleep 60
python client.py
