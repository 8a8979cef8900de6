import argparse


def get_parser():
    parser = argparse.ArgumentParser(description="fit (a model)")
    parser.add_argument("--data-dir", "-d", type=str, required=True)
    group = parser.add_argument_group("optimiser")
    group.add_argument("--lr", type=float, default=0.1, help="the rate: (0, 1]")
    group.add_argument(
        '--epochs', type=int, default=3)
    return parser


args = get_parser().parse_args()
print(args.data_dir)
