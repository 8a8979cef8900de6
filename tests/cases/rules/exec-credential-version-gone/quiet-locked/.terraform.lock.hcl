provider "registry.terraform.io/hashicorp/kubernetes" {
  version = "2.9.0"
}
