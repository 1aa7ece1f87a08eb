/**
 * The process that reads documents. A thread of it does the work; the process itself only watches what an answer costs in memory and in
 * processor seconds, and ends where that is too much. Processor seconds and not the clock: on a busy machine a page takes long, and is no
 * worse for it.
 */
import { askThread, faultOf, ReadingError, tooMuchMemory } from '../bill-reading/bill-reading.ts'
import { readerRequest, type ReaderAnswer, type ReaderRequest } from './reader-message.ts'

/** Milliseconds between two looks at what the answer has cost. */
const WATCH_MS = 50
/** Looks between two signs of life. */
const LOOKS_A_SIGN = 5
const MIB = 1_048_576

/** MiB that the process may have in memory. */
const memoryMib = Number(process.argv[2])
/** Answers that this process has given: what it held for them may still be there. */
const given = { opened: 0, others: 0 }

process.on('message', (message) => void answer(message))
// Whoever asked is gone.
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

/** Whether the process has done nothing else before, so that all its memory is this document's. */
function isFirst({ kind }: ReaderRequest): boolean {
  return given.others === 0 && given.opened === (kind === 'page' ? 1 : 0)
}

async function replyTo(request: ReaderRequest): Promise<Reply> {
  const reply = await askThread(questionOf(request))
  return reply.kind === 'page' ? { kind: 'page', words: { pages: reply.words === null ? [] : [reply.words] } } : reply
}

/** The thread takes bytes away, which it cannot of a message: so it gets copies. */
function questionOf(request: ReaderRequest): Parameters<typeof askThread>[0] {
  return request.kind === 'page' ? request : { ...request, bytes: new Uint8Array(request.bytes) }
}
