# TrainJobs of fleet {{FLEET}} for Kubeflow Trainer 2.
#
# Before it runs: images and commands are to be filled in, and the namespaces and queues have to be there.
{{#JOB}}---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata:
  name: {{RUNTIME}}
  namespace: {{NAMESPACE}}
  labels:
    trainer.kubeflow.org/framework: torch
spec:
  mlPolicy:
    numNodes: {{NODES}}
    torch: {}
{{#VOLCANO_POLICY}}  # Trainer makes a PodGroup of all pods. It does not send them to Volcano: schedulerName below does.
  podGroupPolicy:
    volcano: {}
{{/VOLCANO_POLICY}}{{#COSCHEDULING_POLICY}}  # Trainer makes a PodGroup of all pods. It does not send them to its scheduler: schedulerName below does.
  podGroupPolicy:
    coscheduling:
      scheduleTimeoutSeconds: 300
{{/COSCHEDULING_POLICY}}  template:
{{#VOLCANO_QUEUE_NAME}}    metadata:
      annotations:
        scheduling.volcano.sh/queue-name: {{QUEUE}}
{{/VOLCANO_QUEUE_NAME}}    spec:
      replicatedJobs:
        - name: node
          template:
            metadata:
              labels:
                trainer.kubeflow.org/trainjob-ancestor-step: trainer
            spec:
              template:
                {{@kueue-pod-metadata.tpl}}
                spec:
                  {{@scheduler.tpl}}
                  restartPolicy: Never
                  containers:
                    - name: node
                      image: registry.example.com/{{WORD}}:replace-me
                      # Trainer tells torchrun how many nodes there are, which one it is and where the first one is.
                      command:
                        - torchrun
                        - train.py
                      {{@container.tpl}}
                  {{@pod.tpl}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: {{NAME}}
  {{@object-metadata.tpl}}
spec:
  runtimeRef:
    apiGroup: trainer.kubeflow.org
    kind: TrainingRuntime
    name: {{RUNTIME}}
  trainer:
    numNodes: {{NODES}}
    # One process a GPU.
    numProcPerNode: {{GPUS}}
    resourcesPerNode:
      requests:
        {{RESOURCE}}: {{GPUS}}
      limits:
        {{RESOURCE}}: {{GPUS}}
{{/JOB}}
