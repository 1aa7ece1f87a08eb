/** Malicious documents: each is read or refused with a reason, and neither the service nor other users wait for it. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePerson, type Person } from '../../../test/support/app.ts'
import { makeGround, type Ground } from '../../../test/support/bills.ts'
import { bombs, slowPdf } from '../../../test/support/bombs.ts'
import { testDatabase, type TestDatabase } from '../../../test/support/cluster.ts'
import { programOn, type Program } from '../../../test/support/launch.ts'
import { billPdf, paperBill, scanPdf } from '../../../test/support/scan-files.ts'
import { readersOf, watchMemory } from '../../../test/support/service-memory.ts'

/** BOMB_PAGE_SECONDS=90 and BOMB_DOCUMENT_SECONDS=1200 are the default limits of the service. */
const pageSeconds = process.env['BOMB_PAGE_SECONDS'] ?? '4'
const documentSeconds = process.env['BOMB_DOCUMENT_SECONDS'] ?? '7'
/** Largest memory of the whole service, including its database. */
const MEMORY_MIB_MAX = 1_500
/** Wall-clock time, on a machine that may be slow and busy. */
const PATIENCE = (Number(documentSeconds) * 6 + 60) * 1_000

interface Service {
  readonly db: TestDatabase['db']
  readonly program: Program
  readonly databaseName: string
  readonly at: Ground
  readonly other: Ground
  readonly staff: Person
  readonly url: string
}

async function serviceWith(environment: Readonly<Record<string, string>>): Promise<Service> {
  const { db, url: databaseUrl } = await testDatabase()
  const program = await programOn(databaseUrl, 'api-process.ts', environment)
  const [at, other, staff, url] = [await makeGround(db), await makeGround(db), await makePerson(db, 'super_admin'), await program.launch()]
  return { db, program, databaseName: new URL(databaseUrl).pathname.slice(1), at, other, staff, url }
}

/** @returns the document's id, or the reason why it was refused. */
async function upload(service: Service, ground: Ground, file: { filename: string; type: string; bytes: Buffer }): Promise<number | string> {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(file.bytes)], file.filename, { type: file.type }))
  const answer = await fetch(`${service.url}/api/v5/clients/${ground.clientId}/bill_scans/upload`, {
    method: 'POST',
    headers: service.staff.headers,
    body: form,
  })
  const { id, message, errors }: { id?: number; message: string; errors?: { full_messages: string[] } } = JSON.parse(await answer.text())
  return id ?? `${answer.status} ${errors?.full_messages[0] ?? message}`
}
const uploadPdf = async (service: Service, ground: Ground, filename: string, bytes: Buffer): Promise<number> =>
  Number(await upload(service, ground, { filename, type: 'application/pdf', bytes }))

interface Row {
  readonly state: string
  readonly lane: string
  readonly error: string | null
  readonly claimed_at: string | null
  readonly set_back: number
  readonly tries: number
  /** CPU milliseconds of its reading. */
  readonly reading_ms: number
}
const row = async ({ db }: Service, id: number): Promise<Row> => {
  const { rows } =
    await sql<Row>`select state, lane, error, claimed_at::text, set_back, tries, reading_ms from bill_scans where id = ${id}`.execute(db)
  return rows[0] ?? { state: 'gone', lane: '', error: null, claimed_at: null, set_back: 0, tries: 0, reading_ms: 0 }
}
const ended = async (service: Service, id: number): Promise<Row> => {
  await expect.poll(async () => (await row(service, id)).state, { timeout: PATIENCE, interval: 50 }).toMatch(/^(read|failed)$/)
  return row(service, id)
}

