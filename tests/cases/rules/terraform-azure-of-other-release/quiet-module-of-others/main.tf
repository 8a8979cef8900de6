terraform {
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 3.80, < 5.0"
    }
  }
}

module "network" {
  source  = "Azure/network/azurerm"
  version = "5.3.0"
}

resource "azurerm_kubernetes_cluster_node_pool" "gpu" {
  name                  = "gpu"
  kubernetes_cluster_id = "lab"
  vm_size               = "Standard_NC24ads_A100_v4"
  enable_auto_scaling   = true
  min_count             = 0
  max_count             = 4
}
