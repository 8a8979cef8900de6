# Gangs of fleet {{FLEET}} for the plugin Coscheduling of kube-scheduler.
#
# Before it runs: images and commands are to be filled in, the namespaces made, and a scheduler with the plugin has to be
# there under the name scheduler-plugins-scheduler, with Coscheduling as its only queueSort.
{{#JOB}}{{@pod-group.tpl}}
{{@service.tpl}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{NAME}}
  {{@object-metadata.tpl}}
spec:
  {{@job-spec.tpl}}
  template:
    {{@pod-metadata.tpl}}
    spec:
      # The Service above.
      subdomain: {{NAME}}
      {{@scheduler.tpl}}
      restartPolicy: Never
      containers:
        {{@torchrun.tpl}}
          {{@container.tpl}}
      {{@pod.tpl}}
{{/JOB}}
