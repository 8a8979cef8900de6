variable "cluster_version" {
  type    = string
  default = "1.24"
}

resource "aws_eks_cluster" "this" {
  name    = "lab"
  version = var.cluster_version
}
