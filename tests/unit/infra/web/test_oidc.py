"""Tokens against keys that are published over HTTP."""

import asyncio
import base64
import json
from datetime import timedelta

import pytest

from infra.web.oidc import FRESH, PAUSE, RETRY, STALE, SigningKeys, TokenVerifier
from shared.domain.errors import TransientError, Unauthenticated
from tests.support.google.oidc import certificate, publishing, token
from tests.support.queues import NOON, SteppedClock

EMAIL = "invoker@spomyn-test.iam.gserviceaccount.com"
ADDRESS = "https://extract-x.a.run.app"
NOW = int(NOON.timestamp())
_SECOND = timedelta(seconds=1)


def claims(**changes):
    """What Cloud Tasks puts into a token; a claim changed to None is left out."""
    regular = {"iss": "https://accounts.google.com", "aud": ADDRESS, "sub": "1", "azp": "1", "email": EMAIL}
    regular |= {"email_verified": True, "iat": NOW, "exp": NOW + 3600}
    return {name: value for name, value in (regular | changes).items() if value is not None}


@pytest.fixture
def clock():
    return SteppedClock()


@pytest.fixture
async def published():
    async with publishing() as keys:
        yield keys


@pytest.fixture
def verifier(published, clock):
    return TokenVerifier(SigningKeys(published.url, clock), email=EMAIL, clock=clock)


async def verify(verifier, text, *, address=ADDRESS):
    await verifier.verify([f"Bearer {text}"], address=address)


async def refused(verifier, text, *, address=ADDRESS):
    """Why it is refused."""
    with pytest.raises(Unauthenticated) as error:
        await verify(verifier, text, address=address)
    return str(error.value)


# --- What a token says -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"iss": "accounts.google.com"},
        {"exp": NOW - 30},
        {"iat": NOW + 30},
        {"exp": NOW + 0.5, "iat": NOW - 0.5},
        {"hd": "example.com", "nonsense": [1]},
    ],
)
async def test_a_token_of_our_account_for_this_function_is_accepted(verifier, changes):
    await verify(verifier, token(claims(**changes)))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"iss": "https://accounts.google.com.evil.example"}, "not Google's"),
        ({"iss": None}, "not Google's"),
        ({"iss": ["https://accounts.google.com"]}, "not Google's"),
        ({"aud": "https://maintenance-x.a.run.app"}, "another audience"),
        ({"aud": ADDRESS + "/"}, "another audience"),
        ({"aud": [ADDRESS]}, "another audience"),
        ({"aud": None}, "another audience"),
        ({"email": "invoker@other-project.iam.gserviceaccount.com"}, "another account"),
        ({"email": EMAIL.upper()}, "another account"),
        ({"email": None}, "another account"),
        ({"email_verified": False}, "another account"),
        ({"email_verified": "true"}, "another account"),
        ({"email_verified": None}, "another account"),
        ({"exp": NOW - 31}, "expired"),
        ({"iat": NOW + 31}, "not yet valid"),
        ({"exp": float("nan")}, "expired"),
        ({"iat": True, "exp": True}, "expired"),
    ],
)
async def test_a_token_that_says_anything_else_is_refused(verifier, changes, reason):
    told = await refused(verifier, token(claims(**changes)))
    assert reason in told
    assert EMAIL not in told
    assert ADDRESS not in told


@pytest.mark.parametrize(
    "changes", [{"exp": None}, {"iat": None}, {"exp": None, "iat": None}, {"exp": "soon"}, {"iat": [NOW]}]
)
async def test_a_token_that_does_not_say_when_it_holds_is_refused(verifier, changes):
    assert "token does not" in await refused(verifier, token(claims(**changes)))


async def test_one_audience_for_all_functions_replaces_their_addresses(published, clock):
    shared = TokenVerifier(SigningKeys(published.url, clock), email=EMAIL, clock=clock, audience="spomyn")
    await verify(shared, token(claims(aud="spomyn")))
    assert "another audience" in await refused(shared, token(claims()))


async def test_a_function_that_knows_no_audience_accepts_nothing(verifier):
    for each in (token(claims()), token(claims(aud=None))):
        assert "another audience" in await refused(verifier, each, address=None)


# --- How it is signed --------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["none", "HS256", "RS512", "ES256", "rs256", "", None, ["RS256"], {"a": 1}])
async def test_only_rs256_is_taken(verifier, published, algorithm):
    assert "RS256" in await refused(verifier, token(claims(), alg=algorithm))
    assert published.fetches == 0


@pytest.mark.parametrize("key_id", [None, 7, ["one"], {"one": 1}])
async def test_a_token_must_name_its_key(verifier, key_id):
    assert "RS256" in await refused(verifier, token(claims(), kid=key_id))


async def test_a_token_with_conditions_that_we_do_not_know_is_refused(verifier):
    assert "RS256" in await refused(verifier, token(claims(), crit=["b64"]))


async def test_a_token_that_is_far_too_long_is_not_even_read(verifier, published):
    assert "too long" in await refused(verifier, token(claims(hd="a" * 9_000)))
    assert published.fetches == 0


async def test_what_somebody_else_signed_does_not_verify(verifier):
    assert "does not verify" in await refused(verifier, token(claims(), signed_with="two"))


async def test_changed_claims_do_not_verify(verifier):
    head, _, signature = token(claims(email="x@y")).split(".")
    mine = token(claims()).split(".")[1]
    assert "does not verify" in await refused(verifier, f"{head}.{mine}.{signature}")


async def test_a_token_whose_signature_google_took_off_is_refused_and_says_so(verifier):
    head, body, _ = token(claims()).split(".")
    assert "Google took the signature off" in await refused(verifier, f"{head}.{body}.SIGNATURE_REMOVED_BY_GOOGLE")


