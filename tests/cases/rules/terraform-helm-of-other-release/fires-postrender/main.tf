terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = "~> 3.0"
    }
  }
}

resource "helm_release" "operator" {
  name  = "operator"
  chart = "oci://registry.example/charts/operator"

  postrender { # finding: terraform-helm-of-other-release
    binary_path = "./render.sh"
  }
}
