terraform {
  required_providers {
    kubernetes = {
      source  = "hashicorp/kubernetes"
      version = "~> 2.30"
    }
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0, != 5.7.0"
    }
    azurerm = "4.1.0"
  }
}

module "operator" {
  source = "./modules/operator"
}
