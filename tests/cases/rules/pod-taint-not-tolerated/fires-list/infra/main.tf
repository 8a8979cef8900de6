module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 20.0"
  eks_managed_node_groups = {
    system = {
      instance_types = ["m6i.xlarge"]
      max_size       = 3
    }
    gpus = {
      instance_types = [
        "p4d.24xlarge", # in one zone
      ]
      ami_type = "AL2023_x86_64_NVIDIA"
      block_device_mappings = { root = { device_name = "/dev/xvda", ebs = { volume_size = 200 } } }
      labels   = { role = "gpus" }
      taints = [
        # for training, and nothing else
        { key = "dedicated", value = "gpus{0}", effect = "NO_SCHEDULE" },
        { key = "slow", effect = "PREFER_NO_SCHEDULE" }, # {
      ]
    }
  }
}
