resource "azurerm_kubernetes_cluster" "lab" {
  name                = "lab"
  location            = "westeurope"
  resource_group_name = "lab"
  dns_prefix          = "lab"
  default_node_pool {
    name                 = "system"
    vm_size              = "Standard_D4s_v5"
    node_count           = 2
    auto_scaling_enabled = true
    min_count            = 1
    max_count            = 3
  }
  identity {
    type = "SystemAssigned"
  }
  lifecycle {
    ignore_changes = [default_node_pool[0].node_count]
  }
}

resource "azurerm_kubernetes_cluster_node_pool" "fixed" {
  name                  = "fixed"
  kubernetes_cluster_id = "lab"
  vm_size               = "Standard_NC24ads_A100_v4"
  node_count            = 1
  auto_scaling_enabled  = var.scales
}

variable "scales" {
  default = false
}

resource "linode_lke_cluster" "lab" {
  label       = "lab"
  k8s_version = "1.34"
  region      = "us-ord"
  pool {
    type = "g2-gpu-rtx4000a1-s"
    autoscaler {
      min = 1
      max = 5
    }
  }
}

resource "linode_lke_cluster" "left" {
  label       = "left"
  k8s_version = "1.34"
  region      = "us-ord"
  pool {
    type  = "g2-gpu-rtx4000a1-s"
    count = 2
    autoscaler {
      min = 1
      max = 5
    }
  }
  lifecycle {
    ignore_changes = [pool.0.count]
  }
}
