"""
Add a set of data:
    parser.add_argument("--set", required=True)
"""
import argparse
import os

parser = argparse.ArgumentParser()
# parser.add_argument("--old", required=True)
parser.add_argument("--lr", type=float, default=0.1,  # don't change
                    help="the rate; required=True, once")
parser.add_argument(
    "--width",
    # required=True,
    default=3)
parser.add_argument("--data", required=True if "DATA" not in os.environ else False)
parser.add_argument("--data-dir", required=True)
args = parser.parse_args()
