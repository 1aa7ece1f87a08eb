import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Whether this machine shows its processes as files; macOS does not, so `ps` is asked there. */
const HAS_PROC = process.platform === 'linux'

/**
 * The command line of a living process, its words parted by blanks; undefined when there is none. A process that was
 * killed and is not yet collected by its parent (a zombie: its command line is empty) counts as none, although it still
 * answers signals.
 */
export function commandLine(pid: number): string | undefined {
  if (HAS_PROC) return readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() || undefined
  const line = ps(['-o', 'stat=,command=', '-p', String(pid)])?.trim()
  const match = line === undefined ? null : /^(\S+)\s+(.*)$/s.exec(line)
  return match && !match[1]?.startsWith('Z') ? match[2] : undefined
}

/** What tells a process from a later one with the same pid: when it began and what it runs. Undefined when it is gone. */
export function processIdentity(pid: number): string | undefined {
  const command = commandLine(pid)
  if (command === undefined) return undefined
  if (!HAS_PROC) return `${ps(['-o', 'lstart=', '-p', String(pid)])?.trim()} ${command}`
  // The name in brackets may hold blanks, so fields are counted from behind it: the start time is the 20th.
  const began = readProc(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')[19]
  return `${began} ${command}`
}

/** The processes whose command line holds a text. */
export function processesWith(text: string): { pid: number; command: string }[] {
  return allPids().flatMap((pid) => {
    const command = commandLine(pid)
    return command?.includes(text) ? [{ pid, command }] : []
  })
}

function allPids(): number[] {
  const names = HAS_PROC ? readdirSync('/proc') : (ps(['-axo', 'pid=']) ?? '').split('\n')
  return names
    .map((name) => name.trim())
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process ended between two looks, or is not ours to see; both mean that there is nothing to compare.
    return undefined
  }
}

function ps(args: string[]): string | undefined {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    // ps exits 1 when there is no such process.
    return undefined
  }
}
