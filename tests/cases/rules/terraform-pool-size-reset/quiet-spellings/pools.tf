resource "google_container_node_pool" "commented" {
  cluster    = "lab"
  node_count = 1
  autoscaling {
    min_node_count = 0
    max_node_count = 4
  }
  lifecycle {
    ignore_changes = [
      # changed by the autoscaler
      node_count,
    ]
  }
}

resource "google_container_node_pool" "second" {
  cluster    = "lab"
  node_count = 1
  autoscaling {
    min_node_count = 0
    max_node_count = 4
  }
  lifecycle {
    ignore_changes = [initial_node_count, # set once
    node_count]
  }
}

resource "google_container_node_pool" "quoted" {
  cluster    = "lab"
  node_count = 1
  autoscaling {
    min_node_count = 0
    max_node_count = 4
  }
  lifecycle {
    ignore_changes = ["node_count"]
  }
}

resource "google_container_node_pool" "all" {
  cluster    = "lab"
  node_count = 1
  autoscaling {
    max_node_count = 4
  }
  lifecycle {
    ignore_changes = all
  }
}

resource "google_container_node_pool" "fixed" {
  cluster    = "lab"
  node_count = 2
  autoscaling {
    min_node_count = 2
    max_node_count = 2
  }
}
