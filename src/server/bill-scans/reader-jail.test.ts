import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { slowPdf, textPdf } from '../../../test/support/bombs.ts'
import { lowerPriority, startReader } from './reader-jail.ts'
import { readerAnswer, type ReaderAnswer } from './reader-message.ts'

/** If the system enforces no memory limit, the process takes only a little. */
const platforms = [
  { platform: 'linux', hoardsMib: 6_000, hoarded: /Array buffer allocation failed/ },
  { platform: 'darwin', hoardsMib: 64, hoarded: /^done$/ },
] as const

test.for(platforms)(
  'a reader’s process started as on $platform writes no file, starts no program, reaches no network, and knows no setting',
  { timeout: 120_000 },
  async ({ platform, hoardsMib, hoarded }) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const script = new URL('../../../test/support/hoarding-process.ts', import.meta.url)
    const child = startReader(300, { script, given: [String(port), String(hoardsMib)], platform })
    const [said]: unknown[] = await once(child, 'message')
    child.kill('SIGKILL')
    server.close()
    expect(said).toMatchObject({ written: 'ERR_ACCESS_DENIED', started: 'ERR_ACCESS_DENIED', connected: 'ERR_ACCESS_DENIED' })
    // On Linux the system itself refuses memory above a limit.
    expect(Object(said)).toMatchObject({ hoarded: expect.stringMatching(hoarded) })
    expect(Number(Reflect.get(Object(said), 'mib'))).toBeLessThan(3_300)
    expect(JSON.stringify(Reflect.get(Object(said), 'environment'))).not.toMatch(/DATABASE_URL|SECRET|SMTP|HOME/)
  },
)

test.for(['linux', 'darwin'] as const)(
  'a process started as on %s that grows above its memory ends itself, and the document is refused for it',
  { timeout: 120_000 },
  async (platform) => {
    const limitMib = 330
    const child = startReader(limitMib, { platform })
    const answers: ReaderAnswer[] = []
    child.on('message', (message) => {
      const answer = readerAnswer.parse(message)
      answers.push(answer)
      if (answer.kind === 'opened') child.send({ kind: 'page', page: 1, recognise: false, seconds: 60 })
    })
    child.send({ kind: 'open', bytes: new Uint8Array(textPdf()), seconds: 60 })
    await expect.poll(() => answers.at(-1)?.kind, { timeout: 60_000 }).toMatch(/^(page|fault)$/)
    await expect.poll(() => child.signalCode).toBe('SIGKILL')
    const last = answers.at(-1)
    expect(last).toMatchObject({ kind: 'fault', fault: 'too_much_memory' })
    expect(last?.resident_mib).toBeGreaterThan(limitMib)
    expect(last?.resident_mib).toBeLessThan(1.5 * limitMib)
  },
)

test.runIf(process.platform === 'linux')('a process that is to leave the processor to others does so with all its threads', async () => {
  const child = startReader(600)
  try {
    child.send({ kind: 'open', bytes: new Uint8Array(slowPdf()), seconds: 60 })
    await once(child, 'message')
    lowerPriority(child, 3)
    const folder = `/proc/${child.pid}/task`
    const threads = readdirSync(folder)
    expect(threads.length).toBeGreaterThan(2)
    // The 19th field; the name in parentheses may contain blanks.
    const niceness = threads.map((thread) =>
      Number(
        readFileSync(`${folder}/${thread}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[16],
      ),
    )
    expect(new Set(niceness)).toEqual(new Set([Math.min(19, getPriority() + 3)]))
  } finally {
    child.kill('SIGKILL')
  }
})
