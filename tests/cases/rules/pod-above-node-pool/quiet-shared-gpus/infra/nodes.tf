resource "google_container_node_pool" "l4" {
  name    = "t4"
  cluster = var.cluster
  node_config {
    machine_type = "n1-standard-16"
    guest_accelerator {
      type  = "nvidia-tesla-t4"
      count = 1
      gpu_sharing_config {
        gpu_sharing_strategy       = "TIME_SHARING"
        max_shared_clients_per_gpu = 4
      }
    }
  }
}
