module "eks" {
  source = "terraform-aws-modules/eks/aws"

  cluster_name    = "gpu" # finding: terraform-eks-of-other-release
  cluster_version = "1.34"
}
