provider "kubernetes" {
  host = var.host

  exec {
    api_version = "client.authentication.k8s.io/v1alpha1"
    command     = "aws"
    args        = ["eks", "get-token", "--cluster-name", "gpu"]
  }
}

variable "host" {
  type = string
}
