resource "google_container_node_pool" "gpu" {
  node_config {
    taint {
      key    = "nvidia.com/gpu"
      value  = "present"
      # silenced by:       effect = "NO_SCHEDULE"
      effect = "NoSchedule" # finding: terraform-taint-effect-unknown
    }
  }
}
