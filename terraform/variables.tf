# Where ---------------------------------------------------------------------------------------

variable "project_id" {
  description = "Id (not name, not number) of the Google Cloud project that everything is made in. Required."
  type        = string
  default     = null # refused below, with a sentence

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project_id))
    error_message = "project_id must be the id of your project, 6 to 30 of a-z 0-9 and hyphens: copy it from `gcloud projects list` into terraform.tfvars."
  }
}

variable "region" {
  description = "Region of the functions, the queue, the schedules, the buckets and (unless firestore_location says else) the memory."
  type        = string
  default     = "europe-west1"

  validation {
    # Regions that have all of Cloud Run functions, Cloud Tasks, Cloud Scheduler and a Firestore location, from the
    # products' lists of locations. Others may have them by now: check the four lists, then add yours.
    condition = contains([
      "asia-east1", "asia-east2", "asia-northeast1", "asia-northeast2", "asia-northeast3", "asia-south1",
      "asia-southeast1", "asia-southeast2", "australia-southeast1", "europe-central2", "europe-west1", "europe-west2",
      "europe-west3", "europe-west6", "northamerica-northeast1", "southamerica-east1", "us-central1", "us-east1",
      "us-east4", "us-west1", "us-west2", "us-west3", "us-west4",
    ], var.region)
    error_message = "region must be one that has functions, Firestore, Cloud Tasks and Cloud Scheduler: use europe-west1, us-central1 or another of the list in variables.tf."
  }
}

variable "prefix" {
  description = "Begins the name of everything that is made; another one makes room for a second bot in the project."
  type        = string
  default     = "spomyn"

  validation {
    # A service account's id has 30 characters at most, and the longest of ours is PREFIX-maintenance.
    condition     = can(regex("^[a-z]([a-z0-9-]{0,16}[a-z0-9])?$", var.prefix))
    error_message = "prefix must be 1 to 18 of a-z, 0-9 and hyphens, begin with a letter and not end with a hyphen: choose a shorter or simpler word."
  }
}

variable "labels" {
  description = "Labels of everything that can have them, beside app = PREFIX."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for key, value in var.labels : can(regex("^[a-z][a-z0-9_-]{0,62}$", key)) && can(regex("^[a-z0-9_-]{0,63}$", value))])
    error_message = "labels must be of a-z, 0-9, _ and -, 63 characters at most, and the keys begin with a letter: write them in lower case."
  }
}

variable "bundles" {
  description = "Folder with webhook.zip, answer.zip, extract.zip and maintenance.zip, which `make bundle` writes."
  type        = string
  default     = "../build"

  validation {
    condition     = alltrue([for name in ["webhook", "answer", "extract", "maintenance"] : fileexists("${var.bundles}/${name}.zip")])
    error_message = "bundles must be a folder with webhook.zip, answer.zip, extract.zip and maintenance.zip: run `make bundle` first."
  }
}

# The functions -------------------------------------------------------------------------------

