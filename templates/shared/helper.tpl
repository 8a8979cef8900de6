{{#HELPER}}# Something: the gang's minimum counts a pod that requests nothing as placed before it is.
resources:
  requests:
    cpu: 1
    memory: 4Gi
  limits:
    memory: 4Gi
{{/HELPER}}
