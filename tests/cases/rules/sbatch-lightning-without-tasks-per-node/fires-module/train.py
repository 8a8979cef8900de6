import lightning as L

from data import loader
from model import Net

trainer = L.Trainer(accelerator="gpu", devices=4, num_nodes=2)
trainer.fit(Net(), loader())