variable "functions" {
  description = <<-EOT
    Size of each function. memory: of an instance, like 512Mi or 1Gi; cpu: of an instance, at least 1 where concurrency
    is above 1; concurrency: requests that one instance serves at once; min_instances: kept warm (each costs while it
    idles); max_instances: the most, which bounds the bill; timeout_seconds: of one request.
  EOT
  type = object({
    webhook = optional(object({
      memory          = optional(string, "512Mi")
      cpu             = optional(number, 1)
      concurrency     = optional(number, 40)
      min_instances   = optional(number, 0)
      max_instances   = optional(number, 10)
      timeout_seconds = optional(number, 60)
    }), {})
    answer = optional(object({
      memory          = optional(string, "1Gi")
      cpu             = optional(number, 1)
      concurrency     = optional(number, 20)
      min_instances   = optional(number, 0)
      max_instances   = optional(number, 10)
      timeout_seconds = optional(number, 120)
    }), {})
    extract = optional(object({
      memory          = optional(string, "1Gi")
      cpu             = optional(number, 1)
      concurrency     = optional(number, 4)
      min_instances   = optional(number, 0)
      max_instances   = optional(number, 10)
      timeout_seconds = optional(number, 600)
    }), {})
    maintenance = optional(object({
      memory          = optional(string, "1Gi")
      cpu             = optional(number, 1)
      concurrency     = optional(number, 4)
      min_instances   = optional(number, 0)
      max_instances   = optional(number, 10)
      timeout_seconds = optional(number, 600)
    }), {})
  })
  default = {}

  validation {
    condition     = alltrue([for size in var.functions : can(regex("^[1-9][0-9]*(Mi|Gi)$", size.memory))])
    error_message = "functions: memory must be a number with Mi or Gi: write it like 512Mi or 1Gi."
  }
  validation {
    condition     = alltrue([for size in var.functions : contains([1, 2, 4], size.cpu)])
    error_message = "functions: cpu must be 1, 2 or 4: below 1 an instance serves one request at a time only."
  }
  validation {
    condition     = alltrue([for size in var.functions : size.concurrency >= 1 && size.concurrency <= 80 && floor(size.concurrency) == size.concurrency])
    error_message = "functions: concurrency must be a whole number from 1 to 80: choose how many requests fit into one instance's memory."
  }
  validation {
    condition = alltrue([
      for size in var.functions : size.min_instances >= 0 && size.max_instances >= 1 && size.max_instances <= 100
      && size.min_instances <= size.max_instances
    ])
    error_message = "functions: min_instances must be at most max_instances, and that 1 to 100: it is what bounds the bill."
  }
  validation {
    # Making and sending an answer takes up to 100 seconds (LONGEST in shared/application/delivery/ledger_codec.py); its
    # lease of 20 is renewed meanwhile. A task's deadline is 10 minutes (infra/tasks/cloud_tasks.py).
    condition     = var.functions.answer.timeout_seconds >= 100 && alltrue([for size in var.functions : size.timeout_seconds >= 60 && size.timeout_seconds <= 1800])
    error_message = "functions: timeout_seconds must be 60 to 1800, answer's at least 100: making and sending an answer takes up to 100 seconds."
  }
  validation {
    condition     = min(var.functions.extract.timeout_seconds, var.functions.maintenance.timeout_seconds) >= 600
    error_message = "functions: timeout_seconds of extract and maintenance must be at least 600: a task's deadline is ten minutes."
  }
}

variable "settings" {
  description = "Further settings of the bot by name (docs/settings.md), like { BOT_USERNAME = \"my_bot\", TIMEZONE = \"Europe/Kyiv\" }; those that Terraform sets itself are not among them."
  type        = map(string)
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.settings), local.optional_settings)) == 0
    error_message = "settings holds a name that is none, or that Terraform sets itself: use the names of local.optional_settings in locals.tf, upper case."
  }
  validation {
    condition     = alltrue([for value in values(var.settings) : try(trimspace(value) != "", false)])
    error_message = "settings holds an empty value: leave the name out to keep the default."
  }
}

variable "message_retention_days" {
  description = "Days after which messages are deleted, and with them old exports in the archive; a chat may choose fewer."
  type        = number
  default     = 90

  validation {
    condition     = var.message_retention_days >= 1 && var.message_retention_days <= 36500 && floor(var.message_retention_days) == var.message_retention_days
    error_message = "message_retention_days must be a whole number from 1 to 36500: choose how long messages are kept."
  }
}

variable "queue" {
  description = <<-EOT
    Rate of the task queues, each. dispatches_per_second: 500 at most; concurrent_dispatches: tasks that run at once, null
    for what the smaller of extract and maintenance can serve (its max_instances x concurrency); concurrent_answers:
    answers that are made at once, null for what answer can serve.
  EOT
  type = object({
    dispatches_per_second = optional(number, 100)
    concurrent_dispatches = optional(number)
    concurrent_answers    = optional(number)
  })
  default = {}

  validation {
    condition     = var.queue.dispatches_per_second > 0 && var.queue.dispatches_per_second <= 500
    error_message = "queue: dispatches_per_second must be above 0 and at most 500, which is the most that Cloud Tasks does."
  }
  validation {
    condition     = alltrue([for each in [var.queue.concurrent_dispatches, var.queue.concurrent_answers] : each == null ? true : each >= 1 && each <= 5000])
    error_message = "queue: concurrent_dispatches and concurrent_answers must be 1 to 5000: leave them out to fit the workers."
  }
}

variable "oidc_check" {
  description = <<-EOT
    Whether the workers verify the tokens of tasks and schedules themselves, after ingress and IAM did. false only when
    their log says that Google took the signature off (docs/security.md).
  EOT
  type        = bool
  default     = true
}

variable "paused" {
  description = "Stops the schedules: no night, no health check. What is due stays due."
  type        = bool
  default     = false
}

