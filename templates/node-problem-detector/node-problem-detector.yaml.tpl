# node-problem-detector for the GPU nodes of fleet {{FLEET}}: the condition GpuUnhealthy of each node.
#
# Its stock configuration knows nothing of GPUs. The check is bounded in time, reads, and never resets, reboots or
# power-cycles anything: a job may be running. A condition keeps no pod away by itself; who acts on it is another matter
# (gpu-drain.yaml, where the fleet file says that sick nodes are taken out of service by themselves).
---
apiVersion: v1
kind: Namespace
metadata:
  name: gpu-health
  labels:
    # The check looks at devices through the root of the host.
    pod-security.kubernetes.io/enforce: privileged
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: gpu-problem-detector
  namespace: gpu-health
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: gpu-problem-detector
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  # Comes with Kubernetes: writes conditions and events of nodes.
  name: system:node-problem-detector
subjects:
  - kind: ServiceAccount
    name: gpu-problem-detector
    namespace: gpu-health
{{#POOL}}---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{NAME}}
  namespace: gpu-health
data:
  gpu-monitor.json: |
    {
      "plugin": "custom",
      "pluginConfig": {"invoke_interval": "60s", "timeout": "50s", "max_output_length": 200, "concurrency": 1},
      "source": "gpu-monitor",
      "conditions": [
        {"type": "GpuUnhealthy", "reason": "GpusAreWell", "message": "all GPUs answer"}
      ],
      "rules": [
        {
          "type": "permanent",
          "condition": "GpuUnhealthy",
          "reason": "GpusAreNotWell",
          "path": "/gpu/check.sh",
          "args": ["{{GPUS}}", "{{PORTS}}"],
          "timeout": "50s"
        }
      ]
    }
  check.sh: |
    #!/bin/bash
    # check.sh GPUS PORTS: 0 what the fleet file promises is there, 1 it is not, 2 nobody can tell. node-problem-detector
    # ends it after 50 s; it bounds itself to less.
    set -u
    export LC_ALL=C
    gpus=$1
    ports=$2
    deadline=$((SECONDS + 40))

    {{@bounded.tpl}}

    say() {
      echo "$2"
      exit "$1"
    }

    # Where the operator brings the driver it lies in a root of its own.
    root=/host/run/nvidia/driver
    [[ -e $root/usr/bin/nvidia-smi ]] || root=/host
    [[ -e $root/usr/bin/nvidia-smi ]] || say 2 "there is no nvidia-smi"

    broken() {
      say 1 "$1"
    }
    smi=(chroot "$root" nvidia-smi)
    classes=/host/sys/class
    {{@gpu-checks.tpl}}
    say 0 "$seen GPUs answer"
---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: {{NAME}}
  namespace: gpu-health
spec:
  selector:
    matchLabels:
      app.kubernetes.io/name: {{NAME}}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {{NAME}}
    spec:
      serviceAccountName: gpu-problem-detector
      priorityClassName: system-node-critical
      nodeSelector:
{{#BY_POOL}}        # The label: template node-labels, or slinky-nodes.sh.
        {{LABEL}}: {{VALUE}}
{{/BY_POOL}}{{#BY_GPU}}        # The GPU Operator sets it.
        nvidia.com/gpu.present: "true"
{{/BY_GPU}}      tolerations:
        # A sick node stays watched, whatever its taints.
        - {operator: Exists}
      containers:
        - name: node-problem-detector
          image: registry.k8s.io/node-problem-detector/node-problem-detector:v1.36.0
          command:
            - /node-problem-detector
            - --logtostderr
            - --config.custom-plugin-monitor=/gpu/gpu-monitor.json
          env:
            - name: NODE_NAME
              valueFrom:
                fieldRef:
                  fieldPath: spec.nodeName
          securityContext:
            # Without it there are no devices below the root of the host. It asks for no GPU, and holds none.
            privileged: true
          resources:
            requests:
              cpu: 20m
              memory: 128Mi
            limits:
              memory: 256Mi
          volumeMounts:
            - {name: config, mountPath: /gpu, readOnly: true}
            # What the operator mounts below it later is seen, too.
            - {name: host, mountPath: /host, readOnly: true, mountPropagation: HostToContainer}
      volumes:
        - name: config
          configMap:
            name: {{NAME}}
            defaultMode: 365
        - name: host
          hostPath:
            path: /
{{/POOL}}
