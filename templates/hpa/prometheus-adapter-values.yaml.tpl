# Values of the chart prometheus-adapter, release 5.3.0, for fleet {{FLEET}}: the metrics that hpa.yaml names.
#
#   helm install prometheus-adapter prometheus-adapter --repo https://prometheus-community.github.io/helm-charts \
#     --version 5.3.0 --namespace monitoring --values prometheus-adapter-values.yaml
#
# One adapter serves custom.metrics.k8s.io of a cluster: where there is one, add the rules to it.
{{#PROMETHEUS}}prometheus:
  url: {{URL}}
  port: {{PORT}}
{{/PROMETHEUS}}rules:
  # None but these: each default rule is asked of Prometheus every minute.
  default: false
  custom:
{{#SERIES}}    - seriesQuery: {{QUERY}}
      resources:
        overrides:
          namespace: {resource: namespace}
          pod: {resource: pod}
      name:
        as: {{AS}}
      metricsQuery: sum(<<.Series>>{<<.LabelMatchers>>}) by (<<.GroupBy>>)
{{/SERIES}}
