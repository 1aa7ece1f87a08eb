/**
 * BULK: ten thousand accounts changed at once, previewed, applied and undone, compared with the plain UPDATE and the trail rows that any such
 * change must write; the same accounts moved to another vendor, which looks up each alias; and all accounts of the largest client moved to
 * another facility, with the copies on their bills.
 */
import { z } from 'zod'
import type { Ground } from './ground.ts'
import { round, shown, spreadOf } from './measure.ts'
import { cpuMs, familyCpuMs } from './processes.ts'
import type { Line } from './table.ts'

const accounts = 10_000
/** One account in this many has an alias. */
const aliasEach = 5
const rounds = 3
/** Factor allowed above the plain statements for the form's rules, the outcomes for undo and the response. */
const timesRaw = 3
const secondsMax = 5

const reply = z.object({ id: z.number().optional(), token: z.string(), counts: z.object({ change: z.number() }) })

interface Cost {
  readonly ms: number
  readonly cpu: number
}

export async function measureBulk(ground: Ground): Promise<Line[]> {
  await ground.raw.query(`select setval(pg_get_serial_sequence('clients', 'id'), max(id)) from clients`)
  const client = await makeEstate(ground)
  const vendor = await lastVendor(ground)
  const largest = await secondFacility(ground)
  return [
    ...(await linesOf(ground, `${accounts} accounts`, client, { billing_period: 3, active: false }, accounts)),
    ...(await linesOf(
      ground,
      `${accounts} accounts, one in ${aliasEach} with an alias, to another vendor`,
      client,
      { vendor_id: vendor },
      accounts,
    )),
    ...(await linesOf(ground, 'moving all of the largest client with their bills', 1, { facility_id: largest.facility }, largest.accounts)),
  ]
}

type Changes = Readonly<Record<string, number | boolean>>

async function linesOf(ground: Ground, what: string, client: number, changes: Changes, count: number): Promise<Line[]> {
  const costs = { preview: new Array<Cost>(), act: new Array<Cost>(), undo: new Array<Cost>(), raw: new Array<Cost>() }
  for (let turn = 0; turn < rounds; turn += 1) {
    costs.raw.push(await costOf(ground, () => plainly(ground, client, changes)))
    let token = ''
    costs.preview.push(
      await costOf(ground, async () => {
        token = (await act(ground, client, { changes, dry_run: true }, count)).token
      }),
    )
    let id = 0
    costs.act.push(
      await costOf(ground, async () => {
        id = (await act(ground, client, { changes, dry_run: false, token }, count)).id ?? 0
      }),
    )
    costs.undo.push(await costOf(ground, () => undo(ground, client, id)))
    await ground.raw.query('vacuum analyze billable_accounts')
  }
  const raw = spreadOf(costs.raw.map(({ ms }) => ms))
  return (['preview', 'act', 'undo'] as const).map((step) => {
    const ms = spreadOf(costs[step].map((cost) => cost.ms))
    const cpu = spreadOf(costs[step].map((cost) => cost.cpu))
    return {
      goal: 'BULK',
      what: `${what}: ${step}`,
      ours: `${shown(ms)}; ${round(cpu.median)} ms CPU`,
      reference: `UPDATE and trail ${shown(raw)}`,
      ratio: `${round(ms.median / raw.median)} of <= ${timesRaw}, <= ${secondsMax} s`,
      holds: ms.median <= raw.median * timesRaw && ms.median <= secondsMax * 1_000,
    }
  })
}

