resource "azurerm_subnet" "nodes" {
  name                 = "nodes"
  resource_group_name  = "lab"
  virtual_network_name = "lab"
  address_prefixes     = [var.prefix]
}

resource "azurerm_kubernetes_cluster" "lab" {
  name                = "lab"
  location            = "westeurope"
  resource_group_name = "lab"
  dns_prefix          = "lab"
  default_node_pool {
    name           = "system"
    node_count     = 2
    vm_size        = "Standard_D4s_v5"
    vnet_subnet_id = azurerm_subnet.nodes.id
  }
  identity {
    type = "SystemAssigned"
  }
  network_profile {
    network_plugin = "azure"
    service_cidr   = "10.20.0.0/16" # finding: aks-service-range-overlaps
  }
}

variable "prefix" {
  type    = string
  default = "10.20.0.0/22"
}
