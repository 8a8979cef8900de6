terraform {
  required_providers {
    kubernetes = {
      source  = "hashicorp/kubernetes"
      version = ">= 2.10.1"
    }
    aws = {
      source  = "hashicorp/aws"
      version = "< 6"
    }
    azurerm = "~> 4.0"
  }
}
