module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 20.31"
  eks_managed_node_groups = {
    gpu = {
      ami_type       = "AL2023_x86_64_NVIDIA"
      instance_types = ["g5.12xlarge"]
    }
    own = {
      ami_type                = "AL2023_x86_64_STANDARD"
      instance_types          = ["g5.12xlarge"]
      pre_bootstrap_user_data = file("driver.sh")   # who knows what it installs
    }
    later = {
      ami_type       = var.ami_type
      instance_types = ["g5.12xlarge"]
    }
  }
}
