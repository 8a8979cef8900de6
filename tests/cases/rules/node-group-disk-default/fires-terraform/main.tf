resource "aws_eks_node_group" "gpu" {   # finding: node-group-disk-default
  cluster_name    = aws_eks_cluster.main.name
  node_group_name = "${var.cluster_name}-gpu"
  instance_types  = [var.instance_type]
  ami_type        = "AL2_x86_64_GPU"

  scaling_config {
    desired_size = 1
    max_size     = 2
    min_size     = 0
  }
}

resource "aws_eks_node_group" "web" {
  cluster_name   = aws_eks_cluster.main.name
  instance_types = ["m7i.large"]
}
