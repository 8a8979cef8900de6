resource "helm_release" "monitoring" {
  name      = "monitoring"
  namespace = "models"
  chart     = "kube-prometheus-stack"
}
