#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch_on_host.py PROGRAM ARGUMENTS: a Python program, unchanged, whose own kernels run on the GPU and PyTorch's on the host.
torch_on_host.py --each PROGRAM...: several without arguments, one after another; "passed NAME" or "failed NAME: why" of each.

PyTorch's kernels are machine code, which an emulated driver cannot run. Each operation on GPU tensors that is no view, allocation or plain copy is
done on copies in the host's memory, and the result copied back."""
import glob
import os
import runpy
import sys
import traceback

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

aten = torch.ops.aten
HERE = {aten.empty.memory_format, aten.empty_strided.default, aten.set_.source_Storage_storage_offset, aten.resize_.default, aten.record_stream.default}


def on_gpu(value):
    return isinstance(value, torch.Tensor) and value.device.type == "cuda"


def bytes_of(tensor):
    """All bytes of its storage, as a tensor on the same device."""
    whole = torch.empty(0, dtype=torch.uint8, device=tensor.device)
    return whole.set_(tensor.untyped_storage(), 0, (tensor.untyped_storage().nbytes(),), (1,))


def same_view(tensor, storage):
    view = torch.empty(0, dtype=tensor.dtype)
    return view.set_(storage.untyped_storage(), tensor.storage_offset(), tensor.size(), tensor.stride())


def to_host(tensor):
    host = torch.empty(tensor.untyped_storage().nbytes(), dtype=torch.uint8)
    host.copy_(bytes_of(tensor))
    return same_view(tensor, host)


def to_gpu(tensor, device):
    made = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device=device)
    if tensor.untyped_storage().nbytes() >= made.untyped_storage().nbytes() > 0 and tensor.storage_offset() == 0:
        bytes_of(made).copy_(bytes_of(tensor)[: made.untyped_storage().nbytes()])
    elif made.numel():
        compact = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype).copy_(tensor)
        bytes_of(made).copy_(bytes_of(compact))
    return made


class OnHost(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        tensors = []
        tree_map(lambda value: tensors.append(value) if on_gpu(value) else None, (args, kwargs))
        device = kwargs.get("device")
        wanted = torch.device(device) if device is not None else tensors[0].device if tensors else torch.device("cpu")
        if function in HERE or function.is_view or not (tensors or wanted.type == "cuda"):
            return function(*args, **kwargs)
        hosts = {}

        def host(value):
            if on_gpu(value):
                return hosts.setdefault(id(value), (value, to_host(value)))[1]
            return torch.device("cpu") if isinstance(value, torch.device) else value

        args, kwargs = tree_map(host, (args, kwargs))
        if device is not None:
            kwargs["device"] = "cpu"
        kwargs.pop("pin_memory", None)
        made = function(*args, **kwargs)
        by_host = {id(copy): value for value, copy in hosts.values()}
        for value, copy in hosts.values():
            if function._schema.is_mutable:
                bytes_of(value).copy_(bytes_of(copy))

        def back(value):
            if not isinstance(value, torch.Tensor):
                return value
            if id(value) in by_host:
                return by_host[id(value)]
            return to_gpu(value, wanted) if wanted.type == "cuda" else value

        return tree_map(back, made)


def print_from_host():
    """Printing turns dispatch modes off."""
    shown = torch._tensor_str._str
    torch._tensor_str._str = lambda tensor, **more: shown(to_host(tensor) if on_gpu(tensor) else tensor, **more)


def run(words):
    sys.argv = list(words)
    sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
    runpy.run_path(words[0], run_name="__main__")


def run_each(paths):
    for path in paths:
        for left in glob.glob(os.path.join(os.environ.get("CUTE_DSL_DUMP_DIR", "/nowhere"), "*.ptx")):
            os.remove(left)  # of another program's kernel with the same name
        name = os.path.splitext(os.path.basename(path))[0]
        try:
            run([path])
            print(f"passed {name}", flush=True)
        except BaseException as error:
            if isinstance(error, SystemExit) and error.code in (0, None):
                print(f"passed {name}", flush=True)
                continue
            traceback.print_exc()
            print(f"failed {name}: {type(error).__name__}: {' '.join(str(error).split())[:300]}", flush=True)


if __name__ == "__main__":
    print_from_host()
    with OnHost():
        run_each(sys.argv[2:]) if sys.argv[1] == "--each" else run(sys.argv[1:])
