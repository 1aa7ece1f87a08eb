import { afterAll, expect, test } from 'vitest'
import { textPdf } from '../../../test/support/bombs.ts'
import { ReadingError } from '../bill-reading/bill-reading.ts'
import { leaveDesk, roomFor, takeDesk, whenOthersLeave, type Desk } from './reader-desks.ts'
import { withDocument } from './reader.ts'

const end = new AbortController()
afterAll(() => end.abort())

const bytes = textPdf()
/** Reads a page that needs more and more memory. @returns how it ended. */
function readAt(desk: Desk): Promise<string> {
  const asking = { desk, bytes, seconds: 60, purse: { limit: 60, left: 60 }, signal: end.signal }
  return withDocument(asking, (document) => document.readPage(1, { recognise: false, seconds: 60 })).then(
    () => 'read',
    (error: unknown) => (error instanceof ReadingError ? error.fault : String(error)),
  )
}

test(
  'of two documents that need too much memory together the one that has cost more makes room, and waits for the other',
  { timeout: 180_000 },
  async () => {
    const memoryMib = 512
    const [costly, late] = [await takeDesk('slow', memoryMib), await takeDesk('slow', memoryMib)]
    const first = readAt(costly)
    await expect.poll(() => costly.residentMib, { timeout: 60_000 }).toBeGreaterThan(300)
    const second = readAt(late)
    expect(await first).toBe('stopped')
    expect(costly.room.signal.reason).toBe(roomFor.memory)
    expect(costly.child).toBeNull()
    expect(late.room.signal.aborted).toBe(false)
    late.isBusy = true
    let hasWaited = false
    const waiting = whenOthersLeave(costly).then(() => (hasWaited = true))
    end.abort()
    expect(await second).toBe('stopped')
    expect(hasWaited).toBe(false)
    leaveDesk(late)
    await waiting
    leaveDesk(costly)
  },
)
