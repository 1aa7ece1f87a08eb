/**
 * The real statements of 24 utilities on their whole way: imported, coded to the ledger, batched by month, closed, written into upload files
 * and invoices, and paid to their utilities. For each utility and month the three ledgers must agree to the cent: what the statements charge,
 * what the client is booked, and what the utility is paid. What is charged is computed from the statements by test/support/printed-figures.ts.
 */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeService } from '../../../test/support/bills.ts'
import { makePerson, startTestApp, type Answer, type Method, type Person } from '../../../test/support/app.ts'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'
import { dollars, expectedOf, printedStatements } from '../../../test/support/printed-figures.ts'
import { importRealStatements } from '../../../test/support/real-client.ts'
import { realFiles, realFolder as folder } from '../../../test/support/real-statements.ts'
import { taskOf } from '../../../test/support/retrieval.ts'

const files = realFiles()
const MINUTE_MS = 60_000

describe.skipIf(files.length === 0)('all real statements from import to payment', { timeout: 15 * MINUTE_MS }, async () => {
  const app = files.length === 0 ? null : await startTestApp({ RETRIEVAL_STATEMENTS: folder })
  const person: Person | undefined = app ? await makePerson(app.database.db, 'super_admin') : undefined

  const ask = async (method: Method, path: string, body?: object): Promise<Answer> => {
    const answer = await app?.ask(person ?? null, method, path, body)
    if (!answer) throw new Error('no application')
    expect(answer.status, `${method} ${path} ${answer.text.slice(0, 500)}`).toBe(200)
    return answer
  }
  const ended = (id: unknown) => taskOf((method, path) => ask(method, path), id)

  it('are charged, booked and paid the same for each utility and month, to the cent', async () => {
    if (!app) throw new Error('no application')
    const { db } = app.database
    const clientId = await makeClient(db)
    const path = `/clients/${clientId}`
    await sql`update clients set accounting_batch_management = true, ledger_account_management = true, utility_payment_management = true
      where id = ${clientId}`.execute(db)
    await importRealStatements(ask, clientId, await makeDivision(db, clientId))
    const mended = await giveLines(path, clientId)
    console.log(`${mended} bills charge something and have no service line: each got a service and a line`)
    console.log(`${await completeDrafts(path, clientId)} draft: the value that its statement does not print was typed`)
    await codeToLedger(path, clientId)

    const { rows: parts } = await sql<MonthOfVendor>`select to_char(date, 'YYYY-MM') as month, vendor_id, array_agg(id order by id) as ids,
      (sum(amount_due) * 100)::bigint::text as cents
      from bills where client_id = ${clientId} group by 1, 2 order by 1, 2`.execute(db)
    const months = Map.groupBy(parts, ({ month }) => month)
    for (const [month, own] of months)
      await bookMonth(
        path,
        month,
        own.flatMap(({ ids }) => ids),
      )
    const { payable, credits } = withCredits(months)
    for (const [month, ids] of payable) await payMonth(path, month, ids, clientId)
    console.log(`${credits.length} bills wait: what they credit is more than their vendor charges afterwards`)

    const [charged, booked, paid] = [chargedByMonth(), await bookedByMonth(clientId), await paidByMonth(clientId)]
    const rows = [...charged].map(([key, amount]) => ({ key, charged: amount, booked: booked.get(key) ?? 0n, paid: paid.get(key) ?? 0n }))
    expect([...booked.keys(), ...paid.keys()].filter((key) => !charged.has(key))).toEqual([])
    console.table(
      rows
        .toSorted((a, b) => (a.key < b.key ? -1 : 1))
        .map(({ key, ...sums }) => ({ key, charged: dollars(sums.charged), booked: dollars(sums.booked), paid: dollars(sums.paid) })),
    )
    expect(rows.filter((row) => row.charged !== row.booked)).toEqual([])
    const { rows: waiting } = await sql<{ key: string }>`select distinct vendors.name || ' ' || to_char(bills.date, 'YYYY-MM') as key
      from bills join vendors on vendors.id = bills.vendor_id where bills.client_id = ${clientId} and bills.id = any(${credits}::bigint[])`.execute(
      db,
    )
    const waits = new Set(waiting.map(({ key }) => key))
    expect(rows.filter((row) => row.charged !== row.paid && !waits.has(row.key))).toEqual([])
    expect(rows.filter(({ key }) => waits.has(key)).reduce((sum, row) => sum + row.charged - row.paid, 0n)).toBeLessThanOrEqual(0n)
  })

  /** Statements without a meter make bills without lines, which no batch closes with. A clerk gives each a service and a line, as here. */
  async function giveLines(path: string, clientId: number): Promise<number> {
    if (!app) throw new Error('no application')
    const { db } = app.database
    const { rows } = await sql<{ id: number; account_id: number; charges: string; from: string; to: string }>`
      select id, billable_account_id as account_id, (current_charges + late_fee)::text as charges, previous_read_date::text as from, read_date::text as to
      from bills where client_id = ${clientId} and current_charges + late_fee <> 0
        and not exists (select from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id) order by id`.execute(
      db,
    )
    for (const { id, account_id, charges, from, to } of rows) {
      const service_id = await makeService(db, clientId, account_id, 'electric', `WITHOUT-${id}`)
      const line = { service_id, previous_read_date: from, read_date: to, usage: '0' }
      await ask('PATCH', `${path}/bills/${id}`, {
        bill: { service_bills_attributes: [{ ...line, service_bill_entry_fields: [{ name: 'Utility Charges', value: charges }] }] },
      })
    }
    return rows.length
  }

  /** Types 0 for each required value that a statement does not print, and answers how many bills were drafts. */
  async function completeDrafts(path: string, clientId: number): Promise<number> {
    if (!app) throw new Error('no application')
    const { rows: drafts } = await sql<{
      id: number
      line: number
      name: string
    }>`select bills.id, line.id as line, split_part(missing, '.', 3) as name
      from bills, unnest(missing_fields) as missing, service_bills line
      where bills.client_id = ${clientId} and line.client_id = bills.client_id and line.bill_id = bills.id
        and missing like 'service_bills.' || line.position || '.%' order by bills.id`.execute(app.database.db)
    for (const { id, line, name } of drafts) {
      const service_bill_usage_factors = [{ name, value: '0' }]
      await ask('PATCH', `${path}/bills/${id}`, { bill: { service_bills_attributes: [{ id: line, service_bill_usage_factors }] } })
    }
    return new Set(drafts.map(({ id }) => id)).size
  }

  /** Gives each utility service a ledger account of its own, each vendor checks, and the client its clearing accounts, by the calls of a person. */
  async function codeToLedger(path: string, clientId: number): Promise<void> {
    if (!app) throw new Error('no application')
    const { db } = app.database
    const ledgerAccount = async (name: string): Promise<number> =>
      Number((await ask('POST', `${path}/ledger_accounts`, { ledger_account: { name } })).body['id'])
    const { rows: services } = await sql<{ kind: string; id: number; at: string }>`select utility.name as kind, services.id,
        case when billable_account_id is null then 'supply_accounts/' || supply_account_id else 'billable_accounts/' || billable_account_id end as at
      from services join utility_services utility on utility.id = services.utility_service_id
      where services.client_id = ${clientId} order by utility.name, services.id`.execute(db)
    for (const [kind, own] of Map.groupBy(services, (service) => service.kind)) {
      const ledger_account_id = await ledgerAccount(`6100 ${kind}`)
      for (const { id, at } of own) await ask('PATCH', `${path}/${at}/services/${id}`, { service: { ledger_account_id } })
    }
    await ask('PATCH', `${path}/ledger_settings`, {
      ledger_setting: {
        payable_ledger_account_id: await ledgerAccount('2000 Payable'),
        prior_balance_ledger_account_id: await ledgerAccount('2100 Prior Balance'),
        batch_flagged_bills: true,
      },
    })
    console.log(`${services.length} services were coded to ledger accounts`)
    const { rows: methods } = await sql<{ id: number }>`select id from payment_methods where name = 'Check'`.execute(db)
    const { rows: vendors } = await sql<{
      id: number
    }>`select distinct vendor_id as id from bills where client_id = ${clientId} order by 1`.execute(db)
    for (const { id } of vendors) await ask('PATCH', `/vendors/${id}`, { vendor: { payment_method_ids: [methods[0]?.id] } })
  }

  async function bookMonth(path: string, month: string, bill_ids: readonly number[]): Promise<void> {
    const at = `${path}/accounting_batches`
    const id = Number((await ask('POST', at, { accounting_batch: { batch_code: month, bill_ids } })).body['id'])
    await ask('PATCH', `${at}/${id}`, { accounting_batch: { closed: true } })
    for (const file of ['generate_upload_file', 'generate_invoice_pdf']) {
      const task = await ended((await ask('GET', `${at}/${id}/${file}`)).body['task_id'])
      expect(task, `${file} of ${month}`).toMatchObject({ state: 'done' })
    }
    const { accounting_batch: batch } = z
      .object({ accounting_batch: z.object({ bills_total: z.string(), invoiced: z.literal(true) }) })
      .parse((await ask('PATCH', `${at}/${id}`, { accounting_batch: { invoiced: true } })).body)
    await expectPapers(path, id, batch.bills_total)
  }

  /** The invoice asks for the total of the bills, and the credits of the upload file less its debits are what the vendors are owed. */
  async function expectPapers(path: string, id: number, bills_total: string): Promise<void> {
    if (!app) throw new Error('no application')
    const files = z
      .object({ files: z.array(z.object({ kind: z.string(), total: z.string() })) })
      .parse((await ask('GET', `${path}/accounting_batches/${id}/files`)).body)
    expect(files.files.filter(({ kind }) => kind === 'invoice')).toEqual([{ kind: 'invoice', total: bills_total }])
    const { rows } =
      await sql`select (-sum(amount) filter (where kind = 'payable'))::numeric(14,2) as owed, sum(amount) filter (where amount > 0) as debits
      from gl_lines where accounting_batch_id = ${id}`.execute(app.database.db)
    const [upload] = files.files.filter(({ kind }) => kind === 'upload')
    expect(rows).toEqual([{ owed: bills_total, debits: upload?.total }])
  }

  async function payMonth(path: string, month: string, bill_ids: readonly number[], clientId: number): Promise<void> {
    const at = `${path}/payment_batches`
    const head = { payer_type: 'Client', payer_id: clientId, batch_date: '2026-11-02', bills_due_date: '2026-11-16', notes: month }
    const id = Number((await ask('POST', at, { payment_batch: { ...head, bill_ids } })).body['id'])
    const { vendor_payments } = z
      .object({ vendor_payments: z.array(z.object({ id: z.number() })) })
      .parse((await ask('GET', `${at}/${id}/vendor_payments?per=200`)).body)
    for (const payment of vendor_payments) {
      const vendor_payment = { payment_date: '2026-11-05', check_number: `${10_000 + payment.id}` }
      await ask('PATCH', `${at}/${id}/vendor_payments/${payment.id}`, { vendor_payment })
    }
    await ask('PATCH', `${at}/${id}`, { payment_batch: { closed: true } })
  }

  /** Cents by utility and month that the frozen ledger lines credit to the payable account. */
  async function bookedByMonth(clientId: number): Promise<Map<string, bigint>> {
    return centsOf(sql`select vendors.name || ' ' || to_char(bills.date, 'YYYY-MM') as key, (-sum(line.amount) * 100)::bigint::text as cents
      from gl_lines line join bills on bills.client_id = line.client_id and bills.id = line.bill_id join vendors on vendors.id = bills.vendor_id
      where line.client_id = ${clientId} and line.kind = 'payable' group by 1`)
  }

  /** Cents in paid vendor batches, by utility and month. */
  async function paidByMonth(clientId: number): Promise<Map<string, bigint>> {
    return centsOf(sql`select vendors.name || ' ' || to_char(bills.date, 'YYYY-MM') as key, (sum(held.amount_paid) * 100)::bigint::text as cents
      from payment_batch_bills held join payment_batches batch on batch.client_id = held.client_id and batch.id = held.payment_batch_id
      join bills on bills.client_id = held.client_id and bills.id = held.bill_id join vendors on vendors.id = bills.vendor_id
      where held.client_id = ${clientId} and held.released_at is null and batch.is_paid group by 1`)
  }

  async function centsOf(statement: ReturnType<typeof sql>): Promise<Map<string, bigint>> {
    if (!app) throw new Error('no application')
    const { rows } = await statement.execute(app.database.db)
    const sums = z.array(z.object({ key: z.string(), cents: z.string() })).parse(rows)
    return new Map(sums.map(({ key, cents }) => [key, BigInt(cents)]))
  }
})

