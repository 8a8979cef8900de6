module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"
  name    = "gpu"

  eks_managed_node_groups = {
    first = {
      disk_size      = 200 # finding: node-group-disk-unread
      instance_types = ["g6.2xlarge"]
      ami_type       = "AL2023_x86_64_NVIDIA"
    }
    last = {
      ami_type       = "AL2023_x86_64_NVIDIA"
      instance_types = ["g6.2xlarge"]
      max_size       = 4
      disk_size      = 200 # finding: node-group-disk-unread
    }
  }
}

module "other" {
  source                          = "terraform-aws-modules/eks/aws"
  version                         = "~> 20.0"
  cluster_name                    = "others"
  eks_managed_node_group_defaults = { block_device_mappings = {} }
  eks_managed_node_groups = {
    joined = {
      ami_type       = "AL2023_x86_64_NVIDIA"
      instance_types = ["g6.2xlarge"]
      disk_size      = 200
    }
  }
}
