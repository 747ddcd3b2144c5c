"""What a kernel is to the kernels that call it: a part, linked into them and optimised with them.

numba makes every kernel ready for Python: it optimises it, translates it and wraps it, then does
all of this again inside each kernel that calls it. But most kernels are only called by kernels,
and what lies deep down was optimised anew at every level above it. A part stops before that: it
is typed, lowered and linked with its own parts. The rest is done once, for what Python calls. That
takes two fifths off the time to compile from nothing; what runs in the end is the same.

Only `gamecore.kernel` uses this room. It builds on internals of numba, which the lock pins and
``tests/test_kernel.py`` watches.
"""

from copy import copy
from functools import cache
from typing import Any, NamedTuple

from llvmlite import binding as llvm  # type: ignore[import-untyped]
from numba.core import caching, codegen, compiler, event, types, typing
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import Environment
from numba.core.registry import cpu_target

_SHORT = 100  # instructions; LLVM's own limit comes to about as many once they are optimised


class _Code(codegen.JITCodeLibrary):
    """A library that is linked into others and never run by itself."""

    def _optimize_final_module(self) -> None:
        """Leave that to the library it is linked into."""

    def _finalize_final_module(self) -> None:
        """Translate nothing, but see to it that a short part is inlined before all else.

        Only then can LLVM tell what is needless around the call, such as counting references. It
        would not always inline what has not been optimised yet.
        """
        for function in self._final_module.functions:
            length = sum(1 for block in function.blocks for _ in block.instructions)
            if function.linkage == llvm.Linkage.external and 0 < length <= _SHORT:
                function.add_function_attribute("alwaysinline")
        self._finalize_dynamic_globals()
        self._finalized = True


class _Flags(compiler.Flags):
    """numba's options, compared quickly: it looks them up for each operation that it types."""

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and self._values == other._values


class _Part(NamedTuple):
    """One signature of a kernel, ready to be linked."""

    signature: typing.Signature
    descriptor: Any
    environment: Environment
    library: _Code
    key: object
    """Under which numba finds how a call is lowered."""

    @property
    def codegen(self) -> Any:
        """Of which processor this is code; the cache keeps different ones apart."""
        return self.library.codegen


class _Files(caching.CompileResultCacheImpl):
    """How a part is written to the cache, beside the kernel that Python calls, and read back."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return "part-" + super().get_filename_base(fullname, abiflags)

    def reduce(self, part: _Part) -> tuple:
        part.descriptor.typemap = part.descriptor.calltypes = None  # large, and no longer needed
        code = part.library._get_module_for_linking().as_bitcode()
        return part.signature, part.descriptor, part.environment, part.library.name, code

    def rebuild(self, target: Any, payload: tuple) -> _Part:
        signature, descriptor, environment, name, code = payload
        library = _Code(target.codegen(), name)
        library._final_module = llvm.parse_bitcode(code)
        library._finalize_final_module()
        return _Part(signature, descriptor, environment, library, object())

    def check_cachable(self, part: _Part) -> bool:
        return not part.library.has_dynamic_globals


class _Cache(caching.Cache):
    _impl_class = _Files  # type: ignore[assignment]


@cache
def _back_end() -> tuple[_Flags, Any]:
    """Return options that end before machine code, and numba's back end with them."""
    flags: Any = _Flags()
    cpu_target.options.parse_as_flags(flags, {"nopython": True, "nogil": True})
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    return flags, compiler._make_subtarget(cpu_target.target_context, flags)


def link_parts(dispatcher: Any) -> None:
    """Let a kernel be a part of others, and be made ready for Python only when Python calls it.

    Parameters
    ----------
    dispatcher : numba.core.dispatcher.Dispatcher
        What ``numba.njit(nogil=True, cache=True)`` returned. numba will ask it what a call means
        and how it is lowered, and tell it to compile.

    Examples
    --------
    >>> from gamecore.bits import nth  # a kernel that `gamecore.kernel` has passed here
    >>> nth.get_call_template.__self__ is nth.parts
    True
    """
    dispatcher.parts = parts = _Parts(dispatcher)
    dispatcher.get_call_template = parts.get_call_template
    dispatcher.get_overload = parts.get_overload
    dispatcher._compiler.compile = parts.compile_entry


class _Parts:
    """The parts of one kernel, by the types of its arguments."""

    def __init__(self, dispatcher: Any) -> None:
        self.dispatcher = dispatcher
        self.name = dispatcher.py_func.__qualname__
        self.cache = _Cache(dispatcher.py_func)
        self.ready: dict[tuple, _Part] = {}

    def get_call_template(self, args: Any, kws: dict) -> tuple:
        """Return what a call means to numba's type inference.

        A literal counts as a value of its type. Otherwise numba would compile a kernel once more
        for every 0, 1 and True that another passes to it.
        """
        signature, args = self.dispatcher.fold_argument_types(args, kws)
        args = tuple(types.unliteral(arg) for arg in args)
        found = [self.compile(args).signature]
        return typing.make_concrete_template(self.name, self.name, found), signature, args, {}

    def get_overload(self, args: Any) -> object:
        """Return the key under which numba finds how a call is lowered."""
        return self.ready[tuple(args)].key

    @global_compiler_lock
    def compile(self, args: tuple) -> _Part:
        """Return the part for these types: from memory, from the cache, or compiled."""
        if args not in self.ready:
            _, target = _back_end()
            part = self.cache.load_overload(args, target)
            if part is None:
                seen = {"dispatcher": self.dispatcher, "args": args}
                with event.trigger_event("numba:compile", seen), self.dispatcher._compiling_counter:
                    part = self._compile(args)
                self.cache.save_overload(args, part)
            target.insert_user_function(part.key, part.descriptor, [part.library])
            self.ready[args] = part
        return self.ready[args]

    def compile_entry(self, args: tuple, return_type: Any) -> compiler.CompileResult:
        """Return what Python calls: the part, wrapped, optimised and translated."""
        part, (_, target) = self.compile(args), _back_end()
        library = target.codegen().create_library(self.name)
        library.enable_object_caching()  # so that numba's own cache can keep it
        library.add_linking_library(part.library)
        # The wrapper keeps constants in its environment: not in one that it shares with the part.
        descriptor = copy(part.descriptor)
        descriptor.env_name += ".entry"
        environment = Environment.from_fndesc(descriptor)
        target.create_cpython_wrapper(library, descriptor, environment, None, release_gil=True)
        entry = compiler.compile_result(
            typing_context=self.dispatcher.typingctx,
            target_context=target,
            entry_point=target.get_executable(library, descriptor, environment),
            type_annotation="",
            library=library,
            signature=part.signature,
            objectmode=False,
            lifted=(),
            fndesc=descriptor,
            environment=environment,
            reload_init=[],
        )
        for referenced in entry._find_referenced_environments():
            library.codegen.set_env(referenced.env_name, referenced)
        return entry

    def _compile(self, args: tuple) -> _Part:
        of, (flags, target) = self.dispatcher, _back_end()
        library = _Code(target.codegen(), self.name)
        done = compiler.compile_extra(
            of.typingctx, of.targetctx, of.py_func, args, None, flags, {}, library=library
        )
        library.finalize()
        return _Part(done.signature, done.fndesc, done.environment, library, object())
