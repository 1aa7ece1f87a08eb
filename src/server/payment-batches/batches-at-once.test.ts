/** Two people, or fifty, who do opposite things to the bills of client batches and vendor batches at the same moment: one wins as a whole. */
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { startTestApp, type Answer } from '../../../test/support/app.ts'
import { atEndOfFile } from '../../../test/support/end-of-file.ts'
import { diceOf } from '../../../test/support/dice.ts'
import { makeLedgerAccount } from '../../../test/support/estate.ts'
import { brokenInClientBatches, brokenInVendorBatches, expectNoneBroken } from '../../../test/support/money-invariants.ts'
import { makePaymentWorld, type PaymentWorld } from '../../../test/support/payments.ts'
import { openDatabase } from '../kernel/postgres/database.ts'

const app = await startTestApp()
const { db } = app.database
const seed = Number(process.env['BATCH_SEED'] ?? Date.now() % 1_000_000_007)
/** How often two people meet: who comes first differs from time to time. */
const MEETINGS = Number(process.env['BATCH_MEETINGS'] ?? 4)
const SELECTIONS = 50

/** A client whose services all have a ledger account, and the calls of its two kinds of batches. */
async function makeKinds(ask = app.ask) {
  const world = await makePaymentWorld(app)
  const { clientId } = world.ground
  await sql`update clients set ledger_account_management = true where id = ${clientId}`.execute(db)
  await sql`update services set ledger_account_id = ${await makeLedgerAccount(db, clientId, '6100 Utilities')} where client_id = ${clientId}`.execute(
    db,
  )
  const of = (kind: 'accounting_batch' | 'payment_batch', head: () => object) => {
    const at = `/clients/${clientId}/${kind}es`
    return {
      at,
      make: (bill_ids: readonly number[]) => ask(world.admin, 'POST', at, { [kind]: { ...head(), bill_ids } }),
      change: (id: number, values: object) => ask(world.admin, 'PATCH', `${at}/${id}`, { [kind]: values }),
      remove: (id: number) => ask(world.admin, 'DELETE', `${at}/${id}`),
      billsOf: async (id: number): Promise<number[]> => {
        const { text } = await app.ask(world.admin, 'GET', `${at}/${id}`)
        const answer: Record<string, { bill_ids: number[] }> = JSON.parse(text)
        return answer[kind]?.bill_ids ?? []
      },
      count: async (): Promise<unknown> => {
        const { text } = await app.ask(world.admin, 'GET', `${at}?per=200`)
        const answer: Record<string, unknown[]> = JSON.parse(text)
        return answer[`${kind}es`]?.length
      },
    }
  }
  let code = 0
  return {
    world,
    client: of('accounting_batch', () => ({ batch_code: `AT-ONCE-${++code}` })),
    vendor: of('payment_batch', () => ({
      payer_type: 'Client',
      payer_id: clientId,
      batch_date: '2026-11-02',
      bills_due_date: '2026-11-16',
    })),
  }
}

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b)
const idOf = ({ body }: Answer): number => Number(body['id'])

async function makeBills({ makeBill }: PaymentWorld, count: number): Promise<number[]> {
  const bills: number[] = []
  for (let month = 1; month <= count; month++) bills.push(await makeBill(month))
  return bills
}

async function expectWhole(): Promise<void> {
  await expectNoneBroken(db, brokenInVendorBatches)
  await expectNoneBroken(db, brokenInClientBatches)
}