interface MonthOfVendor {
  readonly month: string
  readonly vendor_id: number
  readonly ids: readonly number[]
  readonly cents: string
}

/**
 * Ids of the bills that each month pays. A vendor that credits more than it charges is not paid; its bills go with the first later month in
 * which the vendor is owed something. `credits` are the bills for which no such month comes.
 */
function withCredits(months: ReadonlyMap<string, readonly MonthOfVendor[]>) {
  const held = new Map<number, { ids: readonly number[]; cents: bigint }>()
  const payable = [...months].map(([month, parts]) => {
    const ids = parts.flatMap((part) => {
      const before = held.get(part.vendor_id) ?? { ids: [], cents: 0n }
      const all = { ids: [...before.ids, ...part.ids], cents: before.cents + BigInt(part.cents) }
      if (all.cents > 0n) held.delete(part.vendor_id)
      else held.set(part.vendor_id, all)
      return all.cents > 0n ? all.ids : []
    })
    return [month, ids] as const
  })
  return { payable: payable.filter(([, ids]) => ids.length > 0), credits: [...held.values()].flatMap(({ ids }) => ids) }
}

/** Cents by utility and month that the statements themselves charge. */
function chargedByMonth(): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const one of printedStatements()) {
    const expected = expectedOf(one)
    if (expected === null) continue
    const key = `${one.utility} ${(one.statement_date ?? one.interval_end).slice(0, 7)}`
    sums.set(key, (sums.get(key) ?? 0n) + expected.due)
  }
  return sums
}
