variable "machine" { default = "a2-highgpu-4g" }

resource "google_container_node_pool" "gpus" {
  node_config {
    machine_type = var.machine
    guest_accelerator {
      type  = "nvidia-tesla-a100"
      count = 1
    }
  }
}
