resource "google_container_node_pool" "gpus" {
  name    = "gpus"
  cluster = var.cluster
  autoscaling {
    max_node_count = 2
  }
  node_config {
    machine_type = "a2-highgpu-4g"
  }
}
