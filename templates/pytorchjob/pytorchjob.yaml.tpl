# PyTorchJobs of fleet {{FLEET}} for the training operator 1.9.
#
# Before it runs: images and commands are to be filled in, and the namespaces and queues have to be there. The gang is made
# here, so that it does not hang on the operator's --gang-scheduler-name.
{{#JOB}}{{@pod-group.tpl}}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: {{NAME}}
  {{@object-metadata.tpl}}
spec:
  # One process a GPU.
  nprocPerNode: {{PROCESSES}}
  runPolicy:
    # What still runs when the job ends would hold its GPUs.
    cleanPodPolicy: Running
    schedulingPolicy:
      # All pods: KAI reads it, and the operator where it makes PodGroups.
      minAvailable: {{MEMBERS}}
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: Never
      template:
        {{@pod-metadata.tpl}}
        spec:
          {{@scheduler.tpl}}
          containers:
            {{@pytorch.tpl}}
              {{@container.tpl}}
          {{@pod.tpl}}
    Worker:
      replicas: {{OTHERS}}
      restartPolicy: Never
      template:
        {{@pod-metadata.tpl}}
        spec:
          {{@scheduler.tpl}}
          containers:
            {{@pytorch.tpl}}
              {{@container.tpl}}
          {{@pod.tpl}}
{{/JOB}}
