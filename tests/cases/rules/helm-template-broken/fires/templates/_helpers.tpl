# finding: helm-template-broken
{{- define "train.labels" -}}
queue: {{ .Values.queue | quote }}
{{- if .Values.gpus }}
gpus: "yes"
{{- end -}}
