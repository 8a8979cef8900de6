# finding: eks-node-image-unsaid
resource "aws_eks_node_group" "gpus" {
  cluster_name    = "gpu"
  node_group_name = "gpus"
  instance_types  = ["g5.12xlarge"]
  disk_size       = 200
}
