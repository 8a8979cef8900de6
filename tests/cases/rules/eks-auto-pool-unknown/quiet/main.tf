resource "aws_eks_cluster" "lab" {
  name     = "lab"
  role_arn = "arn:aws:iam::111122223333:role/lab"
  compute_config {
    enabled    = true
    node_pools = ["general-purpose", "system"]
  }
}

module "other" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"
  name    = "other"
  compute_config = {
    enabled    = true
    node_pools = var.pools
  }
}

variable "pools" {
  default = ["system"]
}
