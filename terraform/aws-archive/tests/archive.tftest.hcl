# What the bucket keeps, for how long, and who may do what; without AWS.

mock_provider "aws" {
  override_during = plan

  override_data {
    target = data.aws_caller_identity.current
    values = { account_id = "123456789012" }
  }
  override_resource {
    target = aws_s3_bucket.archive
    values = { arn = "arn:aws:s3:::spomyn-archive-123456789012" }
  }
}

run "by_default_it_is_private_encrypted_versioned_and_not_locked" {
  command = plan

  assert {
    condition     = output.archive_url == "s3://spomyn-archive-123456789012/spomyn" && output.archive_region == "eu-central-1" && output.archive_user == "spomyn-archive"
    error_message = "The outputs do not fit SPOMYN_ARCHIVE and ARCHIVE_REGION."
  }
  assert {
    condition = alltrue([
      aws_s3_bucket_public_access_block.archive.block_public_acls, aws_s3_bucket_public_access_block.archive.block_public_policy,
      aws_s3_bucket_public_access_block.archive.ignore_public_acls, aws_s3_bucket_public_access_block.archive.restrict_public_buckets,
    ]) && aws_s3_bucket_ownership_controls.archive.rule[0].object_ownership == "BucketOwnerEnforced"
    error_message = "The bucket can be opened to the public, or by ACLs."
  }
  assert {
    condition     = one(one(aws_s3_bucket_server_side_encryption_configuration.archive.rule).apply_server_side_encryption_by_default).sse_algorithm == "AES256"
    error_message = "Objects are not encrypted by default."
  }
  assert {
    condition     = aws_s3_bucket_versioning.archive.versioning_configuration[0].status == "Enabled" && !aws_s3_bucket.archive.force_destroy
    error_message = "An accident loses exports."
  }
  assert {
    condition     = length(aws_s3_bucket_object_lock_configuration.archive) == 0
    error_message = "A lock that nobody chose keeps what members had forgotten."
  }
}

run "no_version_of_an_export_is_kept_longer_than_messages_are" {
  command = plan

  variables {
    message_retention_days = 30
    noncurrent_days        = 5
    prefix                 = "other"
  }
  assert {
    condition = [for rule in aws_s3_bucket_lifecycle_configuration.archive.rule : [rule.id, rule.status, rule.filter[0].prefix]] == [
      ["exports", "Enabled", "other/chats/"],
      ["versions", "Enabled", "other/"],
    ]
    error_message = "The lifecycle concerns something else."
  }
  assert {
    condition = alltrue([
      aws_s3_bucket_lifecycle_configuration.archive.rule[0].expiration[0].days == 25,
      aws_s3_bucket_lifecycle_configuration.archive.rule[1].noncurrent_version_expiration[0].noncurrent_days == 5,
      aws_s3_bucket_lifecycle_configuration.archive.rule[1].expiration[0].expired_object_delete_marker,
      aws_s3_bucket_lifecycle_configuration.archive.rule[1].abort_incomplete_multipart_upload[0].days_after_initiation == 1,
    ])
    error_message = "The lifecycle has other times."
  }
}

run "plain_text_old_tls_and_other_encryption_are_denied_to_everybody" {
  command = plan

  assert {
    condition = jsondecode(aws_s3_bucket_policy.archive.policy).Statement == [
      {
        Sid       = "NoKeyOfTheCaller", Effect = "Deny", Principal = "*", Action = ["s3:PutObject"], Resource = ["arn:aws:s3:::spomyn-archive-123456789012/*"],
        Condition = { Null = { "s3:x-amz-server-side-encryption-customer-algorithm" = "false" } }
      },
      {
        Sid       = "NoOldTls", Effect = "Deny", Principal = "*", Action = ["s3:*"], Resource = ["arn:aws:s3:::spomyn-archive-123456789012", "arn:aws:s3:::spomyn-archive-123456789012/*"],
        Condition = { NumericLessThan = { "s3:TlsVersion" = "1.2" } }
      },
      {
        Sid       = "NoOtherEncryption", Effect = "Deny", Principal = "*", Action = ["s3:PutObject"], Resource = ["arn:aws:s3:::spomyn-archive-123456789012/*"],
        Condition = { Null = { "s3:x-amz-server-side-encryption" = "false" }, StringNotEquals = { "s3:x-amz-server-side-encryption" = "AES256" } }
      },
      {
        Sid       = "NoPlainText", Effect = "Deny", Principal = "*", Action = ["s3:*"], Resource = ["arn:aws:s3:::spomyn-archive-123456789012", "arn:aws:s3:::spomyn-archive-123456789012/*"],
        Condition = { Bool = { "aws:SecureTransport" = "false" } }
      },
    ]
    error_message = "The bucket's policy is another one: ${aws_s3_bucket_policy.archive.policy}"
  }
}

