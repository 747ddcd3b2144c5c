; What compiled kernels call beside each other, for a page: numba's counted memory, and the one
; routine that LLVM's code generator takes for granted.
;
; Memory grows only at its end. Blocks of kernels are powers of two, and wait in a list of their
; size once nobody counts on them. A block begins with numba's header: the count of references, the
; destructor and its argument (both unused), the address of the data, and here the block's class.

%header = type { i64, ptr, ptr, ptr, i64 }

@__heap_base = external global i8
@end = internal global ptr @__heap_base
@freed = internal global [32 x ptr] zeroinitializer

declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare i32 @llvm.ctlz.i32(i32, i1)

; Return room for so many bytes for good, aligned to 32 and zero; null if there is none.
define ptr @allocate(i32 %bytes) noinline {
  %more = add i32 %bytes, 31
  %size = and i32 %more, -32
  %found = load ptr, ptr @end
  %found.at = ptrtoint ptr %found to i32
  %stop = add i32 %found.at, %size
  %wrapped = icmp ult i32 %stop, %bytes
  br i1 %wrapped, label %none, label %possible
possible:
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %last = add i32 %stop, -1
  %last.page = lshr i32 %last, 16
  %needed = add i32 %last.page, 1
  %enough = icmp ule i32 %needed, %pages
  br i1 %enough, label %take, label %grow
grow:
  %lacking = sub i32 %needed, %pages
  %grown = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %lacking)
  %refused = icmp eq i32 %grown, -1
  br i1 %refused, label %none, label %take
take:
  %stop.at = inttoptr i32 %stop to ptr
  store ptr %stop.at, ptr @end
  ret ptr %found
none:
  ret ptr null
}

; Return a block with a header of 32 bytes, the data behind it; null, and kernels raise MemoryError.
define ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 %alignment) noinline {
  %small = icmp ult i64 %bytes, 1073741792
  br i1 %small, label %possible, label %none
possible:
  %asked = trunc i64 %bytes to i32
  %less = add i32 %asked, 31
  %zeros = call i32 @llvm.ctlz.i32(i32 %less, i1 false)
  %class = sub i32 32, %zeros
  %list = getelementptr [32 x ptr], ptr @freed, i32 0, i32 %class
  %first = load ptr, ptr %list
  %empty = icmp eq ptr %first, null
  br i1 %empty, label %extend, label %reuse
reuse:
  %next = load ptr, ptr %first
  store ptr %next, ptr %list
  br label %given
extend:
  %size = shl i32 1, %class
  %new = call ptr @allocate(i32 %size)
  %refused = icmp eq ptr %new, null
  br i1 %refused, label %none, label %given
given:
  %block = phi ptr [ %first, %reuse ], [ %new, %extend ]
  %data = getelementptr i8, ptr %block, i32 32
  %where = getelementptr %header, ptr %block, i32 0, i32 3
  %kind = getelementptr %header, ptr %block, i32 0, i32 4
  %class.64 = zext i32 %class to i64
  store i64 1, ptr %block
  store ptr %data, ptr %where
  store i64 %class.64, ptr %kind
  ret ptr %block
none:
  ret ptr null
}

define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %bytes, i32 %alignment) {
  %found = call ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 %alignment)
  ret ptr %found
}

define void @NRT_incref(ptr %block) {
  %nothing = icmp eq ptr %block, null
  br i1 %nothing, label %end, label %count
count:
  %before = load i64, ptr %block
  %after = add i64 %before, 1
  store i64 %after, ptr %block
  br label %end
end:
  ret void
}

define void @NRT_decref(ptr %block) {
  %nothing = icmp eq ptr %block, null
  br i1 %nothing, label %end, label %count
count:
  %before = load i64, ptr %block
  %after = add i64 %before, -1
  store i64 %after, ptr %block
  %unused = icmp eq i64 %after, 0
  br i1 %unused, label %free, label %end
free:
  call void @release(ptr %block)
  br label %end
end:
  ret void
}

