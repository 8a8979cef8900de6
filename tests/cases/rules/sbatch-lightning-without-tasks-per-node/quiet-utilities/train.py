from lightning_utilities.core.imports import RequirementCache
from transformers import Trainer

from data import loader
from model import Net

trainer = Trainer(accelerator="gpu", devices=4, num_nodes=2)
trainer.fit(Net(), loader())
