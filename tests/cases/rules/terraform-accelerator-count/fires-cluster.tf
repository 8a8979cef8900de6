resource "google_container_cluster" "train" {
  name = "train"

  node_pool {
    node_config {
      machine_type = "g2-standard-24"
      guest_accelerator {
        type = "nvidia-l4"
        # silenced by: count = 2
        count = 1 # finding: terraform-accelerator-count
      }
    }
  }
}
