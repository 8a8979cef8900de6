variable "kubernetes_version" {
  default = "1.24"
}

resource "aws_eks_cluster" "this" {
  name    = "lab"
  version = var.kubernetes_version
}
