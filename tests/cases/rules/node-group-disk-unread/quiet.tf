module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"
  name    = "gpu"

  eks_managed_node_groups = {
    gpus = {
      instance_types             = ["g6.2xlarge"]
      ami_type                   = "AL2023_x86_64_NVIDIA"
      use_custom_launch_template = false
      disk_size                  = 200
      min_size                   = 1
      max_size                   = 4
      desired_size               = 1
    }
  }
}

resource "aws_eks_node_group" "gpus" {
  cluster_name    = module.eks.cluster_name
  node_group_name = "gpus"
  instance_types  = ["g5.12xlarge"]
  ami_type        = "AL2023_x86_64_NVIDIA"
  disk_size       = 200
}
