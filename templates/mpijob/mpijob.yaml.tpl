# MPIJobs of fleet {{FLEET}} for the MPI operator 0.8.
#
# Before it runs: images (with sshd and MPI) and commands are to be filled in, and the namespaces and queues have to be
# there. The gang is made here, so that it does not hang on the operator's --gang-scheduling.
{{#JOB}}{{@pod-group.tpl}}
---
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: {{NAME}}
  {{@object-metadata.tpl}}
spec:
  # Ranks of each worker: one a GPU.
  slotsPerWorker: {{GPUS}}
  # The launcher is part of the gang: one that came only after the workers could never complete it.
  launcherCreationPolicy: AtStartup
  runPolicy:
    # Workers never end by themselves, and would hold their GPUs.
    cleanPodPolicy: Running
    schedulingPolicy:
      # Workers and launcher: KAI reads it, and the operator where it makes PodGroups.
      minAvailable: {{MEMBERS}}
  mpiReplicaSpecs:
    Launcher:
      replicas: 1
      restartPolicy: Never
      template:
        {{@pod-metadata.tpl}}
        spec:
          {{@scheduler.tpl}}
          containers:
            - name: launcher
              image: registry.example.com/{{WORD}}:replace-me
              command:
                - /bin/sh
                - -c
                - mpirun -np {{RANKS_WORD}} --bind-to none python train.py
              {{@helper.tpl}}
    Worker:
      replicas: {{NODES}}
      restartPolicy: Never
      template:
        {{@pod-metadata.tpl}}
        spec:
          {{@scheduler.tpl}}
          containers:
            - name: worker
              image: registry.example.com/{{WORD}}:replace-me
              {{@container.tpl}}
          {{@pod.tpl}}
{{/JOB}}
