import argparse


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    shape = parser.add_mutually_exclusive_group(required=True)
    shape.add_argument("--data-dir", "-d")
    shape.add_argument("--epochs", type=int)
    args = parser.parse_args(argv)
    print(args.lr)


if __name__ == "__main__":
    main()
