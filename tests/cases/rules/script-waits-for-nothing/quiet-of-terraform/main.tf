resource "helm_release" "ray" {
  name      = "kuberay-operator"
  chart     = "kuberay-operator"
  namespace = "ml"
}
