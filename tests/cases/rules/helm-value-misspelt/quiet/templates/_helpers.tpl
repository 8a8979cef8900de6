{{- define "serve.placement" -}}
nodeSelector: {{- toYaml .Values.placement.nodeSelector | nindent 2 }}
{{- end }}
{{- define "serve.args" -}}
["--gpus={{ .root.Values.gpu.count }}"]
{{- end }}
