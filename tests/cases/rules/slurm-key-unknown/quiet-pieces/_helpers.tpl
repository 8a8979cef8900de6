{{- define "site.slurmConf" -}}
ClusterName={{ .Values.name }}
SlurmctldHost=head
SlurmUser=slurm
ProctrackType=proctrack/cgroup
TaskPlugin=task/cgroup,task/affinity
PriorityType=priority/basic
{{- end -}}
{{- define "site.cgroupConf" -}}
CgroupPlugin={{ default "autodetect" .Values.plugin }}
ConstrainCores={{ default "yes" .Values.cores }}
{{- end -}}
