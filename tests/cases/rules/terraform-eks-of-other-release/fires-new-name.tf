module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "20.37.1"

  name               = "gpu" # finding: terraform-eks-of-other-release
  kubernetes_version = "1.34"
}
