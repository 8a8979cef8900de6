provider "helm" {
  kubernetes = {
    config_path = "~/.kube/config"
  }
}

provider "kubernetes" {
  host  = var.host
  token = var.token
}

variable "host" {}
variable "token" {}

resource "helm_release" "exporter" {
  name    = "exporter"
  chart   = "dcgm-exporter"
  version = "4.5.0"
}

resource "kubernetes_namespace" "monitor" {
  metadata {
    name = "monitor"
  }
}
