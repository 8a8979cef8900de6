resource "kubernetes_daemon_set_v1" "exporter" {
  metadata {
    name = "exporter"
  }
  spec {
    selector {
      match_labels = { app = "exporter" }
    }
    strategy {
      type = "RollingUpdate"
    }
    template {
      metadata {
        labels = { app = "exporter" }
      }
      spec {
        container {
          name  = "exporter"
          image = "registry.example.com/exporter:1"
        }
      }
    }
  }
}
