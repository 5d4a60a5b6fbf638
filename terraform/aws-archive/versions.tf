terraform {
  required_version = ">= 1.11"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.80, < 7"
    }
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = merge({ app = var.prefix }, var.tags)
  }
}
