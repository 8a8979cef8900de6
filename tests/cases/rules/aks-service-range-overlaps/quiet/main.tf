resource "azurerm_subnet" "nodes" {
  name                 = "nodes"
  resource_group_name  = "lab"
  virtual_network_name = "lab"
  address_prefixes     = ["10.0.1.0/24"]
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
    service_cidr   = "172.16.0.0/16"
  }
}
