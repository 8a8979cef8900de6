resource "google_container_node_pool" "train" {
  node_config {
    machine_type = "a2-highgpu-4g"
    guest_accelerator {
      type  = "nvidia-tesla-a100"
      count = "${var.gpus}"
    }
  }
}
variable "gpus" {
  default = "1" # finding: terraform-accelerator-count
}
