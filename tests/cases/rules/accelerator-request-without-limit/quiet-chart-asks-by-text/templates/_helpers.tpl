{{- define "serve.hasLimits" -}}
{{- gt (int .Values.gpus) 0 -}}
{{- end -}}
