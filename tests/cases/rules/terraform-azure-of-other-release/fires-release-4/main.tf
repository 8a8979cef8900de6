terraform {
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = "~> 4.0"
    }
  }
}

resource "azurerm_kubernetes_cluster_node_pool" "gpu" {
  name                  = "gpu"
  kubernetes_cluster_id = "lab"
  vm_size               = "Standard_NC24ads_A100_v4"
  enable_auto_scaling   = true # finding: terraform-azure-of-other-release
  min_count             = 0
  max_count             = 4
}