async function act({ product, admin }: Ground, client: number, body: object, count: number): Promise<z.infer<typeof reply>> {
  const answer = await fetch(`${product.url}/api/v5/clients/${client}/billable_accounts/bulk_changes`, {
    method: 'POST',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ filter: {}, ...body }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const done = reply.parse(await answer.json())
  if (done.counts.change !== count) throw new Error(`${done.counts.change} of ${count} accounts`)
  return done
}

async function undo({ product, admin }: Ground, client: number, id: number): Promise<void> {
  const answer = await fetch(`${product.url}/api/v5/clients/${client}/bulk_changes/${id}/undo`, { method: 'POST', headers: { ...admin } })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Runs the minimum of such a change in one transaction, and undoes it. */
async function plainly({ raw }: Ground, client: number, changes: Changes): Promise<void> {
  const connection = await raw.connect()
  const sets = Object.entries(changes).map(([key, value]) => `${key} = ${String(value)}`)
  try {
    await connection.query('begin')
    await connection.query(
      `with changed as (update billable_accounts set ${sets.join(', ')}, lock_version = lock_version + 1, updated_at = now() where client_id = $1 returning id)
      insert into audit_records (client_id, user_id, event, item_type, item_id, object_changes)
      select $1, 1, 'update', 'billable_account', id, $2::jsonb from changed`,
      [client, JSON.stringify(changes)],
    )
    if ('facility_id' in changes)
      await connection.query(
        `update bills set facility_id = account.facility_id, division_id = facility.division_id from billable_accounts account
        join facilities facility on facility.client_id = account.client_id and facility.id = account.facility_id
        where bills.client_id = $1 and account.client_id = $1 and account.id = bills.billable_account_id`,
        [client],
      )
  } finally {
    await connection.query('rollback')
    connection.release()
  }
}

async function costOf(ground: Ground, work: () => Promise<void>): Promise<Cost> {
  const used = (): number => familyCpuMs(ground.databasePid) + cpuMs(ground.product.pid)
  const before = used()
  const began = performance.now()
  await work()
  return { ms: performance.now() - began, cpu: used() - before }
}

/** Makes a client with this many accounts, without bills. */
async function makeEstate({ raw }: Ground): Promise<number> {
  const { rows } = await raw.query<{ id: number }>(
    `insert into clients (name, short_code, identifier) values ('Bulk', 'BULK', 'BULK') returning id`,
  )
  const client = rows[0]?.id ?? 0
  await raw.query(`insert into divisions (client_id, name, short_code, code) values ($1, 'East', 'E', 'E')`, [client])
  await raw.query(
    `insert into facilities (client_id, division_id, name, number) select client_id, id, 'Plant', '1' from divisions where client_id = $1`,
    [client],
  )
  await raw.query(
    `insert into billable_accounts (client_id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip)
    select $1, (select id from facilities where client_id = $1), (select min(id) from vendors), 'Account ' || at, 'B-' || at, '1 Main', 'Austin', 'TX', '78701'
    from generate_series(1, $2::int) at`,
    [client, accounts],
  )
  await raw.query(
    `insert into account_aliases (client_id, billable_account_id, alias)
    select client_id, id, 'BA-' || id from billable_accounts where client_id = $1 and id % $2::int = 0`,
    [client, aliasEach],
  )
  await raw.query('vacuum analyze billable_accounts, account_aliases')
  return client
}

/** Returns another vendor than that of the estate. */
async function lastVendor({ raw }: Ground): Promise<number> {
  const { rows } = await raw.query<{ id: number }>('select max(id)::int as id from vendors')
  return rows[0]?.id ?? 0
}

async function secondFacility({ raw }: Ground): Promise<{ facility: number; accounts: number }> {
  // The world's facilities were inserted with their own ids.
  await raw.query(`select setval(pg_get_serial_sequence('facilities', 'id'), max(id)) from facilities`)
  const { rows } = await raw.query<{ id: number }>(
    `insert into facilities (client_id, division_id, name, number) select 1, min(id), 'Depot', 'BULK' from divisions where client_id = 1 returning id`,
  )
  const { rows: counted } = await raw.query<{ count: number }>('select count(*)::int as count from billable_accounts where client_id = 1')
  return { facility: rows[0]?.id ?? 0, accounts: counted[0]?.count ?? 0 }
}
