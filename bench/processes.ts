/** Resource usage of processes, read from /proc: Linux only. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

/** Unit of CPU time in the kernel: a hundredth of a second on every Linux that Node runs on. */
const tickMs = 10

/** Returns the milliseconds of CPU time of a process and of the children that it has waited for. */
export function cpuMs(pid: number): number {
  const [, ...fields] = statOf(pid)
  // utime, stime, cutime and cstime are the fields 14 to 17; everything before the state was cut off.
  return fields.slice(10, 14).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs
}

/** The same for a process together with its living children: a database server and its connections. */
export function familyCpuMs(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(Number(name))[1] === String(pid))
  return children.reduce((sum, child) => sum + cpuMs(Number(child)), cpuMs(pid))
}

/** Returns the resident memory of a process in MiB. */
export function residentMib(pid: number): number {
  return statusMib(pid, 'VmRSS')
}

/** Returns the peak memory since `forgetPeak` in MiB. */
export function peakMib(pid: number): number {
  return statusMib(pid, 'VmHWM')
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function statusMib(pid: number, name: string): number {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib ?? 0) / 1024
}

/** Returns the fields from the state on, which is at index 0; none if the process is gone. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}
