module "eks" {
  source   = "terraform-aws-modules/eks/aws"
  version  = "~> 21.0"
  for_each = toset(["a", "b"])
  eks_managed_node_groups = {
    gpus = {
      instance_types = ["g5.xlarge"]
      max_size       = 1
      labels         = { workload = "training" }
    }
  }
}
