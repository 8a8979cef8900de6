resource "azurerm_kubernetes_cluster_node_pool" "gpus" {
  name        = "gpus"
  vm_size     = "Standard_NC24ads_A100_v4"
  node_labels = { workload = "training" }
  node_count  = 1
  auto_scaling_enabled = var.grows
  min_count            = 1
  max_count            = 4
}
