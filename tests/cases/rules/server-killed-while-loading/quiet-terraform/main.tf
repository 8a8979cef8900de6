resource "kubernetes_deployment_v1" "chat" {
  metadata {
    name = "chat"
  }
  spec {
    replicas = "1"
    strategy {
      type = "Recreate"
    }
    template {
      spec {
        container {   # finding: server-model-downloaded-each-start, progress-deadline-below-start
          name  = "vllm"
          image = "vllm/vllm-openai:v0.9.0"
          args  = ["--model", "example/chat"]
          liveness_probe {
            http_get {
              path = "/health"
              port = "8000"
            }
          }
          startup_probe {
            failure_threshold = "120"
            http_get {
              path = "/health"
              port = 8000
            }
          }
          readiness_probe {
            http_get {
              path = "/health"
              port = 8000
            }
          }
          dynamic "env" {
            for_each = var.env
            content {
              name  = env.key
              value = env.value
            }
          }
          resources {
            limits = {
              cpu              = "8"
              memory           = "64Gi"
              "nvidia.com/gpu" = 1
            }
          }
        }
      }
    }
  }
}
