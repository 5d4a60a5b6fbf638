# Secrets -------------------------------------------------------------------------------------
# Ephemeral: neither in a plan nor in a state. Give them as TF_VAR_NAME in the environment, never in a file of variables.

variable "telegram_bot_token" {
  description = "The bot's token from @BotFather. Required."
  type        = string
  ephemeral   = true
  default     = null # refused below, with a sentence

  validation {
    condition     = can(regex("^[0-9]{1,16}:[A-Za-z0-9_-]+$", var.telegram_bot_token))
    error_message = "telegram_bot_token must look like 123456:ABC-def: copy the whole token that @BotFather gave into TF_VAR_telegram_bot_token."
  }
}

variable "telegram_webhook_secret" {
  description = "What Telegram sends with every update; during a rotation two, new,old. Required."
  type        = string
  ephemeral   = true
  default     = null # refused below, with a sentence

  validation {
    condition     = can(regex("^[A-Za-z0-9_-]{1,256}(,[A-Za-z0-9_-]{1,256})?$", var.telegram_webhook_secret))
    error_message = "telegram_webhook_secret must be 1 to 256 of A-Z a-z 0-9 _ -, or two such joined by a comma: make one with `openssl rand -hex 32`."
  }
}

variable "gemini_api_key" {
  description = "Key of the Gemini API; needed unless gemini is false."
  type        = string
  ephemeral   = true
  default     = null

  validation {
    condition     = var.gemini == false || can(regex("^[^[:space:]]+$", var.gemini_api_key))
    error_message = "gemini_api_key is missing or has spaces: put the key into TF_VAR_gemini_api_key, or set gemini = false for a bot that only quotes memory."
  }
}

variable "archive_secret_access_key" {
  description = "Secret of the archive's access key; needed unless archive is none."
  type        = string
  ephemeral   = true
  default     = null

  validation {
    condition     = !local.archive_has_key || can(regex("^[^[:space:]]+$", var.archive_secret_access_key))
    error_message = "archive_secret_access_key is missing: put the secret of archive_access_key_id into TF_VAR_archive_secret_access_key."
  }
}

variable "secret_versions" {
  description = "Raise a secret's number to write the value that is given now as a new version (rotation); else the stored one stays."
  type = object({
    telegram-bot-token        = optional(number, 1)
    telegram-webhook-secret   = optional(number, 1)
    gemini-api-key            = optional(number, 1)
    archive-secret-access-key = optional(number, 1)
  })
  default = {}

  validation {
    condition     = alltrue([for number in var.secret_versions : number >= 1 && floor(number) == number])
    error_message = "secret_versions must be whole numbers from 1: raise the one of the secret that is new by 1."
  }
}

variable "gemini" {
  description = "Whether the bot asks Gemini; false makes one that answers by quoting memory."
  type        = bool
  default     = true
}

# The archive ---------------------------------------------------------------------------------

variable "archive" {
  description = "Where exports of the chats are kept: none, gcs (a bucket made here) or s3 (a bucket that is there already, like that of aws-archive/)."
  type        = string
  default     = "none"

  validation {
    condition     = contains(["none", "gcs", "s3"], var.archive)
    error_message = "archive must be none, gcs or s3: choose one."
  }
}

variable "archive_access_key_id" {
  description = "Access key of the archive. For gcs leave it out at first: the bucket and its account are made, then `gcloud storage hmac create` makes the key (output archive_account)."
  type        = string
  default     = null

  validation {
    condition     = var.archive_access_key_id == null ? true : can(regex("^[A-Za-z0-9]{16,128}$", var.archive_access_key_id))
    error_message = "archive_access_key_id must be 16 to 128 letters and digits: copy the access id, not the secret."
  }
  validation {
    condition     = var.archive != "s3" || var.archive_access_key_id != null
    error_message = "archive_access_key_id is missing: a bucket outside needs a key, or set archive = \"none\"."
  }
}

variable "archive_url" {
  description = "Of an s3 archive: s3://BUCKET/PREFIX."
  type        = string
  default     = null

  validation {
    condition     = var.archive != "s3" || can(regex("^s3://[a-z0-9][a-z0-9._-]{1,221}(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*/?$", var.archive_url))
    error_message = "archive_url must be s3://BUCKET/PREFIX where archive is s3: take it from the outputs of aws-archive/."
  }
}

variable "archive_endpoint_url" {
  description = "Of an s3 archive that is not AWS's: the address of its S3 API."
  type        = string
  default     = null

  validation {
    condition     = var.archive_endpoint_url == null ? true : can(regex("^https://[^[:space:]/]+[^[:space:]]*$", var.archive_endpoint_url))
    error_message = "archive_endpoint_url must be an https:// address: leave it out for AWS."
  }
}

variable "archive_region" {
  description = "Region of an s3 archive."
  type        = string
  default     = null

  validation {
    condition     = var.archive != "s3" || var.archive_region != null || var.archive_endpoint_url != null
    error_message = "archive_region is missing: name the region of the bucket, like eu-central-1."
  }
}
