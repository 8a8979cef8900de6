resource "kubernetes_pod_disruption_budget_v1" "tune" {
  metadata {
    name = "tune"
  }
  spec {
    max_unavailable = 0
    selector {
      match_labels = { app = "tune" }
    }
  }
}
