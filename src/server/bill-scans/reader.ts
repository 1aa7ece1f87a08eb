/**
 * Readers of documents: two processes, one for what is read in a blink and one for what must be recognised, so that the first never waits
 * for the second. Each reads one document after the other, is started when it is needed, and ends when it was idle.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { readBytesMax, type DocumentWords } from '#contract/bill-reading.ts'
import { ReadingError } from '../bill-reading/bill-reading.ts'
import { readerAnswer, type ReaderAnswer, type ReaderRequest } from './reader-message.ts'

/** `quick` reads pages that carry their words, `slow` the letters of pictures. */
export type Lane = 'quick' | 'slow'
export type PageWords = DocumentWords['pages'][number]

export interface OpenDocument {
  /** For each page, whether it carries its words. */
  readonly isText: readonly boolean[]
  /** Throws ReadingError; 'stopped' says nothing of the page. */
  readPage(page: number): Promise<PageWords>
}

/** An idle process is ended: the letters' data takes 200 MiB. */
const IDLE_MS = 60_000
/** A process that gives no sign of life for so long hangs. */
const SILENT_MS = 300_000
/** People who work come before letters that are recognised. */
const SLOW_NICENESS = 5

interface Desk {
  child: ChildProcess | null
  idle: NodeJS.Timeout | null
  turn: Promise<void>
}
const desks: Readonly<Record<Lane, Desk>> = {
  quick: { child: null, idle: null, turn: Promise.resolve() },
  slow: { child: null, idle: null, turn: Promise.resolve() },
}

/** Opens the document, when those before it are done, for as long as the work takes. Throws ReadingError, whose message is for a person. */
export async function withDocument<Result>(
  { lane, bytes, pageSeconds, signal }: { lane: Lane; bytes: Uint8Array; pageSeconds: number; signal: AbortSignal },
  work: (document: OpenDocument) => Promise<Result>,
): Promise<Result> {
  if (bytes.byteLength > readBytesMax) throw new ReadingError('too_large', `The document is larger than ${readBytesMax / 1_048_576} MB.`)
  const desk = desks[lane]
  const turn = desk.turn.then(async () => {
    const opened = await ask(desk, lane, { kind: 'open', bytes, page_seconds: pageSeconds }, signal)
    if (opened.kind !== 'opened') throw stopped()
    return work({ isText: opened.is_text, readPage: (page) => readPage(desk, lane, page, signal) })
  })
  desk.turn = turn.then(
    () => rest(desk),
    () => rest(desk),
  )
  return turn
}

async function readPage(desk: Desk, lane: Lane, page: number, signal: AbortSignal): Promise<PageWords> {
  const answer = await ask(desk, lane, { kind: 'page', page }, signal)
  const words = answer.kind === 'page' ? answer.words.pages[0] : undefined
  if (words === undefined) throw stopped()
  return words
}

const stopped = (): ReadingError => new ReadingError('stopped', 'Reading was stopped.')

function childOf(desk: Desk, lane: Lane): ChildProcess {
  if (desk.idle !== null) clearTimeout(desk.idle)
  if (desk.child) return desk.child
  const child = fork(new URL('./reader-process.ts', import.meta.url), { execArgv: [], serialization: 'advanced', stdio: 'ignore' })
  child.once('exit', () => {
    if (desk.child === child) desk.child = null
  })
  child.on('error', () => undefined)
  if (lane === 'slow' && child.pid !== undefined) setPriority(child.pid, SLOW_NICENESS)
  desk.child = child
  return child
}

/** The process may end while it waits for work, and never keeps ours from ending. */
function rest(desk: Desk): void {
  const { child } = desk
  if (!child) return
  child.unref()
  child.channel?.unref()
  desk.idle = setTimeout(() => end(desk, child), IDLE_MS).unref()
}

/** The next document gets another process, even while this one is still going. */
function end(desk: Desk, child: ChildProcess): void {
  child.kill('SIGKILL')
  if (desk.child === child) desk.child = null
}

function ask(desk: Desk, lane: Lane, request: ReaderRequest, signal: AbortSignal): Promise<ReaderAnswer> {
  if (signal.aborted) return Promise.reject(stopped())
  const child = childOf(desk, lane)
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
      const answer = readerAnswer.parse(message)
      if (answer.kind === 'fault') reject(new ReadingError(answer.fault, answer.message))
      else if (answer.kind !== 'alive') resolve(answer)
    }
    child.on('message', onMessage)
    child.once('exit', onExit)
    signal.addEventListener('abort', giveUp, { signal: settled.signal })
    settled.signal.addEventListener('abort', () => {
      clearTimeout(silence)
      child.off('message', onMessage)
      child.off('exit', onExit)
    })
    child.send(request, (error) => error && reject(stopped()))
  }).finally(() => settled.abort())
}
