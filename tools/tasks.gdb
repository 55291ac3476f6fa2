# SPDX-License-Identifier: BSD-3-Clause
# gdb -x tools/tasks.gdb: where tasks are that are suspended (OMP_EXTERNAL=task, x86-64, a process that lives).
# A stack that is not running has its registers at its end (src/crt/fiber/context_x86_64.c): they are put into
# those of the current thread while it is shown.

define ep-tasks
  set $ep_sp = $rsp
  set $ep_bp = $rbp
  set $ep_bx = $rbx
  set $ep_12 = $r12
  set $ep_13 = $r13
  set $ep_14 = $r14
  set $ep_15 = $r15
  set $ep_pc = $rip
  set $ep_ax = $orig_rax
  set $ep_f = *(struct fiber **)&'fiber.c'::newest
  while $ep_f
    if $ep_f->worker && $ep_f->worker->fiber != $ep_f
      printf "\ntask of thread %d: ", $ep_f->worker->number
      output/a $ep_f->task->fn
      printf "\n"
      set $ep_r = (long *)$ep_f->exec_context.context.sp
      set $r15 = $ep_r[1]
      set $r14 = $ep_r[2]
      set $r13 = $ep_r[3]
      set $r12 = $ep_r[4]
      set $rbx = $ep_r[5]
      set $rbp = $ep_r[6]
      set $rip = $ep_r[7]
      set $rsp = (long)($ep_r + 8)
      backtrace
      set $rsp = $ep_sp
      set $rbp = $ep_bp
      set $rbx = $ep_bx
      set $r12 = $ep_12
      set $r13 = $ep_13
      set $r14 = $ep_14
      set $r15 = $ep_15
      set $rip = $ep_pc
      set $orig_rax = $ep_ax
    end
    set $ep_f = $ep_f->older
  end
end
document ep-tasks
Show the calls of each task that is suspended or ready to go on.
end
