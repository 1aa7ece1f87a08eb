/**
 * Every real statement of 24 utilities, through the API into one new client. The expected sums are computed here from the raw JSON with bigint
 * arithmetic, so that they share no code with what they check.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { taskOf } from '../../../test/support/retrieval.ts'

const folder = process.env['REAL_STATEMENTS'] ?? join(import.meta.dirname, '../../../../shared/data/statements')
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ndjson')) : []
if (files.length === 0) console.warn(`SKIPPED: no real statements in ${folder}; set REAL_STATEMENTS to the folder that holds them`)

const rawCharge = z.object({ amount: z.string() })
const rawStatement = z.object({
  utility: z.string(),
  new_charges: z.string().nullable(),
  amount_due: z.string().nullable(),
  charges: z.array(rawCharge),
  meters: z.array(z.object({ charges: z.array(rawCharge) })),
})
type Raw = z.infer<typeof rawStatement>

describe.skipIf(files.length === 0)('all real statements in one new client', { timeout: 400_000 }, async () => {
  const app = files.length === 0 ? null : await startTestApp({ RETRIEVAL_STATEMENTS: folder })
  const db = app?.database.db
  let person: Person | undefined
  let path = ''
  const ask = async (method: 'GET' | 'POST', address: string, body?: object) => {
    const answer = await app?.ask(person ?? null, method, address, body)
    if (!answer) throw new Error('no application')
    expect(answer.status, `${method} ${address} ${answer.text.slice(0, 300)}`).toBeLessThan(500)
    return answer
  }
  const task = (id: unknown) => taskOf((method, address) => ask(method, address), id)

  it('are fetched, imported with new accounts, and keep every utility’s sums [IMPORT-API-010] [IMPORT-API-012] [IMPORT-TRANS-001]', async () => {
    if (!db) throw new Error('no database')
    person = await makePerson(db, 'super_admin')
    const clientId = await makeClient(db)
    const divisionId = await makeDivision(db, clientId)
    path = `/clients/${clientId}`
    let at = Date.now()
    const clock = (what: string): void => {
      console.log(`${what}: ${((Date.now() - at) / 1_000).toFixed(1)} s`)
      at = Date.now()
    }
    const fetched = await task((await ask('POST', `${path}/bill_retrieval/fetch`)).body['task_id'])
    clock('fetch of 2,299 statements')
    expect(fetched).toMatchObject({ state: 'done', result: { listed: 2299, fetched: 2299, failed: 0 } })
    const needed = z
      .object({ total: z.number(), utilities: z.array(z.object({ provider_name: z.string() })) })
      .parse((await ask('GET', `${path}/bill_retrieval/accounts_needed`)).body)
    clock('accounts needed')
    const facility = { name: 'Campus', number: '1', division_id: divisionId }
    const new_accounts = needed.utilities.map(({ provider_name }) => ({
      provider_name,
      new_vendor: { name: provider_name, short_code: provider_name.slice(0, 40) },
      new_facility: facility,
    }))
    const started = await ask('POST', `${path}/bills/retrieval_import`, {
      all_matching: true,
      filter: { q: { state_in: ['needs_account'] } },
      new_accounts,
    })
    expect(started.body).toMatchObject({ success: true, message: 'Starting Import Process' })
    const imported = await task(started.body['task_id'])
    clock('import')
    console.log(JSON.stringify({ ...imported.result, records: undefined }))
    expect(imported).toMatchObject({ state: 'done', result: { created: 2188, refused: 0, duplicate: 0 } })
    const sums = await sumsOfBills(clientId)
    for (const [utility, expected] of expectedSums()) expect(sums.get(utility), utility).toEqual(expected)
    const rest = await ask('GET', `${path}/bill_retrieval/statements?q[state]=ignored&per=200`)
    expect(rest.body['total']).toBe(111)
    const records = z.array(z.object({ reason: z.string().min(20) })).parse(rest.body['records'])
    expect(records).toHaveLength(111)
  })

  it('make nothing twice when they are imported again [IMPORT-API-012]', async () => {
    const again = await task((await ask('POST', `${path}/bills/retrieval_import`, { all_matching: true })).body['task_id'])
    expect(again).toMatchObject({ state: 'done', result: { created: 0, before: 2188 } })
    const bills = await ask('GET', `${path}/bills`)
    expect(bills.body['total']).toBe(2188)
  })

  async function sumsOfBills(clientId: number): Promise<Map<string, { current: bigint; due: bigint }>> {
    if (!db) throw new Error('no database')
    const { rows } = await sql<{
      utility: string
      current: string
      due: string
    }>`select vendors.name as utility, (sum(current_charges) * 100)::bigint::text as current, (sum(amount_due) * 100)::bigint::text as due
      from bills join vendors on vendors.id = bills.vendor_id where bills.client_id = ${clientId} group by vendors.name`.execute(db)
    return new Map(rows.map((row) => [row.utility, { current: BigInt(row.current), due: BigInt(row.due) }]))
  }
})

function expectedSums(): Map<string, { current: bigint; due: bigint }> {
  const sums = new Map<string, { current: bigint; due: bigint }>()
  for (const name of files) {
    for (const line of readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((text) => text.trim() !== '')) {
      const raw = rawStatement.parse(JSON.parse(line))
      if (raw.amount_due === null) continue
      const sum = sums.get(raw.utility) ?? { current: 0n, due: 0n }
      sums.set(raw.utility, { current: sum.current + currentOf(raw), due: sum.due + cents(raw.amount_due) })
    }
  }
  return sums
}

/** Some sources print 0.00 where they had no figure; the printed lines say it then. */
function currentOf(raw: Raw): bigint {
  const charges = [...raw.charges, ...raw.meters.flatMap((meter) => meter.charges)]
  const isUnknown = raw.new_charges === '0.00' && charges.length > 0
  return isUnknown ? charges.reduce((sum, charge) => sum + cents(charge.amount), 0n) : cents(raw.new_charges ?? '0.00')
}

function cents(wire: string): bigint {
  return BigInt(wire.replace('.', ''))
}
