/**
 * EXCEPTIONS: the exceptions and the four alerts of a client with 20,000 accounts and 100,000 bills, compared with statements written by hand.
 */
import { asked } from './compare.ts'
import { narrowedDivisions, type Ground } from './ground.ts'
import { address } from './lists.ts'
import { load, round, shown, spreadOf } from './measure.ts'
import type { Credentials } from './product.ts'
import type { Line } from './table.ts'

const rounds = 3
const msMore = 12
const msMost = 60

/** A measured line: the call, and the equivalent statement; $1 is a number without effect. */
interface Asking {
  readonly what: string
  readonly path: (turn: number) => string
  readonly raw: string
  readonly who?: Credentials
}

const feeOf = 'round(least(sum(late_fee) * 100 / sum(case when balance_forward > 0 then balance_forward else current_charges end), 10), 2)'
const charged = `late_fee > 0 and superseded_by_id is null and date >= current_date - 730`
const next = `(billed_until + coalesce(usual_days, case billing_period when 0 then 7 when 1 then 14 when 3 then 91 else billing_cycle end) + coalesce(usual_wait, 7))`

/** Waiting bills and accounts within `inside`, the most expensive first. */
function waiting(inside: string, insideFacilities: string): string {
  const ofAccounts = (
    table: string,
    key: string,
  ) => `select client_id, null::bigint as bill_id, id as account_id, '${key}' as account_kind, vendor_id, account_number, ${next} + 20 as due_date, usual_amount as amount
      from ${table} where client_id = 1 and active and ${insideFacilities} and ${next} < current_date - 7
    union all select client_id, null, id, '${key}', vendor_id, account_number, null, null from ${table} where client_id = 1 and active and ${insideFacilities} and last_bill_date is null
      and created_at < current_date - 45`
  return `with account_rate as (select coalesce(billable_account_id, -supply_account_id) as account, ${feeOf} as rate from bills where client_id = 1 and ${inside} and ${charged} group by 1),
      vendor_rate as (select vendor_id, ${feeOf} as rate from bills where client_id = 1 and ${inside} and ${charged} group by 1),
      found as (select client_id, id as bill_id, coalesce(billable_account_id, supply_account_id) as account_id, case when billable_account_id is null then 'supply' else 'billable' end as account_kind,
          vendor_id, account_number, due_date, amount_due as amount
        from bills where client_id = 1 and ${inside} and not paid and superseded_by_id is null and (due_date <= current_date + 7 and amount_due > 0 or open_errors > 0 or open_blocking > 0)
        union all ${ofAccounts('billable_accounts', 'billable')} union all ${ofAccounts('supply_accounts', 'supply')}),
      page as (select found.*, amount * coalesce(account_rate.rate, vendor_rate.rate, 1.5) / 100 * (greatest(current_date - due_date, 0) / 30 + 1) as cost
        from found left join account_rate on account_rate.account = case when account_kind = 'billable' then account_id else -account_id end
          left join vendor_rate on vendor_rate.vendor_id = found.vendor_id where $1::int >= 0 order by cost desc nulls last limit 10)
    select page.*, vendors.name as vendor_name from page left join vendors on vendors.id = page.vendor_id`
}

const whole = waiting('true', 'true')
const sixDivisions = `division_id in (${narrowedDivisions.join()})`
const narrowed = waiting(sixDivisions, `facility_id in (select id from facilities where client_id = 1 and ${sixDivisions})`)

const unbilled = (table: string) => `with page as (select * from ${table} account where client_id = 1 and active and $1::int >= 0
      and (last_bill_date < current_date - 30 or last_bill_date is null and created_at < current_date - 30) order by name, id limit 10)
    select page.*, vendors.name as vendor_name, facilities.name as facility_name from page left join vendors on vendors.id = page.vendor_id
      left join facilities on facilities.client_id = page.client_id and facilities.id = page.facility_id`
