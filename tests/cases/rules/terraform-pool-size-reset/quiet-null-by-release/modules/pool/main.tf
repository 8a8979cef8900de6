variable "node_count" {
  default = 3
}

resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  node_count = var.node_count

  autoscaling {
    min_node_count = 0
    max_node_count = 4
  }
}
