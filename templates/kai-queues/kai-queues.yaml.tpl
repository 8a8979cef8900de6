# KAI Queues for the tenants of fleet {{FLEET}}.
#
# A resource that is not listed, or has no limit, may not be used at all; -1 is without limit. CPU and memory are left
# free: GPUs are what is short. Pods go into Queues that have none below them, by the label kai.scheduler/queue.
---
# Above all tenants: a Queue that stands below nothing runs no job before KAI 0.13.
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata:
  name: {{TOP}}
spec:
  resources:
    cpu: {quota: -1, limit: -1, overQuotaWeight: 1}
    gpu: {quota: -1, limit: -1, overQuotaWeight: 1}
    memory: {quota: -1, limit: -1, overQuotaWeight: 1}
{{#QUEUE}}---
# Tenant {{TENANT}}.
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata:
  name: {{NAME}}
spec:
  parentQueue: {{PARENT}}
  resources:
    cpu: {quota: -1, limit: -1, overQuotaWeight: 1}
    gpu:
      # Its guaranteed_gpus: what others who borrowed it give back.
      quota: {{QUOTA}}
      # Its limit_gpus.
      limit: {{LIMIT}}
      overQuotaWeight: 1
    memory: {quota: -1, limit: -1, overQuotaWeight: 1}
{{/QUEUE}}