const estimated = `with page as (select account.* from billable_accounts account where client_id = 1 and active and $1::int >= 0 and id in (select services.billable_account_id
        from (select service_id from service_bills where client_id = 1 and estimated group by 1 having count(*) >= 3) often join services on services.client_id = 1 and services.id = often.service_id
        where services.active and (select count(*) = 3 and bool_and(read.estimated) from (select estimated from service_bills line where client_id = 1 and service_id = often.service_id
          order by read_date desc limit 3) read)) order by name, id limit 10)
    select page.*, vendors.name as vendor_name from page left join vendors on vendors.id = page.vendor_id`
const pastDue = `with page as (select * from bills where client_id = 1 and not paid and superseded_by_id is null and due_date <= current_date - 30 and $1::int >= 0 order by due_date, id limit 10)
    select page.*, vendors.name as vendor_name from page left join vendors on vendors.id = page.vendor_id`

export async function measureExceptions(ground: Ground): Promise<Line[]> {
  const lines: Line[] = []
  for (const asking of askings(ground)) lines.push(await lineOf(ground, asking))
  return lines
}

function askings({ narrowed: who }: Ground): Asking[] {
  const at = '/clients/1/exceptions'
  const rows = { per: '10', with_total: 'false' }
  const alert = (key: string, raw: string): Asking => ({
    what: `${key.replaceAll('_', ' ')}: first page`,
    path: () => address(`/clients/1/alerts/${key}`, {}, rows),
    raw,
  })
  return [
    { what: 'exceptions: first page', path: () => address(at, {}, rows), raw: whole },
    { what: 'exceptions of all clients: first page', path: () => address('/exceptions', {}, rows), raw: whole },
    { what: 'home: the whole page', path: () => '/home', raw: whole },
    { what: 'exceptions: first page, role of 6 divisions', path: () => address(at, {}, rows), raw: narrowed, who },
    { what: 'exceptions: past due alone', path: () => address(at, { kind: 'past_due' }, rows), raw: whole },
    {
      what: 'exceptions: total, counted',
      path: (turn) => address(at, { days_gteq: String(-1_000 - turn) }, { with_rows: 'false' }),
      raw: `select count(*) from (${whole.replace('order by cost desc nulls last limit 10', '')}) counted`,
    },
    { what: 'exceptions: total, told again', path: () => address(at, {}, { with_rows: 'false' }), raw: 'select $1::int' },
    {
      what: 'exceptions: summary',
      path: () => `${at}/summary`,
      raw: `select count(*), sum(cost) from (${whole.replace('limit 10', '')}) counted`,
    },
    alert('billable_accounts_missing_bills', unbilled('billable_accounts')),
    alert('supply_accounts_missing_bills', unbilled('supply_accounts')),
    alert('billable_accounts_consecutive_estimations', estimated),
    alert('past_due_bills', pastDue),
  ]
}

async function lineOf(ground: Ground, { what, path, raw: text, who }: Asking): Promise<Line> {
  const ours = asked(ground, { path, ...(who ? { who } : {}) })
  const raw = (turn: number) => ground.raw.query({ text, values: [turn] })
  for (const target of [ours, raw]) await load(target, 1, ground.cellMs)
  const times = { ours: new Array<number>(), raw: new Array<number>() }
  for (let turn = 0; turn < rounds; turn += 1) {
    times.raw.push((await load(raw, 1, ground.cellMs)).p95)
    times.ours.push((await load(ours, 1, ground.cellMs)).p95)
  }
  const [own, reference] = [spreadOf(times.ours), spreadOf(times.raw)]
  const above = own.median - reference.median
  return {
    goal: 'EXCEPTIONS',
    what: `${what}: p95`,
    ours: shown(own),
    reference: `raw ${shown(reference)}`,
    ratio: `+${round(above)} of <= +${msMore} ms, or <= ${msMost} ms`,
    holds: above <= msMore || own.median <= msMost,
  }
}
