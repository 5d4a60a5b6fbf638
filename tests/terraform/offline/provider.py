"""A stand-in for the hashicorp/google provider that real Terraform talks to, with no network and no account.

It serves the real provider's schemas (schema.json: the types of provider 6.50.0 that terraform/ uses) over version 6 of
the plugin protocol. Computed attributes are unknown in a plan and get placeholders at apply; write-only ones are
dropped, as a provider must. It knows names, types, required, optional, computed and write-only, and how blocks nest. It
does not know enumerations, patterns, which attributes exclude each other or force a replacement, nor anything that
needs the cloud: a green run is a check of shape and wiring, never a real plan.

In schema.json a block is {"attributes": {name: [type, flags]}, "blocks": {name: block}}, an inner one also with mode,
min and max; flags are of R(equired), O(ptional), C(omputed), W(rite-only).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc

from tests.terraform.offline.wire import UNKNOWN, dynamic, fields, message, plain

SCHEMA = json.loads((Path(__file__).parent / "schema.json").read_text())
PROJECT_NUMBER = "123456789012"

_MODES = {"SINGLE": 1, "LIST": 2, "SET": 3}
_configured: dict[str, Any] = {}

Block = dict[str, Any]


def block_schema(block: Block) -> bytes:
    """A Schema.Block."""
    attributes = [
        message(
            (1, name),
            (2, json.dumps(kind)),
            (4, "R" in flags),
            (5, "O" in flags),
            (6, "C" in flags),
            (11, "W" in flags),
        )
        for name, (kind, flags) in block["attributes"].items()
    ]
    nested = [
        message((1, name), (2, [block_schema(each)]), (3, _MODES[each["mode"]]), (4, each["min"]), (5, each["max"]))
        for name, each in block["blocks"].items()
    ]
    return message((2, attributes), (3, nested))


def _schema(block: Block) -> bytes:
    return message((2, [block_schema(block)]))


def _schemas(blocks: dict[str, Block]) -> list[bytes]:
    return [message((1, name), (2, _schema(block))) for name, block in blocks.items()]


def filled(block: Block, value: Any, make: Callable[[str, Any, Any], Any]) -> Any:
    """`value` with make(name, type, current) for every computed attribute that has none and every unknown one."""
    if value is None or value is UNKNOWN:
        return value
    for name, (kind, flags) in block["attributes"].items():
        if "W" in flags:
            value[name] = None
        elif value[name] is UNKNOWN or ("C" in flags and value[name] is None):
            value[name] = make(name, kind, value[name])
    for name, nested in block["blocks"].items():
        inner = value[name]
        value[name] = (
            [filled(nested, each, make) for each in inner] if isinstance(inner, list) else filled(nested, inner, make)
        )
    return value


def _unknown(_name: str, _kind: Any, _current: Any) -> Any:
    return UNKNOWN


def _as_proposed(_name: str, _kind: Any, current: Any) -> Any:
    return current


def _placeholder(name: str, kind: Any, _current: Any) -> Any:
    if kind == "string":
        return PROJECT_NUMBER if name == "number" else f"fake-{name}"
    if isinstance(kind, str):
        return 0 if kind == "number" else False
    return {} if kind[0] == "map" else []


def _configure(request: dict[int, Any]) -> bytes:
    _configured.update(plain(request[2]))
    return b""


def _named(kind: str, value: Any) -> Any:
    """`value` with what other resources refer to: accounts must not look alike."""
    if kind == "google_service_account" and value is not None:
        value["email"] = f"{value['account_id']}@{_configured['project']}.iam.gserviceaccount.com"
        value["member"] = f"serviceAccount:{value['email']}"
        value["name"] = value["email"]
    return value


def _nothing(_request: dict[int, Any]) -> bytes:
    return b""


_ALL_SCHEMAS = message(
    (1, _schema(SCHEMA["provider"])),
    (2, _schemas(SCHEMA["resources"])),
    (3, _schemas(SCHEMA["data_sources"])),
    (5, [message((2, [b""]))]),
)


def _provider_schema(_request: dict[int, Any]) -> bytes:
    return _ALL_SCHEMAS


def _upgraded(request: dict[int, Any]) -> bytes:
    return message((1, dynamic(json.loads(fields(request[3])[1]))))


def _read(request: dict[int, Any]) -> bytes:
    return message((1, request[2]))


def _read_data(request: dict[int, Any]) -> bytes:
    block = SCHEMA["data_sources"][request[1].decode()]
    return message((1, dynamic(filled(block, plain(request[2]), _placeholder))))


def _planned(request: dict[int, Any]) -> bytes:
    block, proposed = SCHEMA["resources"][request[1].decode()], plain(request[3])
    is_new = plain(request[2]) is None
    return message((1, dynamic(filled(block, proposed, _unknown if is_new else _as_proposed))))


def _applied(request: dict[int, Any]) -> bytes:
    kind = request[1].decode()
    return message((1, dynamic(_named(kind, filled(SCHEMA["resources"][kind], plain(request[3]), _placeholder)))))


_METHODS: dict[str, Callable[[dict[int, Any]], bytes]] = {
    "GetProviderSchema": _provider_schema,
    "ValidateProviderConfig": _nothing,
    "ValidateResourceConfig": _nothing,
    "ValidateDataResourceConfig": _nothing,
    "ConfigureProvider": _configure,
    "UpgradeResourceState": _upgraded,
    "ReadResource": _read,
    "ReadDataSource": _read_data,
    "PlanResourceChange": _planned,
    "ApplyResourceChange": _applied,
    "GetFunctions": _nothing,
    "StopProvider": _nothing,
}


def _handler(method: Callable[[dict[int, Any]], bytes]) -> grpc.RpcMethodHandler:
    # Without serialisers gRPC hands over the bytes as they are.
    return grpc.unary_unary_rpc_method_handler(lambda request, _: method(fields(request)))


def serve(socket: str) -> None:
    """Serve on a Unix socket until the process ends; one line on standard output says that it listens."""
    server = grpc.server(ThreadPoolExecutor(max_workers=10))
    handlers = {name: _handler(method) for name, method in _METHODS.items()}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("tfplugin6.Provider", handlers),))
    server.add_insecure_port(f"unix:{socket}")
    server.start()
    sys.stdout.write("listening\n")
    sys.stdout.flush()
    server.wait_for_termination()


if __name__ == "__main__":
    serve(sys.argv[1])
