variable "cluster_version" {
  default = "1.24"  # finding: eks-version-ended
}

resource "aws_eks_cluster" "this" {
  name    = "lab"
  version = var.cluster_version
}

module "other" {
  source          = "example/other/aws"
  version         = "1.0.0"
  cluster_version = "1.34"
}
