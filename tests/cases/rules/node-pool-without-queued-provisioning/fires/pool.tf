resource "google_container_node_pool" "train" {
  name    = "train"
  cluster = "train"
  node_config {
    machine_type = "a2-ultragpu-1g"
    flex_start   = true
  }
}
