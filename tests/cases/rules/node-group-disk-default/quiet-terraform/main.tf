resource "aws_eks_node_group" "sized" {
  cluster_name   = aws_eks_cluster.main.name
  instance_types = ["g5.xlarge"]
  ami_type       = "AL2023_x86_64_NVIDIA"
  disk_size      = 200
}

resource "aws_eks_node_group" "templated" {
  cluster_name   = aws_eks_cluster.main.name
  instance_types = ["g5.xlarge"]

  launch_template {
    id      = aws_launch_template.gpu.id
    version = "$Latest"
  }
}

resource "aws_eks_node_group" "by_variable" {
  cluster_name   = aws_eks_cluster.main.name
  ami_type       = var.ami_type
  instance_types = var.instance_types
}
