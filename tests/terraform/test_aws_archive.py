"""terraform/aws-archive under real Terraform with the real AWS provider; moto's server is AWS.

Where Terraform or the provider is missing, nothing here is collected and pytest says why
(tests/support/servers/aws_provider.py). It is slow by waiting: the provider watches a new lifecycle for 55 s before it
believes it. moto does not weigh conditions: it takes the bucket's policy, which denies plain text, for a denial of
everything. So that is taken off before the adapter writes, and what the user may do is compared with what the adapter
asks instead of enforced.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest

from shared.domain.errors import ObjectLocked
from tests.support.servers import aws_provider
from tests.support.servers.objects import ACCOUNT, PART, FaultyProxy, moto_server, store_on
from tests.terraform.conftest import Terraform
from tests.terraform.offline import ROOT

if aws_provider.missing():
    pytest.skip(aws_provider.missing(), allow_module_level=True)

BUCKET = "spomyn-archive-123456789012"
KEY = "chats/-100/export-20261122.jsonl.gz"
SETTINGS = """
disable_checkpoint = true
provider_installation {{
  filesystem_mirror {{
    path = "{mirror}"
  }}
}}
"""
LISTINGS = {
    "versions": "s3:ListBucketVersions",
    "uploads": "s3:ListBucketMultipartUploads",
    "list-type": "s3:ListBucket",
}


@pytest.fixture(scope="module")
def aws():
    """moto's S3, of which the address serves all of AWS."""
    with moto_server() as client:
        yield client


@pytest.fixture(scope="module")
def terraform(aws, tmp_path_factory):
    """An initialised copy of the module, with moto for AWS."""
    folder = tmp_path_factory.mktemp("aws")
    left_out = shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.tfvars")
    module = shutil.copytree(ROOT / "terraform/aws-archive", folder / "aws-archive", ignore=left_out)
    settings = folder / "terraformrc"
    settings.write_text(SETTINGS.format(mirror=aws_provider.mirror()))
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "TF_CLI_CONFIG_FILE": str(settings),
        "AWS_ENDPOINT_URL": aws.meta.endpoint_url,
        "AWS_ACCESS_KEY_ID": ACCOUNT["access_key_id"],
        "AWS_SECRET_ACCESS_KEY": ACCOUNT["secret_access_key"],
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    Terraform(module, environment).done("init")
    with served(module, environment) as attached:
        yield Terraform(module, {**environment, **attached})