test('each is read or refused with a reason, and the service stays below 1.5 GB and answers', { timeout: 24 * PATIENCE }, async () => {
  const service = await serviceWith({ READ_PAGE_SECONDS: pageSeconds, READ_DOCUMENT_SECONDS: documentSeconds })
  const memory = watchMemory(service.program.pid(), service.databaseName)
  const table: string[] = []
  const wrong: string[] = []
  let highest = 0
  for (const bomb of await bombs()) {
    memory.forget()
    const began = performance.now()
    const id = await upload(service, service.at, bomb)
    const { state, error, reading_ms } = typeof id === 'number' ? await ended(service, id) : { state: id, error: null, reading_ms: 0 }
    const outcome = error === null ? state : `${state}: ${error}`
    const { all, reader } = memory.peak()
    highest = Math.max(highest, all)
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    table.push(
      `| ${bomb.name} | ${bomb.bytes.length.toLocaleString('en')} | ${outcome} | ${reader} | ${all} | ${(reading_ms / 1_000).toFixed(1)} | ${seconds} |`,
    )
    if (!bomb.outcome.test(outcome)) wrong.push(`${bomb.name}: ${outcome}`)
  }
  memory.stop()
  console.info(['| document | bytes | outcome | reader, MiB | service, MiB | seconds of a processor | seconds |', ...table].join('\n'))
  expect(wrong).toEqual([])
  expect(highest).toBeLessThan(MEMORY_MIB_MAX)
  // An idle service uses this much: proof that the service was measured.
  expect(highest).toBeGreaterThan(200)
  const good = await uploadPdf(service, service.at, 'Good.pdf', await billPdf([paperBill]))
  expect((await ended(service, good)).state).toBe('read')
  expect((await fetch(`${service.url}/livez`)).status).toBe(200)
  const { rows } = await sql`select id from bill_scans where state in ('waiting', 'reading')`.execute(service.db)
  expect(rows).toEqual([])
  await service.program.end('SIGKILL')
})

