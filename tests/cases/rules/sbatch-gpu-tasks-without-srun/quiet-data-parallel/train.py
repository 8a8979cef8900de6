import torch
model = torch.nn.DataParallel(build())
