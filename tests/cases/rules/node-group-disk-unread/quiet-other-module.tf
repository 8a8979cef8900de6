module "mine" {
  source = "./modules/eks"

  eks_managed_node_groups = {
    gpus = {
      instance_types = ["g5.xlarge"]
      disk_size      = 200
    }
  }
}
