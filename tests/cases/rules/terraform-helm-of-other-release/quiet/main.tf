terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = "~> 2.9"
    }
  }
}

provider "helm" {
  kubernetes {
    config_path = "~/.kube/config"
  }
}

resource "helm_release" "exporter" {
  name    = "exporter"
  chart   = "dcgm-exporter"
  version = "4.5.0"

  set {
    name  = "serviceMonitor.enabled"
    value = "true"
  }
}
