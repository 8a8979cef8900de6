import jax

jax.config.update("jax_platforms", "cuda")
jax.distributed.initialize(local_device_ids=range(4))
