provider "helm" {
  kubernetes = {
    config_path = "~/.kube/config"
  }
}

provider "helm" {
  alias = "unused"
}

resource "helm_release" "exporter" {
  name    = "exporter"
  chart   = "dcgm-exporter"
  version = "4.5.0"
}
