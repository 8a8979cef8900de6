resource "linode_lke_cluster" "lab" {
  label       = "lab"
  k8s_version = "1.34"
  region      = "us-ord"
  pool {
    type  = "g2-gpu-rtx4000a1-s"
    count = 2 # finding: terraform-pool-size-reset
    autoscaler {
      min = 1
      max = 5
    }
  }
}

resource "digitalocean_kubernetes_node_pool" "gpu" {
  cluster_id = "lab"
  name       = "gpu"
  size       = "gpu-h100x1-80gb"
  node_count = 1 # finding: terraform-pool-size-reset
  auto_scale = true
  min_nodes  = 1
  max_nodes  = 3
}
