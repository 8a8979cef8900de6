# JobSets of fleet {{FLEET}}.
#
# Before it runs: images and commands are to be filled in, and the namespaces and queues have to be there.
{{#JOB}}{{@pod-group.tpl}}
---
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: {{NAME}}
  {{@object-metadata.tpl}}
spec:
  # A collective does not survive the loss of a member: start again whole, from the last checkpoint.
  failurePolicy:
    maxRestarts: 3
  network:
    # The pods meet by name before they are ready.
    publishNotReadyAddresses: true
  replicatedJobs:
    - name: workers
      replicas: 1
      template:
        spec:
          {{@job-spec.tpl}}
          template:
            {{@pod-metadata.tpl}}
            spec:
              {{@scheduler.tpl}}
              restartPolicy: Never
              containers:
                {{@torchrun.tpl}}
                  {{@container.tpl}}
              {{@pod.tpl}}
{{/JOB}}
