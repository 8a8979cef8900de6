resource "kubernetes_namespace" "ml" {
  metadata {
    name = "ml"
    labels = {
      "pod-security.kubernetes.io/enforce" = "privileged"
    }
  }
}
