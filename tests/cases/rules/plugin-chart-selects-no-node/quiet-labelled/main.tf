resource "helm_release" "plugin" {
  name       = "device-plugin"
  repository = "https://nvidia.github.io/k8s-device-plugin"
  chart      = "nvidia-device-plugin"
  version    = "0.19.3"
  namespace  = "kube-system"
}
