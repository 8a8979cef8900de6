terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = "~> 2.17"
    }
  }
}
resource "aws_eks_node_group" "gpus" {
  cluster_name    = aws_eks_cluster.this.name
  node_group_name = "gpus"
  instance_types  = ["g5.12xlarge"]
  ami_type        = "AL2023_x86_64_NVIDIA"
  disk_size       = 200
  labels          = { workload = "training" }
  taint {
    key    = "dedicated"
    value  = "true"
    effect = "NO_SCHEDULE"
  }
  scaling_config {
    desired_size = 0
    max_size     = 4
    min_size     = 0
  }
}
resource "helm_release" "serve" {
  name  = "serve"
  chart = "../charts/serve"
  set {
    name  = "tolerations[0].key"
    value = "dedicated"
  }
}
