resource "helm_release" "queues" {
  name       = "kueue"
  repository = "oci://registry.k8s.io/kueue/charts"
  chart      = "kueue"
  # Later ones take other values.
  version = "0.13.0"
}
