resource "digitalocean_kubernetes_cluster" "more" {
  name = "more"
}
