import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--lr")
parser.add_argument("rest", nargs="...")
args = parser.parse_args()
