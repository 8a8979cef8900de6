#!/bin/bash
accelerate launch --config_file accelerate_config.yaml train.py
python make_config.py --config_file generated.yaml
accelerate launch --config_file generated.yaml train.py
python train.py --config_file my_experiment.yaml
accelerate launch train.py --config_file of_program.yaml
