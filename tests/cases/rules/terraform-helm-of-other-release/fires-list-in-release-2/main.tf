terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = ">= 2.9, < 3.0"
    }
  }
}

resource "helm_release" "exporter" {
  name    = "exporter"
  chart   = "dcgm-exporter"
  version = "4.5.0"

  set = [ # finding: terraform-helm-of-other-release
    { name = "serviceMonitor.enabled", value = "true" }
  ]
}
