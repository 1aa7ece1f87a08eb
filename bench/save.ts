/**
 * SAVE: a bill of ten lines saved over HTTP by the form's call, in the largest client of the world, on an account with three years of such
 * bills. Beside it, in turns, the same rows inserted by plain statements. Then where the time of a save goes, statement by statement, as
 * the process that saves sees it.
 */
import { sql, type KyselyPlugin } from 'kysely'
import type { BillDraft } from '#contract/bill-draft.ts'
import { createBills } from '../src/server/bills/bills.ts'
import { rebuildFacts } from '../src/server/dashboard/facts.ts'
import { unitOfWork, type Context } from '../src/server/kernel/context.ts'
import type { Tx } from '../src/server/kernel/database.ts'
import { everything } from '../src/server/kernel/resource.ts'
import { quietServices } from '../test/support/toy-server.ts'
import type { Ground } from './ground.ts'
import { quantile, round, shown, spreadOf, timed } from './measure.ts'
import { ask } from './product.ts'
import type { Line } from './table.ts'

const client = 1
const lines = 10
const months = 36
const rounds = 20
const factsShareMax = 0.15

interface Account {
  readonly id: number
  readonly services: readonly number[]
}

export async function measureSave(ground: Ground): Promise<Line[]> {
  const account = await makeAccount(ground)
  const [http, raw] = [new Array<number>(), new Array<number>()]
  for (let turn = 0; turn < rounds; turn += 1) {
    raw.push(await timed(() => plainly(ground, account)))
    http.push(await timed(() => save(ground, account, turn)))
  }
  const parts = await partsOf(ground, account)
  const total = [...parts.values()].reduce((sum, ms) => sum + ms, 0)
  const share = (parts.get('facts') ?? 0) / total
  return [
    {
      goal: 'SAVE',
      what: `a bill of ${lines} lines over HTTP, median; p95 ${round(quantile(http, 0.95))} ms`,
      ours: shown(spreadOf(http)),
      reference: `its rows alone ${shown(spreadOf(raw))}`,
      ratio: round(spreadOf(http).median / spreadOf(raw).median),
      holds: undefined,
    },
    {
      goal: 'SAVE',
      what: `its parts in the process: ${[...parts].map(([part, ms]) => `${part} ${round(ms)}`).join(', ')} ms`,
      ours: `facts ${round(share * 100)} %`,
      reference: '',
      ratio: `<= ${factsShareMax * 100} %`,
      holds: share <= factsShareMax,
    },
  ]
}

function save({ product, admin }: Ground, account: Account, turn: number): Promise<unknown> {
  const { service_bills: service_bills_attributes, source: _source, ...head } = draftOf(account, `HTTP-${turn}`)
  return ask(`${product.url}/api/v5/clients/${client}/bills`, admin, 'POST', { bill: { ...head, service_bills_attributes } })
}

/** The month after the stored ones. The same days again are an overlap, which is found and stored as well. */
function draftOf({ id, services }: Account, invoice_number: string): BillDraft {
  const [previous_read_date, read_date] = [dayOf(months), dayOf(months + 1)]
  return {
    account_type: 'BillableAccount',
    account_id: id,
    date: read_date,
    due_date: read_date,
    invoice_number,
    balance_forward: '0.00',
    ...nextAmount(),
    source: 'typed',
    service_bills: services.map((service_id) => ({
      service_id,
      previous_read_date,
      read_date,
      previous_reading: `${months * 1_000}.00`,
      meter_reading: `${(months + 1) * 1_000}.00`,
      service_bill_entry_fields: [
        { name: 'Utility Charges', value: '100.00' },
        { name: 'Utility Taxes', value: '5.00' },
      ],
    })),
  }
}

let saved = 0
/** No two alike, or the second bill would repeat the first. */
function nextAmount(): { current_charges: string; amount_due: string } {
  saved += 1
  const amount = `${1_050 + saved}.00`
  return { current_charges: amount, amount_due: amount }
}

function dayOf(month: number): string {
  return new Date(Date.UTC(2022, month, 1)).toISOString().slice(0, 10)
}

/** Average milliseconds of a save by what its statements do; what is left of the whole is parsing, preparing and auditing. */
async function partsOf({ world: { database } }: Ground, account: Account): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  const add = (part: string, ms: number): void => void sums.set(part, (sums.get(part) ?? 0) + ms / rounds)
  for (let turn = 0; turn < rounds; turn += 1) {
    let inDatabase = 0
    const watching = watch((part, ms) => {
      inDatabase += ms
      add(part, ms)
    })
    const whole = await timed(async () => {
      let done = 0
      await database.db.transaction().execute(async (tx) => {
        const unit = unitOfWork(tx.withPlugin(watching), nobody, everything, quietServices(database))
        await mustSave(unit.context, draftOf(account, `PART-${turn}`))
        await unit.finish()
        done = performance.now()
      })
      add('commit', performance.now() - done)
      inDatabase += performance.now() - done
    })
    add('parse, prepare, audit', whole - inDatabase)
  }
  return new Map([...sums].toSorted((a, b) => b[1] - a[1]))
}

const nobody = { principal: null, ip: null, requestId: 'bench', connectionId: null }

async function mustSave(context: Context, draft: BillDraft): Promise<void> {
  const [outcome] = await createBills(context, client, [draft])
  if (outcome?.kind !== 'created') throw new Error(JSON.stringify(outcome))
}

