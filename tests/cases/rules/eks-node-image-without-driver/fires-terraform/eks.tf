module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 20.31"
  eks_managed_node_groups = {
    web = { ami_type = "AL2023_x86_64_STANDARD", instance_types = ["m6i.xlarge"] }
    "gpu" = {
      # silenced by: ami_type = "AL2023_x86_64_NVIDIA"
      ami_type       = "AL2023_x86_64_STANDARD"   # finding: eks-node-image-without-driver
      instance_types = ["g5.12xlarge"]
      block_device_mappings = {
        root = { device_name = "/dev/xvda", ebs = { volume_size = 300 } }
      }
    }
  }
}