describe.each(['client', 'vendor'] as const)('bills that several people batch at once in %s batches', (kind) => {
  it('go to one of two people; the other is told which bill has gone where, and has no batch', async () => {
    const { world, ...kinds } = await makeKinds()
    const { make, billsOf, count } = kinds[kind]
    const bills = await makeBills(world, MEETINGS)
    for (const bill of bills) {
      const answers = await Promise.all([make([bill]), make([bill])])
      expect(statuses(answers)).toEqual([200, 409])
      const lost = answers.find(({ status }) => status === 409)
      expect(lost?.body['message']).toMatch(/^1 bill cannot be .*, \d\d\/05\/20\d\d \(In (client|vendor) batch /)
      expect(lost?.body['record_id']).toBe(bill)
      expect(await billsOf(idOf(answers.find(({ status }) => status === 200) ?? answers[0]))).toEqual([bill])
    }
    expect(await count()).toBe(MEETINGS)
    await expectWhole()
  })

  it('of fifty overlapping selections in random orders go to one batch each, and no selection is taken in part', async () => {
    console.log(`${kind} overlaps: seed ${seed}`)
    const dice = diceOf(seed)
    const { world, ...kinds } = await makeKinds()
    const { make, billsOf, count } = kinds[kind]
    const bills = await makeBills(world, 12)
    const selections = Array.from({ length: SELECTIONS }, () => bills.filter(() => dice(4) === 0).toSorted(() => dice(3) - 1)).filter(
      (ids) => ids.length > 0,
    )
    const answers = await Promise.all(selections.map(async (ids) => ({ ids, answer: await make(ids) })))
    expect(answers.map(({ answer }) => answer).filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const won = answers.filter(({ answer }) => answer.status === 200)
    expect(won.length).toBeGreaterThan(0)
    expect(won.length).toBeLessThan(answers.length)
    for (const { ids, answer } of won) expect(await billsOf(idOf(answer))).toEqual(ids.toSorted((a, b) => a - b))
    for (const { answer } of answers) if (answer.status === 409) expect(answer.text).toMatch(/In (client|vendor) batch/)
    expect(new Set(won.flatMap(({ ids }) => ids)).size).toBe(won.flatMap(({ ids }) => ids).length)
    expect(await count()).toBe(won.length)
    await expectWhole()
  })

  it('are added before the batch closes or not at all: what is in a closed batch is paid or booked by it', async () => {
    const { world, ...kinds } = await makeKinds()
    const { make, change, billsOf } = kinds[kind]
    const met = { added: 0, refused: 0 }
    for (let meeting = 1; meeting <= MEETINGS; meeting++) {
      const [first, second] = [await world.makeBill(2 * meeting - 1), await world.makeBill(2 * meeting)]
      const id = idOf(await make([first]))
      if (kind === 'vendor') await world.numberPayments(id)
      const [added, closed] = await Promise.all([change(id, { bill_ids: [first, second] }), change(id, { closed: true })])
      expect([added.status, closed.status]).toEqual([expect.toBeOneOf([200, 422]), 200])
      const isIn = added.status === 200
      met[isIn ? 'added' : 'refused'] += 1
      expect(await billsOf(id)).toEqual(isIn ? [first, second] : [first])
      const { rows } =
        await sql`select paid, exists (select 1 from gl_lines line where line.client_id = bills.client_id and line.bill_id = bills.id) as booked
        from bills where client_id = ${world.ground.clientId} and id = ${second}`.execute(db)
      expect(rows).toEqual([{ paid: isIn && kind === 'vendor', booked: isIn && kind === 'client' }])
    }
    console.log(`${kind}: a bill met a close ${JSON.stringify(met)}`)
    await expectWhole()
  })

  it('stay in a batch that is closed first, and are free where it is deleted first', async () => {
    const { world, ...kinds } = await makeKinds()
    const { make, change, remove } = kinds[kind]
    for (const bill of await makeBills(world, MEETINGS)) {
      const id = idOf(await make([bill]))
      if (kind === 'vendor') await world.numberPayments(id)
      const [removed, closed] = await Promise.all([remove(id), change(id, { closed: true })])
      expect([removed.status, closed.status]).toSatisfy(([one, other]) => (one === 200 && other === 404) || (one === 409 && other === 200))
      const { rows } = await sql<{
        held: boolean
        done: boolean
      }>`select coalesce(accounting_batch_id, vendor_payment_id) is not null as held,
          paid or exists (select 1 from gl_lines line where line.client_id = bills.client_id and line.bill_id = bills.id) as done
        from bills where client_id = ${world.ground.clientId} and id = ${bill}`.execute(db)
      expect(rows).toEqual([{ held: closed.status === 200, done: closed.status === 200 }])
    }
    await expectWhole()
  })

  it('are paid or booked once where two people close the batch at once', async () => {
    const { world, ...kinds } = await makeKinds()
    const { make, change } = kinds[kind]
    for (const bill of await makeBills(world, MEETINGS)) {
      const id = idOf(await make([bill]))
      if (kind === 'vendor') await world.numberPayments(id)
      const answers = await Promise.all([change(id, { closed: true }), change(id, { closed: true })])
      expect(statuses(answers)).toEqual([200, 200])
      const { rows } =
        await sql`select (select count(*)::int from gl_lines where client_id = ${world.ground.clientId} and bill_id = ${bill} and kind = 'payable') as booked,
          (select count(*)::int from audit_records where client_id = ${world.ground.clientId} and item_type = 'bill' and item_id = ${bill}
            and object_changes->'paid'->>'to' = 'true') as paid`.execute(db)
      expect(rows).toEqual([{ booked: kind === 'client' ? 1 : 0, paid: kind === 'vendor' ? 1 : 0 }])
    }
    await expectWhole()
  })

  it('are in whole batches or in none where requests wait for few connections, and where sessions are ended meanwhile', async () => {
    const few = openDatabase({ url: app.database.url, size: 2 })
    atEndOfFile(few.close)
    const second = await startTestApp({}, { ...few, url: app.database.url })
    const { world, ...kinds } = await makeKinds(second.ask)
    const { make, billsOf, count } = kinds[kind]
    const bills = await makeBills(world, 24)
    const answers: { readonly ids: readonly number[]; readonly answer: Answer }[] = []
    const pairs = Array.from({ length: bills.length / 2 }, (_, place) => bills.slice(2 * place, 2 * place + 2))
    const sending = Promise.all([...pairs, ...pairs].map(async (ids) => answers.push({ ids, answer: await make(ids) })))
    for (let cut = 0; cut < 4; cut++) {
      await vi.waitFor(() => expect(answers.length).toBeGreaterThanOrEqual(cut * 4), { timeout: 20_000, interval: 5 })
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'meterbook'
        and pid <> pg_backend_pid() and xact_start is not null`.execute(db)
    }
    await sending
    const all = answers.map(({ answer }) => answer)
    console.log(`${kind} batches over two connections that are cut: answers ${statuses(all).join(' ')}`)
    expect(all.filter(({ status }) => ![200, 409, 503].includes(status)).map(({ text }) => text)).toEqual([])
    const done = answers.filter(({ answer }) => answer.status === 200)
    for (const { ids, answer } of done) expect(await billsOf(idOf(answer))).toEqual(ids)
    // A commit whose answer was cut off leaves a whole batch without a message to anybody.
    const { clientId } = world.ground
    const { rows } = await sql<{ bills: number[] }>`select array_agg(bill order by bill) as bills from (
        select bill_id as bill, payment_batch_id as batch from payment_batch_bills where client_id = ${clientId} and released_at is null
        union all select id, accounting_batch_id from bills where client_id = ${clientId} and accounting_batch_id is not null) held
      group by batch`.execute(db)
    expect(rows.length).toBeGreaterThanOrEqual(done.length)
    for (const { bills: own } of rows) expect(pairs).toContainEqual(own)
    expect(await count()).toBe(rows.length)
    await expectWhole()
  })
})

describe('two people at one vendor batch', () => {
  it('pay the amount that is typed in time; one that is typed after the close is refused', async () => {
    const { world, vendor } = await makeKinds()
    const met = { typed: 0, refused: 0 }
    for (const bill of await makeBills(world, MEETINGS)) {
      const id = idOf(await vendor.make([bill]))
      await world.numberPayments(id)
      const typing = vendor.change(id, { bill_amounts: [{ bill_id: bill, amount_paid: '7.05' }] })
      const [typed, closed] = await Promise.all([typing, vendor.change(id, { closed: true })])
      expect([typed.status, closed.status]).toEqual([expect.toBeOneOf([200, 422]), 200])
      met[typed.status === 200 ? 'typed' : 'refused'] += 1
      const { rows } = await sql`select paid, amount_paid = 7.05 as "isTyped", amount_paid = (select amount_paid from payment_batch_bills
          where client_id = bills.client_id and bill_id = bills.id and released_at is null) as "isStored"
        from bills where client_id = ${world.ground.clientId} and id = ${bill}`.execute(db)
      expect(rows).toEqual([{ paid: true, isTyped: typed.status === 200, isStored: true }])
    }
    console.log(`an amount met a close: ${JSON.stringify(met)}`)
    await expectWhole()
  })

  it('reverse a payment once, and a payment that is reversed while its batch opens again is reversed or stays paid as a whole', async () => {
    const { world, vendor } = await makeKinds()
    for (let meeting = 0; meeting < MEETINGS; meeting++) {
      const id = await world.paid([await world.makeBill(2 * meeting + 1), await world.makeBill(2 * meeting + 2)])
      const [payment] = await world.paymentsOf(id)
      const reverse = () =>
        app.ask(world.admin, 'POST', `${vendor.at}/${id}/vendor_payments/${payment?.id}/reverse`, {
          payment_reversal: { kind: 'void_check', reversed_date: '2026-11-06', reason: 'Lost in the mail' },
        })
      const [one, other, opened] = await Promise.all([reverse(), reverse(), vendor.change(id, { closed: false })])
      expect([statuses([one, other]), opened.status]).toEqual([[200, 409], 409])
      const { rows } = await sql`select count(*)::int as rows, count(distinct bill_id)::int as bills from payment_reversals
        where client_id = ${world.ground.clientId} and vendor_payment_id = ${payment?.id}`.execute(db)
      expect(rows).toEqual([{ rows: 2, bills: 2 }])
    }
    await expectWhole()
  })
})

describe('two people at one client batch', () => {
  it('invoice it or open it again: one of them, and an invoiced batch is closed', async () => {
    const { world, client } = await makeKinds()
    for (const bill of await makeBills(world, MEETINGS)) {
      const id = idOf(await client.make([bill]))
      expect((await client.change(id, { closed: true })).status).toBe(200)
      const [invoiced, opened] = await Promise.all([client.change(id, { invoiced: true }), client.change(id, { closed: false })])
      expect(statuses([invoiced, opened])).toEqual([200, 422])
      const { rows } =
        await sql`select closed, invoiced from accounting_batches where client_id = ${world.ground.clientId} and id = ${id}`.execute(db)
      expect(rows).toEqual([{ closed: invoiced.status === 200, invoiced: invoiced.status === 200 }])
    }
    await expectWhole()
  })

  it('generate its upload file at the same moment: each gets a whole version of its own', async () => {
    const { world, client } = await makeKinds()
    const id = idOf(await client.make(await makeBills(world, 2)))
    await client.change(id, { closed: true })
    const generate = () => app.ask(world.admin, 'GET', `${client.at}/${id}/generate_upload_file`)
    const started = await Promise.all([generate(), generate()])
    expect(started.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const tasks = new Set(started.filter(({ status }) => status === 200).map(({ body }) => Number(body['task_id'])))
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select id from tasks where id = any(${[...tasks]}::bigint[]) and state <> 'done'`.execute(db)
        expect(rows).toEqual([])
      },
      { timeout: 30_000, interval: 50 },
    )
    const { rows } = await sql<{ version: number; total: string }>`select version, total from accounting_batch_files
      where client_id = ${world.ground.clientId} and accounting_batch_id = ${id} order by version`.execute(db)
    expect(rows).toEqual([...tasks].map((_, place) => ({ version: place + 1, total: '303.00' })))
    await expectWhole()
  })
})
