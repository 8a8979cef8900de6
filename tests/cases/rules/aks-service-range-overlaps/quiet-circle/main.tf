resource "azurerm_subnet" "nodes" {
  name                 = "nodes"
  resource_group_name  = "lab"
  virtual_network_name = "lab"
  address_prefixes     = [var.prefix]
}

resource "azurerm_subnet" "other" {
  name                 = "other"
  resource_group_name  = "lab"
  virtual_network_name = "lab"
  address_prefixes     = ["${var.other}"]
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
}

resource "azurerm_kubernetes_cluster" "other" {
  name                = "other"
  location            = "westeurope"
  resource_group_name = "lab"
  dns_prefix          = "other"
  default_node_pool {
    name           = "system"
    node_count     = 2
    vm_size        = "Standard_D4s_v5"
    vnet_subnet_id = azurerm_subnet.other.id
  }
  identity {
    type = "SystemAssigned"
  }
}

variable "prefix" {
  default = [var.prefix]
}

variable "other" {
  default = "${var.other}"
}
