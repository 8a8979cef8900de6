module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"
  name    = "gpu"

  eks_managed_node_groups = {
    # finding: node-group-disk-default
    gpus = {
      instance_types = ["g6.2xlarge"]
      ami_type       = "AL2023_x86_64_NVIDIA"
      min_size       = 1
      max_size       = 4
      desired_size   = 1
    }
  }
}
