terraform {
  required_providers {
    helm = {
      source  = "registry.terraform.io/hashicorp/helm"
      version = "~> 2"
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
