resource "helm_release" "operator" {
  name       = "gpu-operator"
  repository = "https://helm.ngc.nvidia.com/nvidia"
  chart      = "gpu-operator"
  version    = "v26.3.0"
  set = [{ name = "dcgmExporter.config.name", value = "gpu-counters" }]
}
