module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"
  name    = "gpu"

  eks_managed_node_groups = {
    # finding: eks-node-image-unsaid
    gpus = {
      instance_types        = ["g6.2xlarge"]
      block_device_mappings = { root = { device_name = "/dev/xvda", ebs = { volume_size = 200 } } }
    }
  }
}
