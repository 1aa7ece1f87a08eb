import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { startReader } from './reader-jail.ts'

test(
  'a reader’s process writes no file, starts no program, reaches no network, knows no setting, and gets memory up to a limit',
  { timeout: 120_000 },
  async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const child = startReader(300, new URL('../../../test/support/hoarding-process.ts', import.meta.url), [String(port)])
    const [said]: unknown[] = await once(child, 'message')
    child.kill('SIGKILL')
    server.close()
    expect(said).toMatchObject({ written: 'ERR_ACCESS_DENIED', started: 'ERR_ACCESS_DENIED', connected: 'ERR_ACCESS_DENIED' })
    expect(Object(said)).toMatchObject({ hoarded: expect.stringMatching(/Array buffer allocation failed/) })
    expect(Number(Reflect.get(Object(said), 'mib'))).toBeLessThan(3_300)
    expect(JSON.stringify(Reflect.get(Object(said), 'environment'))).not.toMatch(/DATABASE_URL|SECRET|SMTP|HOME/)
  },
)
