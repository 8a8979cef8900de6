resource "kubernetes_service" "dcgm" {
  metadata {
    name      = "dcgm-exporter"
    namespace = "monitoring"
    labels    = { "app.kubernetes.io/name" = "dcgm-exporter" }
  }
  spec {
    selector = { "app.kubernetes.io/name" = "dcgm-exporter" }
    port {
      name = "metrics"
      port = 9400
    }
  }
}
