import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--data-dir", required=True)
parser.add_argument("--version", action="version", version="1.0")
args = parser.parse_args()
