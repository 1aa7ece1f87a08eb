/** Memory of a service with all its processes, and of the database's connections to it, read from /proc: Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

export interface MemoryUse {
  /** MiB of the service, its readers and its database. */
  readonly all: number
  /** MiB of the largest process that reads documents. */
  readonly reader: number
}

const EVERY_MS = 100
/** What processes share is measured once in so many times: it takes 30 ms of a processor, because the system walks through all of their pages. */
const SHARED_EVERY = 8
const KIB_A_MIB = 1_024
const PAGES_A_MIB = 256

interface Process {
  readonly id: number
  readonly parent: number
  readonly line: string
}

/** A process with its memory beside what it has for itself alone: its part of what it shares (MiB). */
interface Measured {
  readonly id: number
  readonly isReader: boolean
  readonly shared: number
}

/**
 * Measures every 100 ms, until it is stopped. Memory shared by processes counts once, divided among them: programs, and the database's page
 * cache. Of the database, those processes count that serve `databaseName`, and those that serve all databases.
 */
export function watchMemory(pid: number, databaseName: string): { peak(): MemoryUse; forget(): void; stop(): void } {
  const peak = { all: 0, reader: 0 }
  let looks = 0
  let measured: readonly Measured[] = []
  const look = (): void => {
    if (looks % SHARED_EVERY === 0) measured = measure(pid, databaseName)
    looks += 1
    const used = measured.map(({ id, isReader, shared }) => ({ isReader, mib: ownMib(id, shared) }))
    peak.all = Math.max(peak.all, Math.round(used.reduce((sum, { mib }) => sum + mib, 0)))
    peak.reader = Math.max(peak.reader, ...used.map(({ isReader, mib }) => (isReader ? Math.round(mib) : 0)))
  }
  const timer = setInterval(look, EVERY_MS)
  return { peak: () => ({ ...peak }), forget: () => Object.assign(peak, { all: 0, reader: 0 }), stop: () => clearInterval(timer) }
}

/** Returns its processes that read documents. */
export function readersOf(pid: number): number[] {
  return familyOf(pid, processes()).flatMap(({ id, line }) => (line.includes('reader-process') ? [id] : []))
}

function measure(pid: number, databaseName: string): Measured[] {
  const all = processes()
  const database = all.filter(({ line }) => isDatabase(line, databaseName))
  return [...familyOf(pid, all), ...database].map(({ id, line }) => ({
    id,
    isReader: line.includes('reader-process'),
    shared: mibOf(id) - ownMib(id, 0),
  }))
}

/** Returns true for its connections, and for the background processes of all databases. */
function isDatabase(line: string, name: string): boolean {
  return line.startsWith('postgres: ') && (line.includes(` ${name} `) || !/\d\(\d+\)|\[local\]/.test(line))
}

function familyOf(pid: number, all: readonly Process[]): Process[] {
  const found = all.filter(({ id }) => id === pid)
  for (const one of found) found.push(...all.filter(({ parent }) => parent === one.id))
  return found
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1])
        return [{ id: Number(name), parent, line: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}

/** Returns 0 if it has ended meanwhile. */
function mibOf(id: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / KIB_A_MIB
  } catch {
    return 0
  }
}

/** Returns the memory that the process has for itself alone, and `shared`; 0 if it has ended meanwhile. */
function ownMib(id: number, shared: number): number {
  try {
    const [, resident = 0, ofFiles = 0] = readFileSync(`/proc/${id}/statm`, 'utf8').split(' ').map(Number)
    return (resident - ofFiles) / PAGES_A_MIB + shared
  } catch {
    return 0
  }
}
