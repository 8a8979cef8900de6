variable "cluster_version" {
  type    = string
  default = "1.24"
}

module "eks" {
  source          = "terraform-aws-modules/eks/aws"
  version         = "~> 20.0"
  cluster_name    = "lab"
  cluster_version = var.cluster_version
}
