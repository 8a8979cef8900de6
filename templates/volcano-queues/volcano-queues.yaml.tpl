# Volcano Queues for the tenants of fleet {{FLEET}}.
#
# Before they count: Volcano's scheduler needs the plugin `capacity`, with enableHierarchy where a Queue has a parent
# (template volcano-scheduler-config). Jobs go into Queues that have none below them.
{{#QUEUE}}---
# Tenant {{TENANT}}.
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata:
  name: {{NAME}}
spec:
  weight: 1
{{#BELOW}}  parent: {{PARENT}}
{{/BELOW}}  # Others may use what this tenant leaves idle.
  reclaimable: true
{{#LIMITED}}  # Its limit_gpus: work above it waits.
  capability:
    {{LIMIT_RESOURCE}}: {{LIMIT}}
{{/LIMITED}}{{#PROMISED}}  # Its guaranteed_gpus: what it comes first for when GPUs become free.
  deserved:
    {{RESOURCE}}: {{GUARANTEED}}
{{/PROMISED}}{{/QUEUE}}
