resource "google_container_node_pool" "gpus" {
  name    = "gpus"
  cluster = var.cluster

  node_config {
    machine_type = var.machine

    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = var.gpus_per_node
      gpu_driver_installation_config {
        gpu_driver_version = "LATEST"
      }
    }
  }
}