# The memory ----------------------------------------------------------------------------------

variable "firestore_database" {
  description = "Name of the Firestore database; (default) is the one with the free quota."
  type        = string
  default     = "(default)"

  validation {
    condition     = var.firestore_database == "(default)" || can(regex("^[a-z][a-z0-9-]{2,61}[a-z0-9]$", var.firestore_database))
    error_message = "firestore_database must be (default), or 4 to 63 of a-z 0-9 and hyphens that begin with a letter: choose another name when it is taken."
  }
}

variable "firestore_location" {
  description = "Where the memory is: null for the region, or the multi-regions eur3 or nam5 (dearer, survive a region). It can never be changed."
  type        = string
  default     = null

  validation {
    condition     = var.firestore_location == null ? true : contains(["eur3", "nam5", var.region], var.firestore_location)
    error_message = "firestore_location must be null, eur3, nam5 or the region itself: a memory far from the functions makes every answer slow."
  }
}

variable "deletion_protection" {
  description = "Whether the memory can not be deleted. While true, `terraform destroy` leaves the database where it is; false lets it delete everything."
  type        = bool
  default     = true
}

variable "backups" {
  description = "Days that Firestore's daily and weekly backups are kept, 0 for none. What was forgotten stays in them until they expire."
  type = object({
    daily_days  = optional(number, 7)
    weekly_days = optional(number, 28)
  })
  default = {}

  validation {
    condition     = alltrue([for days in var.backups : days >= 0 && days <= 98 && floor(days) == days])
    error_message = "backups must be whole days from 0 (none) to 98 (14 weeks, the most that Firestore keeps): choose fewer."
  }
}

# What is watched -----------------------------------------------------------------------------

variable "alert_emails" {
  description = "Who is told of alerts and of the budget; with nobody, alerts are only seen in the console."
  type        = set(string)
  default     = []

  validation {
    condition     = length(var.alert_emails) <= 5 && alltrue([for address in var.alert_emails : can(regex("^[^@[:space:]]+@[^@[:space:]]+[.][^@[:space:]]+$", address))])
    error_message = "alert_emails must be at most five e-mail addresses (a budget tells no more): use a mailing list for others."
  }
}

variable "alert_limits" {
  description = <<-EOT
    When alerts begin. error_ratio: share of a function's requests that end with 5xx; webhook_p95_seconds: it only
    takes in, so a second is much; answers_age_seconds and queue_age_minutes: how late tasks begin; queue_depth: tasks in the queue, of
    which the night plans up to nine a chat; pending_updates: at Telegram; model_errors: in 15 minutes; tokens_per_hour
    and dollars_per_hour: of the model, in all chats.
  EOT
  type = object({
    error_ratio         = optional(number, 0.05)
    webhook_p95_seconds = optional(number, 1)
    answers_age_seconds = optional(number, 60)
    queue_age_minutes   = optional(number, 15)
    queue_depth         = optional(number, 5000)
    pending_updates     = optional(number, 100)
    model_errors        = optional(number, 10)
    tokens_per_hour     = optional(number, 2000000)
    dollars_per_hour    = optional(number, 1)
  })
  default = {}

  validation {
    condition     = alltrue([for limit in var.alert_limits : try(limit > 0, false)]) && var.alert_limits.error_ratio < 1
    error_message = "alert_limits must be above 0, and error_ratio below 1 (0.05 is 5 %): leave out what is to keep its default."
  }
}

variable "billing_account" {
  description = "Id of the billing account, for a budget; null makes none. Applying it needs roles/billing.costsManager on that account."
  type        = string
  default     = null

  validation {
    condition     = var.billing_account == null ? true : can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.billing_account))
    error_message = "billing_account must look like 012345-6789AB-CDEF01: copy it from `gcloud billing accounts list`."
  }
}

variable "budget" {
  description = "What a month may cost. amount: in whole units; currency: that of the billing account, null for whichever it has."
  type = object({
    amount   = optional(number, 50)
    currency = optional(string)
  })
  default = {}

  validation {
    condition     = try(var.budget.amount >= 1 && floor(var.budget.amount) == var.budget.amount, false)
    error_message = "budget: amount must be a whole number from 1: write what a month may cost."
  }
  validation {
    condition     = var.budget.currency == null ? true : can(regex("^[A-Z]{3}$", var.budget.currency))
    error_message = "budget: currency must be three letters like EUR, those of the billing account: leave it out if unsure."
  }
}
