terraform {
  required_providers {
    helm = "~> 2.0"
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
