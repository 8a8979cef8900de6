import lightning as L

print(L.Trainer)
