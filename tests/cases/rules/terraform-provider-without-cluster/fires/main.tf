terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = "~> 3.0"
    }
  }
}

provider "helm" {} # finding: terraform-provider-without-cluster

resource "helm_release" "exporter" {
  name    = "exporter"
  chart   = "dcgm-exporter"
  version = "4.5.0"
}
