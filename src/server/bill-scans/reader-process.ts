/**
 * The process that reads documents. One of its threads does the work; the process itself only watches memory and CPU seconds of an answer,
 * and ends if they exceed the limit. CPU seconds are used instead of the clock, because a page takes longer on a busy machine through no
 * fault of its own.
 */
import { askThread, faultOf, ReadingError, tooMuchMemory } from '../bill-reading/bill-reading.ts'
import { readerRequest, type ReaderAnswer, type ReaderRequest } from './reader-message.ts'

/** Milliseconds between two checks of an answer's cost. */
const WATCH_MS = 50
/** Checks between two heartbeats. */
const LOOKS_A_SIGN = 5
const MIB = 1_048_576

/** MiB of memory that the process may use. */
const memoryMib = Number(process.argv[2])
/** Answers that this process has given: memory that it used for them may still be held. */
const given = { opened: 0, others: 0 }

process.on('message', (message) => void answer(message))
// The parent process has ended.
process.on('disconnect', () => process.exit(0))

type Use = Pick<ReaderAnswer, 'seconds' | 'resident_mib'>
type Reply = ReaderAnswer extends infer Answer ? (Answer extends ReaderAnswer ? Omit<Answer, keyof Use> : never) : never

async function answer(message: unknown): Promise<void> {
  const request = readerRequest.parse(message)
  const before = process.cpuUsage()
  const use = (): Use => {
    const { user, system } = process.cpuUsage(before)
    return { seconds: (user + system) / 1_000_000, resident_mib: process.memoryUsage.rss() / MIB }
  }
  let looks = 0
  const watch = setInterval(() => {
    const excess = excessOf(request, use())
    looks += 1
    if (excess !== null) endWith({ ...faultOf(excess), ...use() })
    else if (looks % LOOKS_A_SIGN === 0) tell({ kind: 'alive', ...use() })
  }, WATCH_MS)
  const reply = await replyTo(request).catch(faultOf)
  clearInterval(watch)
  given[request.kind === 'open' ? 'opened' : 'others'] += 1
  tell({ ...reply, ...use() })
}

function tell(message: ReaderAnswer, sent?: () => void): void {
  if (process.connected) process.send?.(message, undefined, {}, sent)
}

/** The thread may be deep in a library's own code, which no `exit` interrupts. */
function endWith(message: ReaderAnswer): void {
  tell(message, () => process.kill(process.pid, 'SIGKILL'))
}

function excessOf(request: ReaderRequest, { seconds, resident_mib }: Use): ReadingError | null {
  if (resident_mib > memoryMib) return isFirst(request) ? tooMuchMemory() : new ReadingError('stopped', tooMuchMemory().message)
  if (seconds <= request.seconds) return null
  const what = request.kind === 'page' ? `Page ${request.page}` : 'The document'
  return new ReadingError('too_slow', `${what} took more than ${secondsText(request.seconds)} of a processor to read.`)
}

const secondsText = (seconds: number): string => (Math.ceil(seconds) === 1 ? '1 second' : `${Math.ceil(seconds)} seconds`)

/** Returns true if the process has done nothing else before, so that all its memory belongs to this document. */
function isFirst({ kind }: ReaderRequest): boolean {
  return given.others === 0 && given.opened === (kind === 'page' ? 1 : 0)
}

async function replyTo(request: ReaderRequest): Promise<Reply> {
  const reply = await askThread(questionOf(request))
  return reply.kind === 'page' ? { kind: 'page', words: { pages: reply.words === null ? [] : [reply.words] } } : reply
}

/** Bytes are transferred to the thread, which is impossible for those of a message: so it gets copies. */
function questionOf(request: ReaderRequest): Parameters<typeof askThread>[0] {
  return request.kind === 'page' ? request : { ...request, bytes: new Uint8Array(request.bytes) }
}
