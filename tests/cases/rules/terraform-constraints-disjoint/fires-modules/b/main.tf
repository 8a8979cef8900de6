terraform {
  required_providers {
    kubernetes = {
      source  = "hashicorp/kubernetes"
      version = "~> 3.0" # finding: terraform-constraints-disjoint
    }
  }
}
