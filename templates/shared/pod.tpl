tolerations:
  - {key: {{RESOURCE}}, operator: Exists, effect: NoSchedule}
{{#POOL}}# The fleet has several pools of GPUs, and a gang runs on one of them (the label: template node-labels).
nodeSelector:
  {{POOL_LABEL}}: {{POOL_NAME}}
{{/POOL}}volumes:
  - name: shared-memory
    emptyDir:
      medium: Memory
