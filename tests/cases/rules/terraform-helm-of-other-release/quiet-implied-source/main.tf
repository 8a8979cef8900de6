terraform {
  required_providers {
    helm = {
      version = "~> 2.12"
    }
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
