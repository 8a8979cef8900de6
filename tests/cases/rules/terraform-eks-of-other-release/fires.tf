module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"

  cluster_name = "gpu" # finding: terraform-eks-of-other-release
}
