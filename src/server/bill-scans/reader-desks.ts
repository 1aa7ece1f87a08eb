/**
 * The desks at which documents are read, each with a process of its own while it is needed: two for what is read in a blink, two for what
 * takes its time. While one of two is busy, the other is kept for clients of whom nothing is being read, so that a document which takes long
 * keeps no other client waiting. The two have a common limit of memory.
 */
import type { ChildProcess } from 'node:child_process'

/** `quick` takes the words that pages carry, `slow` recognises the letters of pictures. */
export type Lane = 'quick' | 'slow'

export interface Desk {
  readonly lane: Lane
  isTaken: boolean
  /** Whether a document lies on it: not while one is still looked for. */
  isBusy: boolean
  child: ChildProcess | null
  idle: NodeJS.Timeout | null
  /** MiB that its process may have in memory. */
  memoryMib: number
  residentMib: number
  /** Processor seconds of the present question. */
  seconds: number
  /** Whether its process has less of the processor than others, which it keeps to its end. */
  isLow: boolean
  /** Aborted where the document at the desk has to make room; the reason says for what. */
  room: AbortController
}

/** Why a document has to make room: for documents of other clients, or because the lane has no memory left. */
export const roomFor = { others: 'others', memory: 'memory' } as const

/** An idle process is ended: the letters' data takes 200 MiB. */
const IDLE_MS = 60_000
/** A process that holds more than this share of its memory after a document is ended, so that the next has room. */
const HELD_MAX = 0.75
/** The memory of all processes of a lane together, in shares of what one may have. */
const TOGETHER_MAX = 1.2
/** MiB of a process from which on two of them have room. One that takes words has 160, one that has recognised a page 300. */
const TWO_FROM_MIB = { quick: 256, slow: 512 } as const

const newDesk = (lane: Lane): Desk => ({
  lane,
  isTaken: false,
  isBusy: false,
  child: null,
  idle: null,
  memoryMib: 0,
  residentMib: 0,
  seconds: 0,
  isLow: false,
  room: new AbortController(),
})
const desks: Readonly<Record<Lane, readonly Desk[]>> = {
  quick: [newDesk('quick'), newDesk('quick')],
  slow: [newDesk('slow'), newDesk('slow')],
}
const waiting: Record<Lane, (() => void)[]> = { quick: [], slow: [] }
const claims: Record<Lane, Promise<unknown>> = { quick: Promise.resolve(), slow: Promise.resolve() }

/** Documents that a lane reads at once, where there is memory for it. */
export const desksOf = (lane: Lane): number => desks[lane].length

/** Waits for a desk; whoever has it gives it back by `leaveDesk`. */
export async function takeDesk(lane: Lane, memoryMib: number): Promise<Desk> {
  for (;;) {
    const desk = open(lane, memoryMib).find(({ isTaken }) => !isTaken)
    if (desk) return Object.assign(desk, { isTaken: true, memoryMib, room: new AbortController() })
    await nextLeave(lane)
  }
}

const open = (lane: Lane, memoryMib: number): readonly Desk[] => desks[lane].slice(0, memoryMib < TWO_FROM_MIB[lane] ? 1 : undefined)
const nextLeave = (lane: Lane): Promise<void> => new Promise((resolve) => waiting[lane].push(resolve))

/** One claim after the other, so that each sees of whom something is being read. `isKept`: for clients of whom that is nothing. */
export function claimAt<Claim>(desk: Desk, claim: (isKept: boolean) => Promise<Claim | undefined>): Promise<Claim | undefined> {
  const turn = claims[desk.lane].then(async () => {
    const claimed = await claim(isOtherBusy(desk))
    desk.isBusy = claimed !== undefined
    return claimed
  })
  claims[desk.lane] = turn.catch(() => undefined)
  return turn
}

const isOtherBusy = (desk: Desk): boolean => desks[desk.lane].some((other) => other !== desk && other.isBusy)

/** The process may end while it waits for work, and never keeps ours from ending. */
export function leaveDesk(desk: Desk): void {
  desk.isTaken = false
  desk.isBusy = false
  for (const resolve of waiting[desk.lane].splice(0)) resolve()
  const { child } = desk
  if (!child) return
  if (desk.isLow || desk.residentMib > desk.memoryMib * HELD_MAX) return endChild(desk, child)
  child.unref()
  child.channel?.unref()
  keepAwake(desk)
  desk.idle = setTimeout(() => endChild(desk, child), IDLE_MS).unref()
}

/** Work has come, or the time begins anew. */
export function keepAwake({ idle }: Desk): void {
  if (idle !== null) clearTimeout(idle)
}

/** Whether a document that comes now finds no desk. */
export const isLaneFull = ({ lane, memoryMib }: Desk): boolean => open(lane, memoryMib).every(({ isBusy }) => isBusy)

/** Waits until a document beside this desk is done, so that the two do not take the memory from each other again. */
export async function whenOthersLeave(desk: Desk): Promise<void> {
  if (isOtherBusy(desk)) await nextLeave(desk.lane)
}

/** The next document gets another process, even while this one is still going. */
export function endChild(desk: Desk, child: ChildProcess): void {
  child.kill('SIGKILL')
  forgetChild(desk, child)
}

export function forgetChild(desk: Desk, child: ChildProcess): void {
  if (desk.child === child) Object.assign(desk, { child: null, residentMib: 0, isLow: false })
}

/** Where the processes of a lane have too much together, an idle one ends; else the document makes room that has cost most. */
export function shareMemory({ lane, memoryMib }: Desk): void {
  const present = desks[lane].filter(({ child }) => child !== null)
  if (present.reduce((sum, { residentMib }) => sum + residentMib, 0) <= memoryMib * TOGETHER_MAX) return
  const [costliest] = present.toSorted((one, other) => Number(one.isTaken) - Number(other.isTaken) || other.seconds - one.seconds)
  if (costliest?.isTaken === false && costliest.child) endChild(costliest, costliest.child)
  else if (present.length > 1) costliest?.room.abort(roomFor.memory)
}
