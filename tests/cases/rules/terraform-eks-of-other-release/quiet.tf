module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = ">= 20.0, < 21.0"

  cluster_name    = "gpu"
  cluster_version = "1.34"
}

module "next" {
  source  = "terraform-aws-modules/eks/aws"
  version = ">= 21.0"

  name               = "gpu"
  kubernetes_version = "1.34"
}

module "pool" {
  source  = "terraform-aws-modules/eks/aws//modules/karpenter"
  version = "~> 21.0"

  cluster_name = module.next.cluster_name
}
