provider "helm" {
  version = "~> 2.4"
  kubernetes {
    config_path = "~/.kube/config"
  }
}

resource "helm_release" "operator" {
  name  = "operator"
  chart = "oci://registry.example/charts/operator"

  set {
    name  = "driver.enabled"
    value = "true"
  }
}
