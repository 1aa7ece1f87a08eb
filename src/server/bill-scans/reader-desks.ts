/**
 * The desks at which documents are read, each with its own process on demand: two for quick documents, two for slow ones. While one of two
 * is busy, the other is reserved for clients without a document being read, so that a slow document does not keep other clients waiting.
 * The two share a limit of memory.
 */
import type { ChildProcess } from 'node:child_process'

/** `quick` reads the words that pages contain, `slow` recognises the letters of pictures. */
export type Lane = 'quick' | 'slow'

export interface Desk {
  readonly lane: Lane
  isTaken: boolean
  /** True if the desk has a document; false while one is still searched. */
  isBusy: boolean
  child: ChildProcess | null
  idle: NodeJS.Timeout | null
  /** MiB of memory that its process may use. */
  memoryMib: number
  residentMib: number
  /** CPU seconds of the present question. */
  seconds: number
  /** True if its process has a lower priority than others, which lasts until its end. */
  isLow: boolean
  /** Aborted if the document at the desk has to yield, with the reason. */
  room: AbortController
}

/** Reasons to yield: documents of other clients, or no memory left in the lane. */
export const roomFor = { others: 'others', memory: 'memory' } as const

/** An idle process is ended: the language data takes 200 MiB. */
const IDLE_MS = 60_000
/** A process that holds more than this share of its memory after a document is ended, so that the next has room. */
const HELD_MAX = 0.75
/** Memory limit of all processes of a lane together, as a multiple of the limit of one. */
const TOGETHER_MAX = 1.2
/** From this limit per process in MiB, two processes have room. One that reads words uses 160, one that has recognised a page 300. */
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

/** Returns the number of documents that a lane reads at once if there is enough memory. */
export const desksOf = (lane: Lane): number => desks[lane].length

/** Waits for a desk; its holder returns it with `leaveDesk`. */
export async function takeDesk(lane: Lane, memoryMib: number): Promise<Desk> {
  for (;;) {
    const desk = open(lane, memoryMib).find(({ isTaken }) => !isTaken)
    if (desk) return Object.assign(desk, { isTaken: true, memoryMib, room: new AbortController() })
    await nextLeave(lane)
  }
}

const open = (lane: Lane, memoryMib: number): readonly Desk[] => desks[lane].slice(0, memoryMib < TWO_FROM_MIB[lane] ? 1 : undefined)
const nextLeave = (lane: Lane): Promise<void> => new Promise((resolve) => waiting[lane].push(resolve))

/**
 * Runs one claim after the other, so that each knows the clients whose documents are being read. `isKept`: restricted to clients without
 * any.
 */
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

/** The process may end while it waits for work, and never keeps ours alive. */
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

/** Cancels the idle timer, because work has arrived or the time starts again. */
export function keepAwake({ idle }: Desk): void {
  if (idle !== null) clearTimeout(idle)
}

/** Returns true if a document that arrives now finds no desk. */
export const isLaneFull = ({ lane, memoryMib }: Desk): boolean => open(lane, memoryMib).every(({ isBusy }) => isBusy)

/** Waits until a document at a neighbouring desk is done, so that the two do not compete for memory again. */
export async function whenOthersLeave(desk: Desk): Promise<void> {
  if (isOtherBusy(desk)) await nextLeave(desk.lane)
}

/** Gives the next document another process, even while this one is still ending. */
export function endChild(desk: Desk, child: ChildProcess): void {
  child.kill('SIGKILL')
  forgetChild(desk, child)
}

export function forgetChild(desk: Desk, child: ChildProcess): void {
  if (desk.child === child) Object.assign(desk, { child: null, residentMib: 0, isLow: false })
}

/** If the processes of a lane use too much memory together, an idle one ends; otherwise the most expensive document yields. */
export function shareMemory({ lane, memoryMib }: Desk): void {
  const present = desks[lane].filter(({ child }) => child !== null)
  if (present.reduce((sum, { residentMib }) => sum + residentMib, 0) <= memoryMib * TOGETHER_MAX) return
  const [costliest] = present.toSorted((one, other) => Number(one.isTaken) - Number(other.isTaken) || other.seconds - one.seconds)
  if (costliest?.isTaken === false && costliest.child) endChild(costliest, costliest.child)
  else if (present.length > 1) costliest?.room.abort(roomFor.memory)
}
