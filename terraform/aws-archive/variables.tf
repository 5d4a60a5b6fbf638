variable "kms_key_arn" {
  description = "ARN of the KMS key that objects are encrypted with, whose own policy leaves access to IAM (as KMS makes it); null for S3's own keys (AES256)."
  type        = string
  default     = null

  validation {
    condition     = var.kms_key_arn == null ? true : can(regex("^arn:aws[a-z-]*:kms:${var.region}:[0-9]{12}:key/[A-Za-z0-9-]+$", var.kms_key_arn))
    error_message = "kms_key_arn must be the ARN of a key (not of an alias) in the bucket's region: copy it from `aws kms describe-key --key-id KEY`."
  }
}

variable "message_retention_days" {
  description = "Days after which an export, with every version of it, is gone: the same as message_retention_days of the main module, so that the archive keeps no message longer than the memory does."
  type        = number
  default     = 90

  validation {
    condition     = var.message_retention_days >= 2 && var.message_retention_days <= 36500 && floor(var.message_retention_days) == var.message_retention_days
    error_message = "message_retention_days must be a whole number from 2 to 36500: take that of the main module."
  }
}

variable "noncurrent_days" {
  description = "Days that a version stays which was replaced or deleted by accident. A forgetting deletes versions at once."
  type        = number
  default     = 7

  validation {
    condition     = var.noncurrent_days >= 1 && var.noncurrent_days < var.message_retention_days && floor(var.noncurrent_days) == var.noncurrent_days
    error_message = "noncurrent_days must be a whole number from 1 and below message_retention_days, of which it is a part: choose fewer days."
  }
}

variable "object_lock" {
  description = <<-EOT
    Whether versions can not be deleted before their time. mode: off; governance (only who has
    s3:BypassGovernanceRetention can, and the bot has not); compliance (nobody can, not AWS either). days: from the
    moment that a version is written. While it is locked, what a member had forgotten stays in the bucket.
  EOT
  type = object({
    mode = optional(string, "off")
    days = optional(number)
  })
  default = {}

  validation {
    condition     = contains(["off", "governance", "compliance"], var.object_lock.mode)
    error_message = "object_lock: mode must be off, governance or compliance: choose off, with which members are forgotten in the archive at once."
  }
  validation {
    condition     = var.object_lock.mode == "off" ? true : try(var.object_lock.days >= 1 && var.object_lock.days <= var.message_retention_days && floor(var.object_lock.days) == var.object_lock.days, false)
    error_message = "object_lock: days must be a whole number from 1 to message_retention_days. For so long a forgotten member's words stay in the bucket, and the bot has to tell them so: choose the fewest days that protect you, or mode = \"off\"."
  }
  validation {
    condition     = var.object_lock.mode != "off" || var.object_lock.days == null
    error_message = "object_lock: days mean nothing with mode = \"off\": choose governance or compliance, or leave days out."
  }
}

variable "prefix" {
  description = "Begins the bucket's and the user's name, and the keys of all objects: the same as prefix of the main module."
  type        = string
  default     = "spomyn"

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,16}[a-z0-9])?$", var.prefix))
    error_message = "prefix must be 1 to 18 of a-z, 0-9 and hyphens, begin with a letter and not end with a hyphen: choose a shorter or simpler word."
  }
}

variable "region" {
  description = "AWS region of the bucket."
  type        = string
  default     = "eu-central-1"

  validation {
    condition     = can(regex("^[a-z]{2,4}(-[a-z]+)+-[0-9]+$", var.region))
    error_message = "region must be one of AWS like eu-central-1, not one of Google Cloud: choose one from `aws account list-regions`."
  }
}

variable "tags" {
  description = "Tags of everything that can have them, beside app = PREFIX."
  type        = map(string)
  default     = {}
}
