resource "google_container_node_pool" "l4" {
  name    = "t4"
  cluster = var.cluster
  node_config {
    machine_type = "n1-standard-16"
    guest_accelerator {
      type  = "nvidia-tesla-t4"
      count = 2
    }
  }
}
