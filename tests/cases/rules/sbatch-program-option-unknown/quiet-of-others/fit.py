import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--lr")
args = parser.parse_args()
