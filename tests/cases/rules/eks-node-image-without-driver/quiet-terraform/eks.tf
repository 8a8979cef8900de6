module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 20.31"
  eks_managed_node_groups = {
    gpu = {
      ami_type       = "AL2023_x86_64_NVIDIA"
      instance_types = ["g5.12xlarge"]
      block_device_mappings = { root = { device_name = "/dev/xvda", ebs = { volume_size = 200 } } }
    }
    own = {
      ami_type                = "AL2023_x86_64_STANDARD"
      instance_types          = ["g5.12xlarge"]
      block_device_mappings = { root = { device_name = "/dev/xvda", ebs = { volume_size = 200 } } }
      pre_bootstrap_user_data = file("driver.sh")   # who knows what it installs
    }
    later = {
      ami_type       = var.ami_type
      instance_types = ["g5.12xlarge"]
      block_device_mappings = { root = { device_name = "/dev/xvda", ebs = { volume_size = 200 } } }
    }
  }
}
