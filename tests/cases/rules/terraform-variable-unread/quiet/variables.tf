variable "gpu_count" {
  type    = number
  default = 8
}

variable "zone" {
  type = string
}

/* Until 2024:
variable "old_count" {
}
*/
