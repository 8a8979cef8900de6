variable "nodes" {
  type    = number
  default = 2
}

resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = "lab"
  node_count = var.nodes
  autoscaling {
    min_node_count = 0
    max_node_count = 4
  }
  node_config {
    machine_type = "g2-standard-8"
  }
}
