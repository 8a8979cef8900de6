resource "aws_eks_cluster" "this" {
  name     = "gpu"
  role_arn = aws_iam_role.cluster.arn
  version  = var.release
}

module "next" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 20.0"

  cluster_name    = "gpu"
  cluster_version = "1.35"
}
