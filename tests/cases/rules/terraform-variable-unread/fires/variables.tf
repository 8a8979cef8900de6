variable "gpu_count" {   # finding: terraform-variable-unread
  type    = number
  default = 8
}

variable "zone" {
  type = string
}
