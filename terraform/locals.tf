data "google_project" "this" {
  project_id = var.project_id
}

locals {
  functions = ["answer", "extract", "maintenance", "webhook"]
  workers   = ["answer", "extract", "maintenance"]

  labels = merge({ app = var.prefix }, var.labels)

  # The addresses are needed before the functions are there: a worker's own is a setting of all four. Cloud Run gives
  # every service this one beside one with a random part; and of the addresses of a function only those at run.app are
  # let in as internal when Cloud Tasks and Cloud Scheduler call. The name has 44 characters at most with the number, of
  # 63 allowed, so it is never shortened.
  urls = {
    for name in local.functions : name => "https://${var.prefix}-${name}-${data.google_project.this.number}.${var.region}.run.app"
  }

  firestore_location = coalesce(var.firestore_location, var.region)
  tasks_at_once      = coalesce(var.queue.concurrent_dispatches, min([for name in ["extract", "maintenance"] : var.functions[name].max_instances * var.functions[name].concurrency]...))
  answers_at_once    = coalesce(var.queue.concurrent_answers, var.functions.answer.max_instances * var.functions.answer.concurrency)

  archive_has_key = var.archive == "s3" || (var.archive == "gcs" && var.archive_access_key_id != null)
  archive_bucket  = "${var.project_id}-${var.prefix}-archive"
  archive_prefix  = "spomyn"

  # Settings that an operator may choose; tests/terraform compares them with shared/settings. Who is let in to
  # the workers is no choice: OIDC_ settings are as in functions.tf, or as they are by default.
  optional_settings = [
    "ANSWER_MODEL_SECONDS", "ARCHIVE_EVERY_DAYS", "ASKS_PER_CHAT_PER_HOUR", "ASKS_PER_USER_PER_HOUR", "BOT_NAMES", "BOT_PERSONA", "BOT_USERNAME",
    "CATEGORY_WEIGHTS", "CHAT_FACTS_LIMIT", "CHAT_FACTS_TOKENS", "CONSENSUS_MEMBERS", "CONTEXT_FORMAT",
    "EXTRACTION_IDLE_SECONDS", "EXTRACTION_METHOD", "EXTRACTION_WINDOW_SECONDS", "FACT_EXPIRY_DAYS",
    "FACT_HALF_LIFE_DAYS", "GEMINI_CHAT_MODEL", "GEMINI_EMBEDDING_MODEL", "GEMINI_EXTRACTION_MODEL", "GEMINI_FLEX",
    "GOOGLE_GEMINI_BASE_URL", "GROUP_QUESTIONS_DEFAULT", "LOG_LEVEL", "MEDIA_DESCRIPTIONS_PER_CHUNK", "MEDIA_MEGABYTES",
    "MEMORY_PROFILE", "MODEL_TOKENS_PER_CHAT_PER_DAY", "MODEL_TOKENS_PER_MEMBER_PER_DAY",
    "PRIVATE_MODE_DEFAULT", "QUIET_HOURS", "READING_WAIT_SECONDS", "TELEGRAM_API_URL", "TIMEZONE", "TOOLS", "UNPROMPTED_DEFAULT",
    "WEATHER_API_URL", "WEATHER_PLACES_URL", "WHEN_MEMBER_LEAVES",
  ]
}
