import argparse
from width import add_model_args


def build_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data")
    return parser


p = build_parser()
add_model_args(p)
args = p.parse_args()
