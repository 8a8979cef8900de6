module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"
  eks_managed_node_groups = {
    system = {
      instance_types = ["m6i.xlarge"]
      max_size       = 3
    }
    gpus = {
      instance_types = ["p4d.24xlarge"]
      block_device_mappings = { root = { device_name = "/dev/xvda", ebs = { volume_size = 200 } } }
      ami_type       = "AL2023_x86_64_NVIDIA"
      labels         = { role = "gpus" }
      taints = {
        dedicated = { key = "dedicated", value = "gpus", effect = "NO_SCHEDULE" }
      }
    }
  }
}
