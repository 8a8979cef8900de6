module "lab" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 20.0"
  cluster_compute_config = {
    enabled    = false
    node_pools = ["gpu"]
  }
}

module "other" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 20.0"
  count   = 0
  cluster_compute_config = {
    enabled    = true
    node_pools = ["gpu"]
  }
}
