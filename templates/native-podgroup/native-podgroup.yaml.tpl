# Gangs of fleet {{FLEET}} for kube-scheduler's own PodGroups.
#
# Before it runs: images and commands are to be filled in and the namespaces made. kube-apiserver, kube-scheduler and
# kube-controller-manager need --feature-gates=GenericWorkload=true, kube-apiserver also
# --runtime-config=scheduling.k8s.io/v1beta1=true. Without the gate schedulingGroup is dropped in silence, and the pods
# are placed one by one.
{{#JOB}}---
apiVersion: scheduling.k8s.io/v1beta1
kind: Workload
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
spec:
  podGroupTemplates:
    - name: worker
      schedulingPolicy:
        gang:
          minCount: {{MEMBERS}}
      disruptionMode:
        all: {}
---
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata:
  name: {{GROUP}}
  namespace: {{NAMESPACE}}
spec:
  workloadRef:
    workloadName: {{NAME}}
    templateName: worker
  # All pods or none: a collective works only with every member. Fewer would hold GPUs and wait for the rest.
  schedulingPolicy:
    gang:
      minCount: {{MEMBERS}}
  # Preempted whole or not at all; left out, single pods could be taken.
  disruptionMode:
    all: {}
{{@service.tpl}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
  annotations:
    muster.dev/workload: {{WORKLOAD}}
spec:
  {{@job-spec.tpl}}
  template:
    spec:
      schedulingGroup:
        podGroupName: {{GROUP}}
      # The Service above.
      subdomain: {{NAME}}
      restartPolicy: Never
      containers:
        {{@torchrun.tpl}}
          {{@container.tpl}}
      {{@pod.tpl}}
{{/JOB}}
