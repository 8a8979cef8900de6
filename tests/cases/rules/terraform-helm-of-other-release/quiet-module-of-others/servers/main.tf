resource "helm_release" "server" {
  name  = "server"
  chart = "./chart"
  set {
    name  = "replicas"
    value = "2"
  }
}
