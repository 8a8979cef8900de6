import os
import sys

for name in sys.argv[1:]:
    if os.path.exists(name):
        continue
    print(name)
