resource "helm_release" "plugin" {
  name       = "device-plugin"
  repository = "https://nvidia.github.io/k8s-device-plugin"
  chart      = "nvidia-device-plugin"
  version    = var.plugin_version
  namespace  = "kube-system"
}