def _encoded(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "x.y",
        "x.y.z",
        "x.y.z.w",
        "...",
        "..",
        "é.é.é",
        _encoded("[]") + ".e30.e30",
        _encoded("[" * 4_000) + ".e30.e30",
        _encoded("9" * 5_000) + ".e30.e30",
        _encoded('{"alg": "RS256", "kid": "one"}') + "." + _encoded("[" * 3_000) + ".e30",
        "a" * 100_000,
    ],
)
async def test_what_is_no_token_is_refused(verifier, text):
    assert text not in await refused(verifier, text)


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [""],
        ["Bearer"],
        ["Bearer "],
        ["Basic dXNlcjpwYXNz"],
        ["Bearer TOKEN", "Bearer TOKEN"],
        ["Basic x", "Bearer TOKEN"],
        ["", "Bearer TOKEN"],
        ["TOKEN"],
        ["BearerTOKEN"],
        ["Bearer TOKEN, Bearer TOKEN"],
    ],
)
async def test_exactly_one_bearer_token_is_asked_for(verifier, headers):
    with pytest.raises(Unauthenticated):
        await verifier.verify([each.replace("TOKEN", token(claims())) for each in headers], address=ADDRESS)


async def test_the_scheme_is_read_as_http_reads_it(verifier):
    await verifier.verify([f"bearer {token(claims())}"], address=ADDRESS)
    await verifier.verify([f"BEARER  {token(claims())} "], address=ADDRESS)


# --- Where keys come from ----------------------------------------------------------------------


async def test_keys_are_fetched_once_an_hour(verifier, published, clock):
    for _ in range(3):
        await verify(verifier, token(claims()))
    clock.advance(FRESH)
    await verify(verifier, token(claims()))
    assert published.fetches == 1
    clock.advance(_SECOND)
    await verify(verifier, token(claims(exp=NOW + 9_999)))
    assert published.fetches == 2


async def test_requests_that_come_at_once_share_one_fetch(verifier, published):
    await asyncio.gather(*(verify(verifier, token(claims())) for _ in range(8)))
    assert published.fetches == 1


async def test_a_new_key_is_fetched_when_a_token_names_it(verifier, published, clock):
    await verify(verifier, token(claims()))
    published.publish("one", "two")
    clock.advance(PAUSE)
    await verify(verifier, token(claims(), "two"))
    await verify(verifier, token(claims()))
    assert published.fetches == 2


async def test_unknown_keys_are_asked_for_once_a_minute_at_most(verifier, published, clock):
    for number in range(5):
        assert "does not publish" in await refused(verifier, token(claims(), f"{number}", signed_with="one"))
    assert published.fetches == 1
    clock.advance(PAUSE)
    for number in range(5):
        await refused(verifier, token(claims(), f"{number}", signed_with="one"))
    assert published.fetches == 2


async def test_a_key_that_is_withdrawn_is_not_believed_longer_than_keys_are_fresh(verifier, published, clock):
    await verify(verifier, token(claims()))
    published.publish("two")
    clock.advance(FRESH + _SECOND)
    assert "does not publish" in await refused(verifier, token(claims()))


async def test_known_keys_are_good_for_some_hours_while_none_can_be_fetched(verifier, published, clock):
    await verify(verifier, token(claims()))
    published.answer(b"down", 503)
    clock.advance(STALE)
    late = token(claims(exp=NOW + 86_400))
    await verify(verifier, late)
    with pytest.raises(TransientError, match="HTTP 503"):  # a key that may be new
        await verify(verifier, token(claims(), "two"))
    clock.advance(_SECOND)
    with pytest.raises(TransientError, match="HTTP 503"):
        await verify(verifier, late)
    published.publish("one")
    clock.advance(RETRY)
    await verify(verifier, late)


async def test_after_a_failure_the_keys_are_asked_for_again_soon_but_not_at_once(verifier, published, clock):
    published.answer(b"down", 500)
    for _ in range(3):
        with pytest.raises(TransientError):
            await verify(verifier, token(claims()))
    assert published.fetches == 1
    published.publish("one")
    clock.advance(RETRY)
    await verify(verifier, token(claims()))


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"<html>", 200),
        (b"", 200),
        (b"[]", 200),
        (b"{}", 200),
        (b"null", 200),
        (b"\xff\xfe", 200),
        (b"[" * 5_000, 200),
        (json.dumps({"keys": [{"kid": "one", "kty": "RSA"}]}).encode(), 200),
        (json.dumps({"one": "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----"}).encode(), 200),
        (json.dumps({"one": 7}).encode(), 200),
        (json.dumps({"one": certificate("one"), "two": None}).encode(), 200),
        (json.dumps({"one": certificate("one")}).encode(), 404),
    ],
)
async def test_an_answer_that_holds_no_keys_is_a_fault_of_that_moment(verifier, published, body, status):
    published.answer(body, status)
    with pytest.raises(TransientError, match="OIDC"):
        await verify(verifier, token(claims()))


async def test_a_malformed_answer_does_not_displace_good_keys(verifier, published, clock):
    await verify(verifier, token(claims()))
    published.answer(b"<html>")
    clock.advance(FRESH + _SECOND)
    await verify(verifier, token(claims(exp=NOW + 9_999)))


async def test_keys_that_cannot_be_reached_are_a_fault_of_that_moment(clock):
    nowhere = TokenVerifier(SigningKeys("http://127.0.0.1:9/certs", clock), email=EMAIL, clock=clock)
    with pytest.raises(TransientError, match="could not be fetched"):
        await verify(nowhere, token(claims()))
