import argparse
from width import add_model_args

parser = argparse.ArgumentParser()
parser.add_argument("--data")
group = parser.add_argument_group("model")
add_model_args(group)
args = parser.parse_args()
