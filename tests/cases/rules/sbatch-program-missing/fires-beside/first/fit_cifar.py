print("cifar")
