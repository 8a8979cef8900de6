resource "aws_eks_cluster" "lab" {
  name     = "lab"
  role_arn = "arn:aws:iam::111122223333:role/lab"
  compute_config {
    enabled    = true
    node_pools = ["general-purpose", "gpu"] # finding: eks-auto-pool-unknown
  }
}
