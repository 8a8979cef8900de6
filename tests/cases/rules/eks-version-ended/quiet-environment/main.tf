resource "aws_eks_cluster" "this" {
  name     = "gpu"
  role_arn = aws_iam_role.cluster.arn
  version  = var.release
}

variable "release" {
  type    = string
  default = "1.25"
}
