module "eks" {
  source   = "terraform-aws-modules/eks/aws"
  version  = "~> 21.0"
  for_each = toset(["a", "b"])
  eks_managed_node_groups = {
    gpus = {
      instance_types = ["g5.xlarge"]
      ami_type = "AL2023_x86_64_NVIDIA"
      block_device_mappings = { root = { device_name = "/dev/xvda", ebs = { volume_size = 200 } } }
      max_size       = 1
      labels         = { workload = "training" }
    }
  }
}
