resource "azurerm_kubernetes_cluster_node_pool" "gpu" {
  name                  = "gpu"
  kubernetes_cluster_id = "lab"
  vm_size               = "Standard_NC24ads_A100_v4"
  node_count            = 1 # finding: terraform-pool-size-reset
  auto_scaling_enabled  = true
  min_count             = 0
  max_count             = 4
}

resource "azurerm_kubernetes_cluster" "lab" {
  name                = "lab"
  location            = "westeurope"
  resource_group_name = "lab"
  dns_prefix          = "lab"
  default_node_pool {
    name                 = "system"
    vm_size              = "Standard_D4s_v5"
    node_count           = 2 # finding: terraform-pool-size-reset
    auto_scaling_enabled = true
    min_count            = 1
    max_count            = 3
  }
  identity {
    type = "SystemAssigned"
  }
}
