resource "google_container_cluster" "this" {
  name                     = "train"
  remove_default_node_pool = true
  initial_node_count       = 1
  cluster_autoscaling {
    enabled = true
  }
}

resource "google_container_node_pool" "l4" {
  name    = "l4"
  cluster = google_container_cluster.this.name
  node_config {
    machine_type = "g2-standard-24"
    taint {
      key    = "team"
      value  = "research"
      effect = "NO_SCHEDULE"
    }
    guest_accelerator {
      type  = "nvidia-l4"
      count = 2
    }
  }
}
