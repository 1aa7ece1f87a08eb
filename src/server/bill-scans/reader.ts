/**
 * Readers of documents: two processes, one for what is read in a blink and one for what takes its time, so that the first never waits for the
 * second. Each reads one document after the other, is started when it is needed, and ends when it was idle.
 */
import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { ReadingError, refuseLarge, type PageWords } from '../bill-reading/bill-reading.ts'
import { startReader } from './reader-jail.ts'
import { readerAnswer, type ReaderAnswer, type ReaderRequest } from './reader-message.ts'

/** `quick` takes the words that pages carry, `slow` recognises the letters of pictures. */
export type Lane = 'quick' | 'slow'

/** Who asks, and what it may cost. */
export interface Asking {
  readonly lane: Lane
  /** MiB that the process may have in memory. */
  readonly memoryMib: number
  readonly signal: AbortSignal
}

export interface OpenDocument {
  readonly pages: number
  /** Null where the page must be recognised and nobody asked for it. Throws ReadingError; 'stopped' says nothing of the page. */
  readPage(page: number, how: { recognise: boolean; seconds: number; signal?: AbortSignal }): Promise<PageWords | null>
  /** Processor seconds of everything so far, and of the page that is being read. */
  spent(): { all: number; page: number }
}

/** An idle process is ended: the letters' data takes 200 MiB. */
const IDLE_MS = 60_000
/** A process that gives no sign of life for so long hangs. */
const SILENT_MS = 60_000
/** People who work come before letters that are recognised. */
const SLOW_NICENESS = 5
/** A process that holds more than this share of its memory after a document is ended, so that the next has room. */
const HELD_MAX = 0.75

interface Desk {
  child: ChildProcess | null
  idle: NodeJS.Timeout | null
  turn: Promise<void>
  residentMib: number
  /** Processor seconds of the present question. */
  seconds: number
}
const newDesk = (): Desk => ({ child: null, idle: null, turn: Promise.resolve(), residentMib: 0, seconds: 0 })
const desks: Readonly<Record<Lane, Desk>> = { quick: newDesk(), slow: newDesk() }

/** Opens the document, when those before it are done, for as long as the work takes. Throws ReadingError, whose message is for a person. */
export function withDocument<Result>(
  asking: Asking & { bytes: Uint8Array; seconds: number },
  work: (document: OpenDocument) => Promise<Result>,
): Promise<Result> {
  return inTurn(asking, async (desk) => {
    refuseLarge(asking.bytes)
    const spent = { before: 0, isPage: false }
    const count = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
      answer.finally(() => {
        spent.before += desk.seconds
        desk.seconds = 0
      })
    let owner: ChildProcess | null = null
    const open = async (): Promise<number> => {
      const request = { kind: 'open' as const, bytes: new Uint8Array(asking.bytes), seconds: asking.seconds }
      const opened = await count(ask(desk, asking, request))
      owner = desk.child
      return opened.kind === 'opened' ? opened.pages : 0
    }
    return work({
      pages: await open(),
      async readPage(page, { recognise, seconds, signal }) {
        // A page that was too much has ended the process.
        if (desk.child === null || desk.child !== owner) await open()
        const own = signal === undefined ? asking : { ...asking, signal: AbortSignal.any([asking.signal, signal]) }
        spent.isPage = true
        const answer = await count(ask(desk, own, { kind: 'page', page, recognise, seconds })).finally(() => (spent.isPage = false))
        if (answer.kind !== 'page') throw stopped()
        return answer.words.pages[0] ?? null
      },
      spent: () => ({ all: spent.before + desk.seconds, page: spent.isPage ? desk.seconds : 0 }),
    })
  })
}

/** The pages as a PDF of their own, with their text. Throws ReadingError where the file cannot be taken apart. */
export function cutPages(asking: Asking & { bytes: Uint8Array; from: number; to: number; seconds: number }): Promise<Uint8Array> {
  return inTurn(asking, async (desk) => {
    const { from, to, seconds } = asking
    const answer = await ask(desk, asking, { kind: 'cut', bytes: new Uint8Array(asking.bytes), from, to, seconds })
    if (answer.kind !== 'cut') throw stopped()
    return answer.bytes
  })
}

function inTurn<Result>({ lane, memoryMib }: Asking, work: (desk: Desk) => Promise<Result>): Promise<Result> {
  const desk = desks[lane]
  const turn = desk.turn.then(() => work(desk))
  const after = (): void => rest(desk, memoryMib)
  desk.turn = turn.then(after, after)
  return turn
}

const stopped = (): ReadingError => new ReadingError('stopped', 'Reading was stopped.')

function childOf(desk: Desk, { lane, memoryMib }: Asking): ChildProcess {
  if (desk.idle !== null) clearTimeout(desk.idle)
  if (desk.child) return desk.child
  const child = startReader(memoryMib)
  child.once('exit', () => {
    if (desk.child === child) desk.child = null
  })
  child.on('error', () => undefined)
  if (lane === 'slow' && child.pid !== undefined) setPriority(child.pid, SLOW_NICENESS)
  desk.child = child
  return child
}

/** The process may end while it waits for work, and never keeps ours from ending. */
function rest(desk: Desk, memoryMib: number): void {
  const { child } = desk
  if (!child) return
  if (desk.residentMib > memoryMib * HELD_MAX) return end(desk, child)
  child.unref()
  child.channel?.unref()
  desk.idle = setTimeout(() => end(desk, child), IDLE_MS).unref()
}

/** The next document gets another process, even while this one is still going. */
function end(desk: Desk, child: ChildProcess): void {
  child.kill('SIGKILL')
  if (desk.child === child) desk.child = null
}

function ask(desk: Desk, asking: Asking, request: ReaderRequest): Promise<ReaderAnswer> {
  const { signal } = asking
  if (signal.aborted) return Promise.reject(stopped())
  const child = childOf(desk, asking)
  child.ref()
  child.channel?.ref()
  const settled = new AbortController()
  return new Promise<ReaderAnswer>((resolve, reject) => {
    const giveUp = (): void => {
      end(desk, child)
      reject(stopped())
    }
    const silence = setTimeout(giveUp, SILENT_MS)
    const onExit = (): void => reject(new ReadingError('stopped', 'Reading was stopped: the document may need too much memory.'))
    const onMessage = (message: unknown): void => {
      silence.refresh()
      const { data: answer } = readerAnswer.safeParse(message)
      if (answer === undefined) return giveUp()
      desk.seconds = answer.seconds
      desk.residentMib = answer.resident_mib
      if (answer.kind === 'fault') {
        if (endsProcess.has(answer.fault)) end(desk, child)
        reject(new ReadingError(answer.fault, answer.message))
      } else if (answer.kind !== 'alive') resolve(answer)
    }
    child.on('message', onMessage)
    // And not at its exit, which may be heard of before its last message.
    child.once('disconnect', onExit)
    signal.addEventListener('abort', giveUp, { signal: settled.signal })
    settled.signal.addEventListener('abort', () => {
      clearTimeout(silence)
      child.off('message', onMessage)
      child.off('disconnect', onExit)
    })
    child.send(request, (error) => error && reject(stopped()))
  }).finally(() => settled.abort())
}

/** After these a process is not asked again. */
const endsProcess: ReadonlySet<string> = new Set(['too_much_memory', 'too_slow', 'stopped'])
