resource "azurerm_kubernetes_cluster_node_pool" "gpus" {
  name                  = "gpus"
  kubernetes_cluster_id = azurerm_kubernetes_cluster.this.id
  vm_size               = "Standard_NC24ads_A100_v4"
  node_labels           = { pool = "gpus" }
  node_taints           = ["sku=gpu:NoSchedule"]
}
