# ScaledObjects of fleet {{FLEET}}, for services that work off a queue.
#
# Before they count: KEDA 2.20 or newer, what each scales, without `replicas` in its file, and a series of the queue itself:
# what replicas report is gone when there are none, and nothing would start them again.
{{#SERVICE}}---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{@scale-target.tpl}}
spec:
  scaleTargetRef:
    apiVersion: {{VERSION}}
    kind: {{KIND}}
    name: {{NAME}}
  minReplicaCount: {{LEAST}}
  maxReplicaCount: {{MOST}}
{{#COOLDOWN}}  # Seconds without work until the last one goes: less than twice the time to load the model, and it is ended while it
  # loads. 300 are KEDA's own.
  cooldownPeriod: {{COOL}}
{{/COOLDOWN}}  # Prometheus does not answer three times: some replicas, rather than none because nobody knows.
  fallback:
    failureThreshold: 3
    replicas: {{SOME}}
{{#BEHAVIOR}}  advanced:
    horizontalPodAutoscalerConfig:
      {{@slow-down.tpl}}
{{/BEHAVIOR}}  triggers:
    - type: prometheus
      metadata:
        serverAddress: {{SERVER}}
        query: {{QUERY}}
        # serving.target_per_replica
        threshold: {{TARGET}}
        # An empty answer is an error and no empty queue.
        ignoreNullValues: "false"
{{/SERVICE}}
