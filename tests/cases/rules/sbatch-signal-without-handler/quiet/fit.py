import signal

import lightning as L
from lightning.pytorch.plugins.environments import SLURMEnvironment

L.Trainer(devices=4, plugins=[SLURMEnvironment(requeue_signal=signal.SIGUSR2)]).fit(model)
