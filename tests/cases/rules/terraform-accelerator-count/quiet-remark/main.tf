/* As it was before:
resource "google_container_node_pool" "train" {
  node_config {
    machine_type = "a2-highgpu-4g"
    guest_accelerator {
      type  = "nvidia-tesla-a100"
      count = 2
    }
  }
}
*/
resource "google_container_node_pool" "train" {
  node_config {
    machine_type = "a2-highgpu-4g"
    guest_accelerator {
      type  = "nvidia-tesla-a100"
      count = 4
    }
  }
}

locals {
  example = <<-EOT
resource "google_container_node_pool" "train" {
  node_config {
    machine_type = "a2-highgpu-4g"
    guest_accelerator {
      type  = "nvidia-tesla-a100"
      count = 1
    }
  }
}
  EOT
}