/** Times each statement from its start to its rows. Statements of a save follow one another. */
function watch(say: (part: string, ms: number) => void): KyselyPlugin {
  let [part, began] = ['', 0]
  return {
    transformQuery: ({ node }) => {
      part = partOf(JSON.stringify(node))
      began = performance.now()
      return node
    },
    transformResult: ({ result }) => {
      say(part, performance.now() - began)
      return Promise.resolve(result)
    },
  }
}

const marks: readonly (readonly [string, RegExp])[] = [
  ['audit row', /audit_records/],
  ['facts', /plan_cache_mode|_month_facts|fact/],
  ['version', /data_versions/],
  ['lock', /for no key update/],
  ['history', /between span\.first|kw_billed/],
  ['insert', /insert into|nextval|last_bill_date/],
]

const partOf = (text: string): string => marks.find(([, mark]) => mark.test(text))?.[0] ?? 'book'

/** The bill, its lines, values and its row in the trail: what no save can do without. They lie on another account, whose past is not read. */
async function plainly({ raw }: Ground, { services }: Account): Promise<void> {
  const connection = await raw.connect()
  try {
    await connection.query('begin')
    const { rows } = await connection.query<{ id: number }>(
      `insert into bills (client_id, billable_account_id, account_number, date, due_date, current_charges, amount_due) values ($1, (select min(id) from billable_accounts where client_id = $1), 'raw', $2, $2, 1050, 1050) returning id`,
      [client, dayOf(months + 1)],
    )
    const bill = rows[0]?.id
    const { rows: stored } = await connection.query<{ id: number }>(
      `insert into service_bills (client_id, bill_id, service_id, previous_read_date, read_date, previous_reading, meter_reading, usage)
        select $1, $2, service, $3::date, $4::date, 36000, 37000, 1000 from unnest($5::bigint[]) service returning id`,
      [client, bill, dayOf(months), dayOf(months + 1), services],
    )
    await connection.query(
      `insert into service_bill_entry_values (client_id, service_bill_id, entry_field_id, value)
        select $1, line, entry_fields.id, 100 from unnest($2::bigint[]) line join entry_fields on entry_fields.name in ('Utility Charges', 'Utility Taxes')`,
      [client, stored.map((row) => row.id)],
    )
    await connection.query(
      `insert into audit_records (client_id, user_id, event, item_type, item_id, object_changes) values ($1, 1, 'create', 'bill', $2, '{"amount_due": {"from": null, "to": "1050.00"}}')`,
      [client, bill],
    )
    await connection.query('commit')
  } finally {
    connection.release()
  }
}

/** An account of ten meters with three years of bills, beside those of the client that the world has. */
async function makeAccount({ raw, world: { database } }: Ground): Promise<Account> {
  for (const table of ['billable_accounts', 'services'])
    await raw.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
  const { rows } = await raw.query<{ id: number }>(
    `insert into billable_accounts (client_id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip)
      select 1, min(id), 1, 'Ten meters', 'SAVE-10', '1 Main', 'Austin', 'TX', '78701' from facilities where client_id = 1 returning id`,
  )
  const id = rows[0]?.id ?? 0
  const { rows: made } = await raw.query<{ id: number }>(
    `insert into services (client_id, billable_account_id, meter_number, rank, meter_multiplier, utility_service_id, usage_unit_id)
      select 1, $1, 'S' || at, at, 1, kind.id, unit.id from generate_series(1, ${lines}) at
      join utility_services kind on kind.code = 'electric' join usage_units unit on unit.utility_service_id = kind.id and unit.standard returning id`,
    [id],
  )
  const account = { id, services: made.map((row) => row.id) }
  await raw.query(
    `insert into service_entry_fields (client_id, service_id, entry_field_id)
      select 1, service, entry_fields.id from unnest($1::bigint[]) service join entry_fields on entry_fields.name in ('Utility Charges', 'Utility Taxes')`,
    [account.services],
  )
  await database.db.transaction().execute(async (tx) => fill(tx, account))
  await raw.query('vacuum analyze bills, service_bills, service_bill_entry_values')
  return account
}

async function fill(tx: Tx, { id, services }: Account): Promise<void> {
  await sql`with made as (insert into bills (client_id, billable_account_id, account_number, vendor_id, date, due_date, previous_read_date, read_date, invoice_number, current_charges, amount_due, source)
      select 1, ${id}, 'SAVE-10', 1, stop + 3, stop + 23, start, stop, 'S-' || at, 1050, 1050, 'import'
      from generate_series(0, ${months - 1}) at cross join lateral (select ('2022-01-01'::date + make_interval(months => at))::date as start, ('2022-01-01'::date + make_interval(months => at + 1))::date as stop) span
      returning id, previous_read_date, read_date, substr(invoice_number, 3)::int as at)
    insert into service_bills (client_id, bill_id, service_id, position, previous_read_date, read_date, previous_reading, meter_reading, usage, standard_usage, unit_id)
    select 1, made.id, meter.id, meter.place - 1, made.previous_read_date, made.read_date, made.at * 1000, (made.at + 1) * 1000, 1000, 1000, usage_units.unit_id
    from made cross join unnest(${services}::bigint[]) with ordinality meter(id, place) join services on services.id = meter.id join usage_units on usage_units.id = services.usage_unit_id`.execute(
    tx,
  )
  await sql`insert into service_bill_entry_values (client_id, service_bill_id, entry_field_id, value)
    select 1, line.id, field.id, case when field.is_tax then 5 else 100 end from service_bills line join entry_fields field on field.name in ('Utility Charges', 'Utility Taxes')
    where line.client_id = 1 and line.service_id = any(${services}::bigint[])`.execute(tx)
  await rebuildFacts(tx, client)
}
