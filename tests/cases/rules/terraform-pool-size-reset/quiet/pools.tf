variable "size" {
  type    = number
  default = null
}

resource "google_container_node_pool" "fixed" {
  cluster    = "lab"
  node_count = 2
}

resource "google_container_node_pool" "first" {
  cluster            = "lab"
  initial_node_count = 1
  autoscaling {
    min_node_count = 0
    max_node_count = 4
  }
}

resource "google_container_node_pool" "left" {
  cluster    = "lab"
  node_count = 1
  autoscaling {
    max_node_count = 4
  }
  lifecycle {
    ignore_changes = [
      node_config,
      node_count,
    ]
  }
}

resource "google_container_node_pool" "either" {
  cluster    = "lab"
  node_count = var.size
  autoscaling {
    max_node_count = 4
  }
}

resource "google_container_node_pool" "chosen" {
  cluster    = "lab"
  node_count = var.fixed ? 3 : null
  dynamic "autoscaling" {
    for_each = var.fixed ? [] : [1]
    content {
      max_node_count = 4
    }
  }
}