define internal void @release(ptr %block) noinline {
  %kind = getelementptr %header, ptr %block, i32 0, i32 4
  %class = load i64, ptr %kind
  %class.32 = trunc i64 %class to i32
  %list = getelementptr [32 x ptr], ptr @freed, i32 0, i32 %class.32
  %first = load ptr, ptr %list
  store ptr %first, ptr %block
  store ptr %block, ptr %list
  ret void
}

; The product of two 128-bit numbers, from 64-bit ones: sizes are checked for overflow by it.
define void @__multi3(ptr %out, i64 %a, i64 %a.high, i64 %b, i64 %b.high) noinline {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %carry = lshr i64 %p00, 32
  %p01.low = and i64 %p01, 4294967295
  %p10.low = and i64 %p10, 4294967295
  %middle.1 = add i64 %carry, %p01.low
  %middle = add i64 %middle.1, %p10.low
  %low.0 = and i64 %p00, 4294967295
  %low.1 = shl i64 %middle, 32
  %low = or i64 %low.0, %low.1
  %p01.high = lshr i64 %p01, 32
  %p10.high = lshr i64 %p10, 32
  %middle.high = lshr i64 %middle, 32
  %high.1 = add i64 %p11, %p01.high
  %high.2 = add i64 %high.1, %p10.high
  %high.3 = add i64 %high.2, %middle.high
  %cross.1 = mul i64 %a, %b.high
  %cross.2 = mul i64 %a.high, %b
  %high.4 = add i64 %high.3, %cross.1
  %high = add i64 %high.4, %cross.2
  store i64 %low, ptr %out
  %out.high = getelementptr i64, ptr %out, i32 1
  store i64 %high, ptr %out.high
  ret void
}

; The fraction, from one half to one, and the exponent of a normal number; of others, a trap.
define double @numba_frexp(double %x, ptr %exponent) {
  %bits = bitcast double %x to i64
  %shifted = lshr i64 %bits, 52
  %biased = and i64 %shifted, 2047
  %offset = sub i64 %biased, 1
  %normal = icmp ult i64 %offset, 2046
  br i1 %normal, label %take, label %other
take:
  %power = sub i64 %biased, 1022
  %power.32 = trunc i64 %power to i32
  store i32 %power.32, ptr %exponent
  %rest = and i64 %bits, -9218868437227405313
  %half = or i64 %rest, 4602678819172646912
  %fraction = bitcast i64 %half to double
  ret double %fraction
other:
  call void @llvm.trap()
  unreachable
}

; A number times a power of two that is itself a normal number; else, a trap.
define double @numba_ldexp(double %x, i32 %power) {
  %biased = add i32 %power, 1023
  %offset = sub i32 %biased, 1
  %normal = icmp ult i32 %offset, 2046
  br i1 %normal, label %take, label %other
take:
  %wide = zext i32 %biased to i64
  %bits = shl i64 %wide, 52
  %factor = bitcast i64 %bits to double
  %product = fmul double %x, %factor
  ret double %product
other:
  call void @llvm.trap()
  unreachable
}

declare void @llvm.trap()

; Lay an array out as one row without a copy, which is possible if its items lie one after the
; other; return whether it was. Kernels ask for nothing else: more sides are a trap.
define i32 @numba_attempt_nocopy_reshape(i64 %sides, ptr %lengths, ptr %strides, i64 %wanted,
    ptr %new.lengths, ptr %new.strides, i64 %size, i32 %by.columns) {
start:
  %one = icmp eq i64 %wanted, 1
  br i1 %one, label %look, label %other
look:
  %left = phi i64 [ %sides, %start ], [ %side, %next ]
  %stride = phi i64 [ %size, %start ], [ %stride.next, %next ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %yes, label %compare
compare:
  %side = sub i64 %left, 1
  %side.32 = trunc i64 %side to i32
  %length.at = getelementptr i64, ptr %lengths, i32 %side.32
  %stride.at = getelementptr i64, ptr %strides, i32 %side.32
  %length = load i64, ptr %length.at
  %found = load i64, ptr %stride.at
  %fits = icmp eq i64 %found, %stride
  br i1 %fits, label %next, label %no
next:
  %stride.next = mul i64 %stride, %length
  br label %look
yes:
  store i64 %size, ptr %new.strides
  ret i32 1
no:
  ret i32 0
other:
  call void @llvm.trap()
  unreachable
}
