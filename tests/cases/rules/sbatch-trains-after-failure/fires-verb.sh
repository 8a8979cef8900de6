#!/bin/bash
#SBATCH --job-name=fit --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --output=fit-%j.out
axolotl preprocess config.yml
axolotl train config.yml   # finding: sbatch-trains-after-failure
