import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)  # don't change
parser.add_argument("--data-dir",  # it's read first
                    required = True, help="where")
args = parser.parse_args()
