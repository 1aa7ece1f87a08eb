/** A virus scanner that speaks clamd's INSTREAM and knows one virus, the EICAR test string; and a real clamd, if one is installed. */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEndOfFile } from './end-of-file.ts'

/** In parts, because scanners would take this file for a virus otherwise. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR', '-STANDARD-ANTIVIRUS-', 'TEST-FILE!$H+H*'].join('')

/** How it answers: correctly; never; with an error; by closing the connection; before everything has arrived; endlessly. */
export type ScannerMood = 'well' | 'silent' | 'in trouble' | 'breaks off' | 'takes no more' | 'babbles'

export interface StandInScanner {
  readonly address: string
  mood: ScannerMood
  /** Sizes of the scanned contents, and the longest chunk that arrived. */
  readonly looked: number[]
  longestChunk: number
}

const command = Buffer.from('zINSTREAM\0')

/** Listens until the test file ends; on a free port, or on a socket at this path. */
export async function startStandInScanner(path?: string): Promise<StandInScanner> {
  const scanner: StandInScanner & { address: string } = { address: '', mood: 'well', looked: [], longestChunk: 0 }
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    listenTo(socket, scanner)
  })
  await new Promise<void>((resolve) => (path === undefined ? server.listen(0, '127.0.0.1', resolve) : server.listen(path, resolve)))
  atEndOfFile(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const at = server.address()
  scanner.address = typeof at === 'object' && at ? `127.0.0.1:${at.port}` : (path ?? '')
  return scanner
}

function listenTo(socket: Socket, scanner: StandInScanner): void {
  let waiting = Buffer.alloc(0)
  let begun = false
  let bytes = 0
  let tail = Buffer.alloc(0)
  let found = false
  const take = (): void => {
    if (!begun) {
      if (waiting.length < command.length) return
      if (!waiting.subarray(0, command.length).equals(command)) return void socket.end('UNKNOWN COMMAND\0')
      begun = true
      waiting = waiting.subarray(command.length)
    }
    while (waiting.length >= 4) {
      const length = waiting.readUInt32BE(0)
      if (length === 0) return answer()
      if (waiting.length < 4 + length) return
      const chunk = waiting.subarray(4, 4 + length)
      waiting = waiting.subarray(4 + length)
      bytes += length
      scanner.longestChunk = Math.max(scanner.longestChunk, length)
      const seen = Buffer.concat([tail, chunk])
      found ||= seen.includes(eicar)
      tail = Buffer.from(seen.subarray(-eicar.length))
      if (scanner.mood === 'takes no more') return void socket.end('INSTREAM size limit exceeded. ERROR\0')
    }
  }
  const answer = (): void => {
    scanner.looked.push(bytes)
    if (scanner.mood === 'silent') return
    if (scanner.mood === 'breaks off') return void socket.destroy()
    if (scanner.mood === 'babbles') return void socket.write('stream: O'.repeat(1_000))
    socket.end(
      scanner.mood === 'in trouble' ? 'Can not allocate memory ERROR\0' : `stream: ${found ? 'Eicar-Test-Signature FOUND' : 'OK'}\0`,
    )
  }
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    take()
  })
}

/** Returns the clamd that `CLAMD_PATH` names or that is on the path. */
export function installedClamd(): string | undefined {
  const said = process.env['CLAMD_PATH']
  const places = said === undefined ? (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'clamd')) : [said]
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Starts a real clamd that knows only the EICAR test string, until the test file ends. @returns its address, a socket's path. */
export async function startClamd(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-clamd-'))
  const socket = join(folder, 'clamd.socket')
  await writeFile(join(folder, 'eicar.ndb'), `Eicar-Test-Signature:0:0:${Buffer.from(eicar).toString('hex')}\n`)
  const settings = [
    `LocalSocket ${socket}`,
    `DatabaseDirectory ${folder}`,
    `TemporaryDirectory ${folder}`,
    'Foreground yes',
    'MaxThreads 4',
  ]
  await writeFile(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`)
  const clamd = spawn(program, ['--config-file', join(folder, 'clamd.conf')], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  clamd.stdout.on('data', (text: Buffer) => (said += text.toString()))
  clamd.stderr.on('data', (text: Buffer) => (said += text.toString()))
  atEndOfFile(async () => {
    clamd.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  for (let tries = 0; tries < 600; tries++) {
    if (await answers(socket)) return socket
    if (clamd.exitCode !== null) break
    await sleep(100)
  }
  throw new Error(`clamd did not start: ${said}`)
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