@contextlib.contextmanager
def served(module, environment):
    """Run the provider that `init` installed, for all commands.

    Else each of them would sum up its 700 MB anew, to compare them with the lock, and start it once or more.
    """
    (provider,) = module.glob(".terraform/providers/*/hashicorp/aws/*/*/terraform-provider-aws*")
    thrifty = {"CHECKPOINT_DISABLE": "1", "GOGC": "400"}
    with subprocess.Popen(
        [provider, "-debug"],
        env={**environment, **thrifty},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            told = (re.search(r"TF_REATTACH_PROVIDERS='(.*)'", line) for line in process.stdout)
            yield {"TF_REATTACH_PROVIDERS": next(filter(None, told))[1], **thrifty}
        finally:
            process.send_signal(signal.SIGINT)  # it takes its socket away


def test_the_module_is_formatted_valid_and_passes_its_own_tests(terraform):
    terraform.done("fmt", "-check", "-recursive")
    terraform.done("validate")
    said = terraform.done("test")
    assert re.search(r"^Success! [1-9]\d* passed, 0 failed\.$", said, re.MULTILINE), said


async def test_it_is_applied_planned_again_without_a_change_used_and_destroyed(terraform, aws):
    given = {"object_lock": '{ mode = "governance", days = 3 }'}
    terraform.done("apply", "-auto-approve", **given)
    terraform.done("plan", "-detailed-exitcode", **given)
    assert terraform.done("output", "-raw", "archive_url") == f"s3://{BUCKET}/spomyn"
    assert "SecretAccessKey" not in (terraform.folder / "terraform.tfstate").read_text()

    aws.delete_bucket_policy(Bucket=BUCKET)
    async with FaultyProxy(aws.meta.endpoint_url).running() as proxy:
        archive = store_on(BUCKET, proxy.url)
        await the_lock_is_told_and_hides(archive, aws)
        unlock(aws)
        await everything_is_written_read_and_erased(archive, aws)
        await archive.aclose()
    assert {right for request in proxy.asked for right in rights(request)} == granted(aws)

    terraform.done("destroy", "-auto-approve", **given)
    assert aws.list_buckets()["Buckets"] == []


async def the_lock_is_told_and_hides(archive, aws):
    await archive.put(KEY, pieces(b"memory"), content_type="text/plain")
    until = aws.head_object(Bucket=BUCKET, Key=f"spomyn/{KEY}")["ObjectLockRetainUntilDate"]
    with pytest.raises(ObjectLocked, match=f"locked until {until:%Y-%m-%d}") as refused:
        await archive.erase("chats/-100/")
    assert refused.value.keys == (KEY,)
    assert await archive.head(KEY) is None


def unlock(aws):
    """As an administrator with s3:BypassGovernanceRetention would."""
    found = aws.list_object_versions(Bucket=BUCKET)
    for each in (*found["Versions"], *found["DeleteMarkers"]):
        aws.delete_object(Bucket=BUCKET, Key=each["Key"], VersionId=each["VersionId"], BypassGovernanceRetention=True)
    aws.put_object_lock_configuration(Bucket=BUCKET, ObjectLockConfiguration={"ObjectLockEnabled": "Enabled"})


async def everything_is_written_read_and_erased(archive, aws):
    large = b"m" * (PART + 1)
    for content in (b"first", large):
        await archive.put(KEY, pieces(content), content_type="text/plain")
    assert b"".join([piece async for piece in archive.get(KEY)]) == large
    assert [info.key async for info in archive.list("chats/-100/")] == [KEY]
    aws.create_multipart_upload(Bucket=BUCKET, Key=f"spomyn/{KEY}")
    assert await archive.erase("chats/-100/") == 3
    assert [name for name in aws.list_object_versions(Bucket=BUCKET) if name in ("Versions", "DeleteMarkers")] == []


async def pieces(content):
    yield content


def rights(request):
    """The rights that AWS asks of a request, by its API reference; "METHOD /BUCKET/KEY?QUERY" says which one it is."""
    method, target = request.split(" ")
    address = urlsplit(target)
    query = parse_qs(address.query, keep_blank_values=True)
    if address.path.strip("/") == BUCKET:
        return [next((right for name, right in LISTINGS.items() if name in query), "s3:ListBucket")]
    assert address.path.startswith(f"/{BUCKET}/spomyn/")
    if method == "DELETE" and "uploadId" in query:
        return ["s3:AbortMultipartUpload"]
    if method == "HEAD" and "versionId" in query:  # the lock is in the answer for who may see it
        return ["s3:GetObjectVersion", "s3:GetObjectRetention", "s3:GetObjectLegalHold"]
    verb = {"PUT": "Put", "POST": "Put", "GET": "Get", "HEAD": "Get", "DELETE": "Delete"}[method]
    return [f"s3:{verb}Object{'Version' if 'versionId' in query else ''}"]


def granted(aws):
    """The rights of the user, as IAM says."""
    with contextlib.closing(
        boto3.client(
            "iam",
            endpoint_url=aws.meta.endpoint_url,
            region_name=ACCOUNT["region"],
            aws_access_key_id=ACCOUNT["access_key_id"],
            aws_secret_access_key=ACCOUNT["secret_access_key"],
        )
    ) as iam:
        policy = iam.get_user_policy(UserName="spomyn-archive", PolicyName="archive")["PolicyDocument"]
    return {right for statement in policy["Statement"] for right in statement["Action"]}
