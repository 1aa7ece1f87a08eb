import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** True if this machine exposes processes as files. macOS does not, so `ps` is used there. */
const HAS_PROC = process.platform === 'linux'

/**
 * Returns the command line of a living process, with its words separated by blanks; undefined when there is none. A process that was killed
 * but not yet collected by its parent (a zombie: its command line is empty) counts as none, although it still answers signals.
 */
export function commandLine(pid: number): string | undefined {
  if (HAS_PROC) return readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() || undefined
  const line = ps(['-o', 'stat=,command=', '-p', String(pid)])?.trim()
  const match = line === undefined ? null : /^(\S+)\s+(.*)$/s.exec(line)
  return match && !match[1]?.startsWith('Z') ? match[2] : undefined
}

/** Distinguishes a process from a later one with the same pid by its start time and command. Undefined when it has ended. */
export function processIdentity(pid: number): string | undefined {
  const command = commandLine(pid)
  if (command === undefined) return undefined
  if (!HAS_PROC) return `${ps(['-o', 'lstart=', '-p', String(pid)])?.trim()} ${command}`
  // The name in parentheses may contain blanks, so fields are counted from behind it: the start time is the 20th.
  const began = readProc(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')[19]
  return `${began} ${command}`
}

/** Returns the processes whose command line contains a text. */
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
    // The process ended between two reads, or we may not read it; in both cases there is nothing to compare.
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
