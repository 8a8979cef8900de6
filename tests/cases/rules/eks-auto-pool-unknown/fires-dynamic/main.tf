resource "aws_eks_cluster" "lab" {
  name     = "lab"
  role_arn = "arn:aws:iam::111122223333:role/lab"
  dynamic "compute_config" {
    for_each = [1]
    content {
      enabled    = true
      node_pools = ["gpu"] # finding: eks-auto-pool-unknown
    }
  }
}
