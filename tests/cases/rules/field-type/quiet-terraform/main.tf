resource "kubernetes_deployment_v1" "reader" {
  metadata {
    name      = "reader"
    namespace = "ml"
  }
  spec {
    replicas = "2" # Terraform makes a number of it
    selector {
      match_labels = { app = "reader" }
    }
    template {
      metadata {
        labels = { app = "reader" }
      }
      spec {
        automount_service_account_token = "false" // and a boolean of this
        container {
          name  = "reader"
          image = "registry.example/reader:1"
          security_context {
            run_as_user     = "1000" /* and so of this */
            run_as_non_root = "true"
          }
          env {
            name  = "WORKERS"
            value = 4 # and a text of this
          }
          env {
            name  = "DEBUG"
            value = true
          }
        }
      }
    }
  }
}
