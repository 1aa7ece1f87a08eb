/** Scans bytes for viruses with clamd, through its INSTREAM command. Memory stays flat, and any unclear answer is a failure. */
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Scanner, ScanVerdict } from '../machinery.ts'

/** Address at which clamd listens. */
export type ScannerAddress = { readonly host: string; readonly port: number } | { readonly path: string }

export interface ScanPatience {
  readonly connectMs: number
  /** Longest time without progress: no byte accepted and no word answered. */
  readonly idleMs: number
}

const usualPatience: ScanPatience = { connectMs: 3_000, idleMs: 30_000 }
/** An answer is one short line. A longer answer does not come from a scanner. */
const answerBytesMax = 4_096
const commandLine = Buffer.from('zINSTREAM\0')
const endOfStream = Buffer.alloc(4)

/** Creates a client for the scanner at this address. Each scan uses its own connection, since clamd closes a connection after an error. */
export function createScanner(address: ScannerAddress, patience = usualPatience): Scanner {
  return { scan: (content) => scan(address, content, patience) }
}

/** Parses `clamav:3310`, `[::1]:3310` or `/run/clamav/clamd.ctl`. Returns undefined for anything else. */
export function scannerAddressOf(text: string): ScannerAddress | undefined {
  if (/^\/./.test(text)) return { path: text }
  const [, inBrackets, name, digits] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = inBrackets ?? name
  const number = Number(digits)
  return host !== undefined && number >= 1 && number <= 65_535 ? { host, port: number } : undefined
}

async function scan(address: ScannerAddress, content: Readable, patience: ScanPatience): Promise<ScanVerdict> {
  const socket = connect(address)
  const answer = answerOf(socket, patience)
  const sent = pipeline(content, framed, socket, { end: false })
  try {
    // clamd may answer before everything is sent, if it accepts no more; and a source may fail before clamd answers.
    return verdictOf(await Promise.race([answer, sent.then(() => answer)]))
  } finally {
    socket.destroy()
    content.destroy()
    await Promise.allSettled([answer, sent])
  }
}

/** Prefixes each chunk with its length. An empty chunk would mark the end. */
async function* framed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield commandLine
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    yield length
    yield chunk
  }
  yield endOfStream
}

/** Reads the scanner's answer up to its NUL. Throws if the scanner does not answer in time, breaks off or sends too much. */
function answerOf(socket: Socket, { connectMs, idleMs }: ScanPatience): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = Buffer.alloc(0)
    socket.setTimeout(connectMs)
    socket.once('connect', () => void socket.setTimeout(idleMs))
    socket.once('timeout', () => reject(new Error('the virus scanner does not answer in time')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the virus scanner broke off')))
    socket.on('data', (chunk: Buffer) => {
      said = Buffer.concat([said, chunk])
      const end = said.indexOf(0)
      if (end >= 0) resolve(said.toString('utf8', 0, end))
      else if (said.length > answerBytesMax) reject(new Error('the virus scanner answers what is no answer'))
    })
  })
}

function verdictOf(answer: string): ScanVerdict {
  if (answer === 'stream: OK') return { clean: true }
  const [, found] = /^stream: (.+) FOUND$/.exec(answer) ?? []
  if (found === undefined) throw new Error(`the virus scanner says ${JSON.stringify(answer.slice(0, 200))}`)
  return { clean: false, found }
}
