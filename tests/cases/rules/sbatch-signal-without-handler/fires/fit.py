import lightning as L

L.Trainer(devices=4).fit(model)