run "the_user_reaches_its_prefix_and_can_not_end_a_lock" {
  command = plan

  assert {
    condition = { for statement in jsondecode(aws_iam_user_policy.archive.policy).Statement : statement.Sid => [statement.Resource, try(statement.Condition, null)] } == {
      FindObjects  = [["arn:aws:s3:::spomyn-archive-123456789012"], { StringLikeIfExists = { "s3:prefix" = "spomyn/*" } }]
      FindVersions = [["arn:aws:s3:::spomyn-archive-123456789012"], { StringLike = { "s3:prefix" = "spomyn/*" } }]
      FindUploads  = [["arn:aws:s3:::spomyn-archive-123456789012"], null]
      Objects      = [["arn:aws:s3:::spomyn-archive-123456789012/spomyn/*"], null]
    }
    error_message = "The user reaches something else: ${aws_iam_user_policy.archive.policy}"
  }
  assert {
    condition     = !can(regex("Bypass|PutObject(Retention|LegalHold)|\"[a-z]*:?\\*\"", aws_iam_user_policy.archive.policy))
    error_message = "The user may end locks, or everything."
  }
}

run "with_a_key_of_kms_only_that_one_encrypts" {
  command = plan

  variables {
    kms_key_arn = "arn:aws:kms:eu-central-1:123456789012:key/11111111-2222-3333-4444-555555555555"
  }
  assert {
    condition = one(one(aws_s3_bucket_server_side_encryption_configuration.archive.rule).apply_server_side_encryption_by_default) == {
      sse_algorithm = "aws:kms", kms_master_key_id = var.kms_key_arn
    } && one(aws_s3_bucket_server_side_encryption_configuration.archive.rule).bucket_key_enabled
    error_message = "The key is not the bucket's default."
  }
  assert {
    condition = [for statement in jsondecode(aws_s3_bucket_policy.archive.policy).Statement : statement.Condition if statement.Sid == "NoOtherEncryption"] == [{
      Null            = { "s3:x-amz-server-side-encryption" = "false" }
      StringNotEquals = { "s3:x-amz-server-side-encryption-aws-kms-key-id" = var.kms_key_arn }
    }]
    error_message = "Another key may encrypt."
  }
  assert {
    condition = [for statement in jsondecode(aws_iam_user_policy.archive.policy).Statement : [statement.Action, statement.Resource] if statement.Sid == "Encryption"] == [
      [["kms:Decrypt", "kms:GenerateDataKey"], [var.kms_key_arn]]
    ]
    error_message = "The user may not use the key, or others, too."
  }
}

run "a_lock_that_is_chosen_is_the_default_of_every_version" {
  command = plan

  variables {
    object_lock = { mode = "compliance", days = 7 }
  }
  assert {
    condition     = [for lock in aws_s3_bucket_object_lock_configuration.archive : [lock.rule[0].default_retention[0].mode, lock.rule[0].default_retention[0].days]] == [["COMPLIANCE", 7]]
    error_message = "The lock is another one."
  }
}

run "a_lock_needs_days" {
  command = plan
  variables {
    object_lock = { mode = "governance" }
  }
  expect_failures = [var.object_lock]
}

run "a_lock_is_no_longer_than_messages_are_kept" {
  command = plan
  variables {
    object_lock = { mode = "governance", days = 91 }
  }
  expect_failures = [var.object_lock]
}

run "days_without_a_lock_are_a_mistake" {
  command = plan
  variables {
    object_lock = { days = 7 }
  }
  expect_failures = [var.object_lock]
}

run "what_is_wrong_by_itself_is_refused" {
  command = plan
  variables {
    message_retention_days = 1
    prefix                 = "Spomyn"
    region                 = "europe-west1"
  }
  expect_failures = [var.message_retention_days, var.prefix, var.region]
}

run "what_is_wrong_beside_other_values_is_refused" {
  command = plan
  variables {
    kms_key_arn     = "arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"
    noncurrent_days = 90
    object_lock     = { mode = "on" }
  }
  expect_failures = [var.kms_key_arn, var.noncurrent_days, var.object_lock]
}
