{{- /* what all of it has; `{{ if` in a comment is none */ -}}
{{- define "train.labels" -}}
{{- $queue := .Values.queue | default "none" | }}
queue: {{ printf "%s-%d" $queue 1 | quote }}
{{- range $i, $gpu := until (int .Values.gpus) }}
{{- if eq $i 2 }}{{ break }}{{ else if lt $i 1 }}{{ continue }}{{ else }}
gpu{{ $i }}: {{ `{{ raw }}` }}
{{- end }}
{{- end }}
{{- end -}}
