resource "aws_eks_cluster" "this" {
  name     = "gpu"
  role_arn = aws_iam_role.cluster.arn
  version  = "1.31" # finding: eks-version-ended
}
