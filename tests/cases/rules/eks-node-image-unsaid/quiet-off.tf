module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"
  name    = "gpu"

  eks_managed_node_groups = {
    gpus = {
      create         = false
      instance_types = ["g5.xlarge"]
    }
  }
}
