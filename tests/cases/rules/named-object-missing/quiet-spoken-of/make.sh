kubectl create configmap nccl-env --from-env-file=nccl.env
