resource "aws_eks_node_group" "gpus" {
  cluster_name    = aws_eks_cluster.this.name
  node_group_name = "gpus"
  instance_types  = ["g5.12xlarge"]
  ami_type        = "AL2023_x86_64_NVIDIA"
  disk_size       = 200
  labels          = { workload = "training" }
  taint {
    key    = "node.cilium.io/agent-not-ready"
    value  = "true"
    effect = "NO_SCHEDULE"
  }
  scaling_config {
    desired_size = 0
    max_size     = 4
    min_size     = 0
  }
}
resource "azurerm_kubernetes_cluster_node_pool" "gpus" {
  name        = "gpus"
  vm_size     = "Standard_NC24ads_A100_v4"
  node_labels = { pool = "gpus" }
  node_taints = ["ebs.csi.aws.com/agent-not-ready=true:NoExecute"]
}
