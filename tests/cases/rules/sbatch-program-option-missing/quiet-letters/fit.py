import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--data")
parser.add_argument("-v", action="store_true")
parser.add_argument("-f", required=True)
args = parser.parse_args()