/** Returns the ids of slow documents whose turn began after this one had begun to wait for recognition. */
const takenSince = async ({ db }: Service, id: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select taken.id from bill_scans taken, bill_scans waiting
    where waiting.id = ${id} and taken.state = 'reading' and taken.lane = 'slow' and taken.claimed_at > waiting.updated_at`.execute(db)
  return rows.map((taken) => taken.id)
}

/**
 * Uploads the document and waits until it is read. Fails if a slow one is taken while it waits. @returns the duration, its
 * CPU time, and the states while waiting.
 */
async function readIn(service: Service, ground: Ground, filename: string, bytes: Buffer): Promise<string> {
  const began = performance.now()
  const seconds = (): string => ((performance.now() - began) / 1_000).toFixed(1)
  const id = await uploadPdf(service, ground, filename, bytes)
  const steps: string[] = []
  const takenBefore = new Set<number>()
  const look = async (): Promise<Row> => {
    const now = await row(service, id)
    const step = `${now.state} ${now.lane}`
    if (steps.at(-1)?.startsWith(step) !== true) steps.push(`${step} ${seconds()}`)
    if (step === 'waiting slow') {
      const taken = await takenSince(service, id)
      // It may have been taken itself since the look.
      if ((await row(service, id)).state === 'waiting') taken.forEach((one) => takenBefore.add(one))
    }
    return now
  }
  await expect.poll(async () => (await look()).state, { timeout: PATIENCE, interval: 50 }).toBe('read')
  expect([...takenBefore], 'slow documents taken while it waited').toEqual([])
  return `${seconds()} s (${((await row(service, id)).reading_ms / 1_000).toFixed(1)} of a processor; ${steps.join(', ')})`
}
const reads = async ({ db }: Service, { clientId }: Ground, lane: string): Promise<number> =>
  (await sql`select id from bill_scans where client_id = ${clientId} and state = 'reading' and lane = ${lane}`.execute(db)).rows.length

test(
  'slow documents do not keep those of another client waiting, neither one with words nor a picture, also where two clients bring slow ones',
  { timeout: 6 * PATIENCE },
  async () => {
    // Each of the slow ones would take all of it.
    const service = await serviceWith({ READ_PAGE_SECONDS: '900', READ_DOCUMENT_SECONDS: '900' })
    const { at, other } = service
    const third = await makeGround(service.db)
    const slow: number[] = []
    const bringSlow = async (ground: Ground): Promise<void> => {
      slow.push(await uploadPdf(service, ground, `Slow ${slow.length}.pdf`, slowPdf()))
    }
    const setBacks = async (): Promise<number> =>
      (await Promise.all(slow.map((id) => row(service, id)))).reduce((sum, { set_back }) => sum + set_back, 0)
    for (let place = 0; place < 4; place += 1) await bringSlow(at)
    await expect.poll(() => reads(service, at, 'quick'), { timeout: PATIENCE, interval: 20 }).toBe(1)
    const words = await readIn(service, other, 'Words.pdf', await billPdf([paperBill]))
    // A slow document is with the slow reader, and is not interrupted by a picture of another client.
    await expect.poll(() => reads(service, at, 'slow'), { timeout: PATIENCE, interval: 50 }).toBe(1)
    const picture = await readIn(service, other, 'Picture.pdf', await scanPdf(['Amount Due 12.34']))
    expect(await setBacks()).toBe(0)
    expect(await reads(service, at, 'slow')).toBe(1)
    // One of two slow documents yields to the other client's.
    await bringSlow(other)
    await expect.poll(() => reads(service, other, 'slow'), { timeout: PATIENCE, interval: 50 }).toBe(1)
    const both = await readIn(service, third, 'Third.pdf', await scanPdf(['Amount Due 56.78']))
    expect(await setBacks()).toBeGreaterThanOrEqual(1)
    console.info(`Beside slow documents of one client: words ${words}, a picture ${picture}. Beside those of two: a picture ${both}.`)
    const after = await Promise.all(slow.map((id) => row(service, id)))
    expect(after.map(({ state }) => state).filter((state) => state === 'waiting' || state === 'reading')).toHaveLength(5)
    await service.program.end('SIGKILL')
  },
)

test(
  'the limit of a document counts over all its tries, also over those of a service that was killed',
  { timeout: 4 * PATIENCE },
  async () => {
    const limit = 9
    const service = await serviceWith({ READ_PAGE_SECONDS: '900', READ_DOCUMENT_SECONDS: String(limit) })
    const id = await uploadPdf(service, service.at, 'Slow.pdf', slowPdf())
    await expect.poll(async () => (await row(service, id)).reading_ms, { timeout: PATIENCE, interval: 50 }).toBeGreaterThan(3_000)
    await service.program.end('SIGKILL')
    const first = (await row(service, id)).reading_ms
    await sql`update bill_scans set heartbeat_at = now() - interval '1 minute' where state = 'reading'`.execute(service.db)
    await service.program.launch()
    const { error, reading_ms } = await ended(service, id)
    console.info(`Of ${limit} seconds of a processor ${first / 1_000} went by before the service was killed, ${reading_ms / 1_000} in all.`)
    expect(error).toContain(`Reading the document took more than ${limit} seconds of a processor.`)
    expect(reading_ms).toBeGreaterThanOrEqual(limit * 1_000)
    // The reader reports its CPU time four times a second.
    expect(reading_ms).toBeLessThan((limit + 1) * 1_000)
    await service.program.end('SIGKILL')
  },
)

test(
  'a document whose reader dies each time is given up, with a reason, though the service is started again',
  { timeout: 4 * PATIENCE },
  async () => {
    const service = await serviceWith({})
    const id = await uploadPdf(service, service.at, 'Deadly.pdf', slowPdf())
    const killer = setInterval(() => readersOf(service.program.pid()).forEach(endIfThere), 20)
    try {
      await expect.poll(async () => (await row(service, id)).tries, { timeout: PATIENCE, interval: 20 }).toBeGreaterThan(0)
      await service.program.end('SIGKILL')
      // As it will be when the run has had no heartbeat for a while.
      await sql`update bill_scans set heartbeat_at = now() - interval '1 minute' where state = 'reading'`.execute(service.db)
      await service.program.launch()
      const { state, error, tries } = await ended(service, id)
      expect(`${state}: ${error}`).toMatch(/^failed: .*stopped/)
      expect(tries).toBeLessThanOrEqual(4)
    } finally {
      clearInterval(killer)
      await service.program.end('SIGKILL')
    }
  },
)

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
