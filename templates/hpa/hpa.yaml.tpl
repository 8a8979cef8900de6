# HorizontalPodAutoscalers of fleet {{FLEET}}, for services that people wait for.
#
# Before they count: what each scales is there, without `replicas` in its file, and its pods report the series below to
# Prometheus; prometheus-adapter hands it on (prometheus-adapter-values.yaml).
{{#SERVICE}}---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{@scale-target.tpl}}
spec:
  scaleTargetRef:
    apiVersion: {{VERSION}}
    kind: {{KIND}}
    name: {{NAME}}
  # Never none: people do not wait for a model to load.
  minReplicas: {{LEAST}}
  maxReplicas: {{MOST}}
  metrics:
    # What waits says when one more is needed. GPUs of an engine that batches are near 100 % at any load, and its memory is
    # taken from the start.
    - type: Pods
      pods:
        metric:
          name: {{METRIC}}
        target:
          type: AverageValue
          # serving.target_per_replica
          averageValue: {{TARGET}}
  {{@slow-down.tpl}}
{{/SERVICE}}
