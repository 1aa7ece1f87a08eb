import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from './launch.ts'

/** A loop of work goes on until the value is true. */
export interface Over {
  value: boolean
}

export interface KillRound {
  /** Starts the loops of work. Each ends once the round is over, or when its connection ends. */
  readonly work: (over: Over) => readonly Promise<unknown>[]
  /** Number of acts that the program has acknowledged so far, over all rounds. */
  readonly acknowledged: () => number
  /** Acts that the round waits for, and milliseconds until the kill after them. */
  readonly acts: number
  readonly waitMs: number
}

/** Kills the program in the middle of work, and waits for the end of the loops. Throws the error of a loop. */
export async function killAmid(program: Program, { work, acknowledged, acts, waitMs }: KillRound): Promise<void> {
  const over: Over = { value: false }
  const enough = acknowledged() + acts
  const working = Promise.all(work(over))
  // The error of a loop ends the round at once. It is thrown where the loops are awaited.
  void working.catch(() => (over.value = true))
  while (acknowledged() < enough && !over.value) await sleep(2)
  await sleep(waitMs)
  over.value = true
  await program.end('SIGKILL')
  await working
}
