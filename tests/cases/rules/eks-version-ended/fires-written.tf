module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 20.0"

  cluster_name    = "gpu"
  cluster_version = "1.28" # finding: eks-version-ended
}
