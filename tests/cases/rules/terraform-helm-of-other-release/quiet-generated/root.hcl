generate "versions" {
  path     = "versions.tf"
  contents = <<-EOF
    terraform {
      required_providers {
        helm = { source = "hashicorp/helm", version = "~> 2.17" }
      }
    }
  EOF
}
