{{- define "a.errors" -}}
sum(rate(requests_failed_total{namespace='inference',model='llama'}[5m])) by (model) / sum(rate(requests_total[5m]))) > 0.95
{{- end -}}
