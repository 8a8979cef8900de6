terraform {
  required_providers {
    kubernetes = {
      source  = "hashicorp/kubernetes"
      version = "~> 9223372036854775807"
    }
  }
}

module "operator" {
  source = "./modules/operator"
}
