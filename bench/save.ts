/**
 * SAVE: a bill of ten lines saved over HTTP by the form's call, in a client whose accounts have three years of bills (save-world.ts). Compared,
 * in turns, with the same rows inserted by plain statements. Then the time of a save by statement, as seen by the saving process.
 */
import type { KyselyPlugin } from 'kysely'
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { createBills } from '../src/server/bills/bills.ts'
import { unitOfWork, type Context } from '../src/server/kernel/context.ts'
import { everything } from '../src/server/kernel/lists/resource.ts'
import { quietMachinery } from '../test/support/toy-server.ts'
import type { Ground } from './ground.ts'
import { quantile, round, shown, spreadOf, timed } from './measure.ts'
import { ask } from './product.ts'
import { lines, months } from './save-world.ts'
import type { Line } from './table.ts'

const client = 1
const rounds = 20
/** A connection plans its statements the first times it runs them. */
const warmUps = 4
const factsShareMax = 0.15

interface Account {
  readonly id: number
  readonly services: readonly number[]
}

export async function measureSave(ground: Ground): Promise<Line[]> {
  const account = await largeAccount(ground)
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

/** The month after the stored ones. Repeating the same days is an overlap, which is found and stored as well. */
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
/** Amounts never repeat, or the second bill would be a duplicate of the first. */
function nextAmount(): { current_charges: string; amount_due: string } {
  saved += 1
  const amount = `${1_050 + saved}.00`
  return { current_charges: amount, amount_due: amount }
}

function dayOf(month: number): string {
  return new Date(Date.UTC(2022, month, 1)).toISOString().slice(0, 10)
}

/** Returns the average milliseconds of a save by kind of statement; the rest of the total is parsing, preparing and auditing. */
async function partsOf({ world: { database } }: Ground, account: Account): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  for (let turn = -warmUps; turn < rounds; turn += 1) {
    const add = (part: string, ms: number): void => void (turn >= 0 && sums.set(part, (sums.get(part) ?? 0) + ms / rounds))
    let inDatabase = 0
    const watching = watch((part, ms) => {
      inDatabase += ms
      add(part, ms)
    })
    const whole = await timed(async () => {
      let done = 0
      await database.db.transaction().execute(async (tx) => {
        const unit = unitOfWork(tx.withPlugin(watching), nobody, everything, quietMachinery(database))
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

/** Times each statement from its start to its rows. Statements of a save run one after another. */
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
  ['facts', /plan_cache_mode|_month_facts|first_read|select 1 from /],
  ['version', /data_versions/],
  ['lock', /for no key update/],
  ['history', /between span\.first|kw_billed/],
  ['insert', /insert into|nextval|last_bill_date/],
]

const partOf = (text: string): string => marks.find(([, mark]) => mark.test(text))?.[0] ?? 'book'

/** Inserts the bill, its lines, values and its trail row: the minimum of a save. They belong to another account, whose history is not read. */
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

/** The last account of ten meters. */
async function largeAccount({ raw }: Ground): Promise<Account> {
  const { rows } = await raw.query<Account>(
    `select billable_account_id as id, array_agg(id order by rank) as services from services where client_id = $1 group by 1 having count(*) = $2 order by 1 desc limit 1`,
    [client, lines],
  )
  const [account] = rows
  if (!account) throw new Error('no account of ten meters')
  return { ...account, services: account.services.map(Number) }
}
