{{- define "workers.claim" -}}
{{ .Values.claim | default .Release.Name }}
{{- end }}
