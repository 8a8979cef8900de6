terraform {
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = "~> 3.85"
    }
  }
}

resource "azurerm_kubernetes_cluster_node_pool" "gpu" {
  name                  = "gpu"
  kubernetes_cluster_id = "lab"
  vm_size               = "Standard_NC24ads_A100_v4"
  auto_scaling_enabled  = true # finding: terraform-azure-of-other-release
  min_count             = 0
  max_count             = 4
}
