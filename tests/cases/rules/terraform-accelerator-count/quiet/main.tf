resource "google_container_node_pool" "added" {
  node_config {
    machine_type = "n1-standard-8"
    guest_accelerator {
      type  = "nvidia-tesla-t4"
      count = 2
    }
  }
}

resource "google_container_node_pool" "given" {
  node_config {
    machine_type = "a2-highgpu-4g"
    guest_accelerator {
      type  = "nvidia-tesla-a100"
      count = var.given
    }
  }
}

resource "google_container_node_pool" "worked_out" {
  node_config {
    machine_type = "a2-highgpu-${var.size}g"
    guest_accelerator {
      type  = "nvidia-tesla-a100"
      count = 1
    }
  }
}

resource "google_container_node_pool" "for_each" {
  node_config {
    machine_type = "a2-highgpu-4g"
    dynamic "guest_accelerator" {
      for_each = var.shared ? [1] : []
      content {
        type  = "nvidia-tesla-a100"
        count = 1
      }
    }
  }
}

variable "given" { default = 1 }
variable "size" { default = 2 }
variable "shared" { default = true }

module "pool" {
  source  = "./pool"
  machine = "a2-highgpu-1g"
}
