terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = "~> 3.0"
    }
  }
}

resource "helm_release" "exporter" {
  name    = "exporter"
  chart   = "dcgm-exporter"
  version = "4.5.0"

  # finding: terraform-helm-of-other-release
  set {
    name  = "serviceMonitor.enabled"
    value = "true"
  }
}
