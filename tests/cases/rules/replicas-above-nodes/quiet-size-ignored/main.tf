resource "azurerm_kubernetes_cluster_node_pool" "gpus" {
  name        = "gpus"
  vm_size     = "Standard_NC24ads_A100_v4"
  node_labels = { workload = "training" }
  node_count  = 1
  lifecycle {
    ignore_changes = [node_count]
  }
}
