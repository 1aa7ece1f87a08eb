/** Readers of documents: processes, one per desk, that read one document after the other. Each is started on demand, and ends when idle. */
import type { ChildProcess } from 'node:child_process'
import { ReadingError, refuseLarge, stoppedReading, type PageWords } from '../bill-reading/bill-reading.ts'
import { endChild, forgetChild, keepAwake, shareMemory, type Desk } from './reader-desks.ts'
import { lowerPriority, startReader } from './reader-jail.ts'
import { readerAnswer, type ReaderAnswer, type ReaderRequest } from './reader-message.ts'

/** CPU seconds that a document may take over all its tries, and the rest of them. */
export interface Purse {
  readonly limit: number
  left: number
}

/** The desk of a reading, and its limits. */
export interface Asking {
  readonly desk: Desk
  readonly purse: Purse
  readonly signal: AbortSignal
}

export interface OpenDocument {
  readonly pages: number
  /** Null if the page needs recognition and it was not requested. Throws ReadingError; 'stopped' is not the page's fault. */
  readPage(page: number, how: { recognise: boolean; seconds: number }): Promise<PageWords | null>
  /** CPU seconds in total, and of the page that is being read. */
  spent(): { all: number; page: number }
}

/** A process without a heartbeat for this long hangs. */
const SILENT_MS = 60_000
/** Steps of niceness: interactive work comes before words, and words before recognition. */
const STEPS = { quick: 2, slow: 5 } as const
/** A question that has used this many CPU seconds leaves the CPU to others. */
const SPENDER_SECONDS = 10
const SPENDER_STEPS = 10

/** Opens the document for the duration of the work. Throws ReadingError, whose message is for the user. */
export async function withDocument<Result>(
  asking: Asking & { bytes: Uint8Array; seconds: number },
  work: (document: OpenDocument) => Promise<Result>,
): Promise<Result> {
  const { desk, purse } = asking
  refuseLarge(asking.bytes)
  const before = purse.left
  let isPage = false
  let owner: ChildProcess | null = null
  const open = async (): Promise<number> => {
    const request = { kind: 'open' as const, bytes: new Uint8Array(asking.bytes), seconds: asking.seconds }
    const opened = await ask(asking, request)
    owner = desk.child
    return opened.kind === 'opened' ? opened.pages : 0
  }
  return work({
    pages: await open(),
    async readPage(page, { recognise, seconds }) {
      // A page beyond the limits has ended the process.
      if (desk.child === null || desk.child !== owner) await open()
      isPage = true
      const answer = await ask(asking, { kind: 'page', page, recognise, seconds }).finally(() => (isPage = false))
      if (answer.kind !== 'page') throw stoppedReading()
      return answer.words.pages[0] ?? null
    },
    spent: () => ({ all: before - purse.left + desk.seconds, page: isPage ? desk.seconds : 0 }),
  })
}

/** Returns the pages as a PDF of their own, with their text. Throws ReadingError if the file cannot be split. */
export async function cutPages(asking: Asking & { bytes: Uint8Array; from: number; to: number; seconds: number }): Promise<Uint8Array> {
  const { from, to, seconds } = asking
  const answer = await ask(asking, { kind: 'cut', bytes: new Uint8Array(asking.bytes), from, to, seconds })
  if (answer.kind !== 'cut') throw stoppedReading()
  return answer.bytes
}

/** @param limit CPU seconds that the document may take. */
export const purseIsEmpty = (limit: number): ReadingError =>
  new ReadingError('too_slow', `Reading the document took more than ${limit} seconds of a processor.`)

function childOf(desk: Desk): ChildProcess {
  keepAwake(desk)
  if (desk.child) return desk.child
  const child = startReader(desk.memoryMib)
  child.once('exit', () => forgetChild(desk, child))
  child.on('error', () => undefined)
  lowerPriority(child, STEPS[desk.lane])
  desk.child = child
  return child
}

/** Sends a question to the process at the desk. Its cost is charged to the purse, even if it fails. */
async function ask(asking: Asking, request: ReaderRequest): Promise<ReaderAnswer> {
  const { desk, purse } = asking
  if (purse.left <= 0) throw purseIsEmpty(purse.limit)
  try {
    return await askChild(asking, { ...request, seconds: Math.min(request.seconds, purse.left) })
  } catch (error) {
    throw error instanceof ReadingError && error.fault === 'too_slow' && desk.seconds >= purse.left ? purseIsEmpty(purse.limit) : error
  } finally {
    purse.left -= desk.seconds
    desk.seconds = 0
  }
}

function askChild({ desk, signal: own }: Asking, request: ReaderRequest): Promise<ReaderAnswer> {
  const signal = AbortSignal.any([own, desk.room.signal])
  if (signal.aborted) return Promise.reject(stoppedReading())
  const child = childOf(desk)
  child.ref()
  child.channel?.ref()
  const settled = new AbortController()
  return new Promise<ReaderAnswer>((resolve, reject) => {
    const giveUp = (): void => {
      endChild(desk, child)
      reject(stoppedReading())
    }
    const silence = setTimeout(giveUp, SILENT_MS)
    const onExit = (): void => reject(new ReadingError('stopped', 'Reading was stopped: the document may need too much memory.'))
    const onMessage = (message: unknown): void => {
      silence.refresh()
      const { data: answer } = readerAnswer.safeParse(message)
      if (answer === undefined) return giveUp()
      noteUse(desk, child, answer)
      if (answer.kind === 'fault') {
        if (endsProcess.has(answer.fault)) endChild(desk, child)
        reject(new ReadingError(answer.fault, answer.message))
      } else if (answer.kind !== 'alive') resolve(answer)
    }
    child.on('message', onMessage)
    // Not at its exit, which may be reported before its last message.
    child.once('disconnect', onExit)
    signal.addEventListener('abort', giveUp, { signal: settled.signal })
    settled.signal.addEventListener('abort', () => {
      clearTimeout(silence)
      child.off('message', onMessage)
      child.off('disconnect', onExit)
    })
    child.send(request, (error) => error && reject(stoppedReading()))
  }).finally(() => settled.abort())
}

/** After these faults a process gets no further question. */
const endsProcess: ReadonlySet<string> = new Set(['too_much_memory', 'too_slow', 'stopped'])

function noteUse(desk: Desk, child: ChildProcess, { seconds, resident_mib }: ReaderAnswer): void {
  desk.seconds = seconds
  desk.residentMib = resident_mib
  shareMemory(desk)
  if (seconds < SPENDER_SECONDS || desk.isLow || desk.child !== child) return
  lowerPriority(child, SPENDER_STEPS)
  desk.isLow = true
}
