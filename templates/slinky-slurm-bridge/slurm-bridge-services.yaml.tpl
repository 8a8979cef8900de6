# Services of fleet {{FLEET}} that Slurm places as pods.
#
# A group of a LeaderWorkerSet is one job of Slurm, granted whole; the pods of a Job or JobSet are one job each, and no
# gang. Before it runs: images are to be filled in, and the namespace slurm-bridge made.
{{#JOB}}---
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: {{NAME}}
  namespace: slurm-bridge
  annotations:
    muster.dev/workload: {{WORKLOAD}}
    # Here and not in the pods' template, where nobody reads them.
    slurmjob.slinky.slurm.net/partition: slurm-bridge
    slurmjob.slinky.slurm.net/job-name: {{NAME}}
{{#ACCOUNT}}    slurmjob.slinky.slurm.net/account: {{TENANT}}
{{/ACCOUNT}}spec:
  replicas: {{REPLICAS}}
  {{@server-group.tpl}}
      spec:
        # The webhook would write it; said here, nobody takes the pods for another scheduler's.
        schedulerName: slurm-bridge-scheduler
        {{@server.tpl}}
        tolerations:
          - {key: {{RESOURCE}}, operator: Exists, effect: NoSchedule}
          - {key: slinky.slurm.net/managed-node, operator: Equal, value: slurm-bridge-scheduler, effect: NoExecute}
        volumes:
          - name: shared-memory
            emptyDir:
              medium: Memory
{{/JOB}}
