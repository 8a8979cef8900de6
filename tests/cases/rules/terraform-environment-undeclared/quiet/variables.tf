variable "gpu_count" {
  type    = number
  default = 8
}

variable "zone" {
  type = string
}
