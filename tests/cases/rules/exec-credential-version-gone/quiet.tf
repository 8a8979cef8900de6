provider "kubernetes" {
  host = var.host

  # it was client.authentication.k8s.io/v1alpha1
  exec {
    api_version = "client.authentication.k8s.io/v1beta1"
    command     = "aws"
    args        = ["eks", "get-token", "--cluster-name", "gpu"]
  }
}

variable "host" {
  type = string
}
