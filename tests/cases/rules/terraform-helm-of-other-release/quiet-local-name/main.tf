terraform {
  required_providers {
    helm  = { source = "hashicorp/helm", version = "~> 2.17" }
    helm3 = { source = "hashicorp/helm", version = "~> 3.0" }
  }
}

resource "helm_release" "server" {
  provider = helm3
  name     = "server"
  chart    = "./chart"
  set      = [{ name = "replicas", value = "2" }]
}
