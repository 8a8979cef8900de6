module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"
  name    = "gpu"

  eks_managed_node_groups = {
    gpus = {
      instance_types = ["g6.2xlarge"]
      ami_type       = "AL2023_x86_64_NVIDIA"
      disk_size      = 200 # finding: node-group-disk-unread
      min_size       = 1
      max_size       = 4
      desired_size   = 1
    }
  }
}
