/* SPDX-License-Identifier: BSD-3-Clause */
/* C11 atomics with the memory order in the name, so that a reader sees it at every access. */
#ifndef EP_BASE_ATOMICS_H
#define EP_BASE_ATOMICS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define load_relaxed(p) atomic_load_explicit((p), memory_order_relaxed)
#define load_acquire(p) atomic_load_explicit((p), memory_order_acquire)
#define store_relaxed(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)
#define store_release(p, v) atomic_store_explicit((p), (v), memory_order_release)
#define swap_acquire(p, v) atomic_exchange_explicit((p), (v), memory_order_acquire)
#define swap_acq_rel(p, v) atomic_exchange_explicit((p), (v), memory_order_acq_rel)
#define add_relaxed(p, v) atomic_fetch_add_explicit((p), (v), memory_order_relaxed)
#define add_acq_rel(p, v) atomic_fetch_add_explicit((p), (v), memory_order_acq_rel)
#define sub_acq_rel(p, v) atomic_fetch_sub_explicit((p), (v), memory_order_acq_rel)
#define or_acq_rel(p, v) atomic_fetch_or_explicit((p), (v), memory_order_acq_rel)
#define and_acq_rel(p, v) atomic_fetch_and_explicit((p), (v), memory_order_acq_rel)
#define cas_acq_rel(p, expected, v)                                                                          \
    atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_acq_rel, memory_order_acquire)
#define cas_relaxed(p, expected, v)                                                                          \
    atomic_compare_exchange_weak_explicit((p), (expected), (v), memory_order_relaxed, memory_order_relaxed)

/* A fence of all orders right before or after an atomic read-modify-write operation of this thread, which is one by itself on
 * x86-64. */
#if defined(__x86_64__)
#define fence_beside_change() atomic_signal_fence(memory_order_seq_cst)
#else
#define fence_beside_change() atomic_thread_fence(memory_order_seq_cst)
#endif

#if defined(__SANITIZE_THREAD__)
#define SANITIZES_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZES_THREADS 1
#endif
#endif

#define CACHE_LINE 64
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Add to a word that has one writer at a time; others may read it. Not one step, but where the compiler would make
 * three instructions of it, one. */
#if defined(__x86_64__) && !defined(SANITIZES_THREADS)
#define add_alone(p, n) __asm__("addq %1, %0" : "+m"(*(p)) : "er"((uint64_t)(n)) : "cc")
#else
#define add_alone(p, n) store_relaxed((p), load_relaxed(p) + (uint64_t)(n))
#endif

/* Tell the core that this is a spin loop. */
static inline void cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

/* Fetch a line that will be written. gcc's builtin only reads on plain x86-64, and the later store then
 * still waits; processors without the instruction take it for a nop. */
#if defined(__x86_64__)
#define prefetch_write(p) __asm__ volatile("prefetchw %0" ::"m"(*(const char *)(p)))
#else
#define prefetch_write(p) __builtin_prefetch((p), 1)
#endif

#define container_of(ptr, type, member) ((type *)(void *)((char *)(ptr)-offsetof(type, member)))

#endif
