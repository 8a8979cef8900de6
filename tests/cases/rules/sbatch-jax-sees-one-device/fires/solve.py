import jax

jax.distributed.initialize()
