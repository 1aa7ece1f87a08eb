/**
 * Usage that is not billed yet at the end of a period, by meter. Also shows what is billed but not booked, and the same method's estimate for
 * the previous period compared with the bills since. With ledger details it is the journal: the accrual, and its reversal a day later.
 */
import { splitByRatios } from '#contract/bill-figures/allocation.ts'
import { accrue, accrualHow, actualCost, type Accrual, type AccrualLine } from '#contract/reports/accrual.ts'
import { accrualMethods, type AccrualMethod } from '#contract/reports/report-form-data.ts'
import type { ReportColumn } from '#contract/reports/report-form.ts'
import { addDays, addToMonth, firstDayOf, lastDayOf, monthOf } from '#contract/kernel/date.ts'
import { dividedBy, times } from '#contract/kernel/decimal.ts'
import { centsOf, sumCents, wireOf, type Cents } from '#contract/kernel/money.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { sql, type SqlBool } from 'kysely'
import { and } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { rowsByCursor } from '../kernel/postgres/rows-by-cursor.ts'
import { refused } from '../kernel/problem.ts'
import { costedLines } from '../month-facts/month-facts.ts'
import { effectiveLedgers } from '../services/services.ts'
import type { AskedReport, Cell, ReportRow, ReportTable } from './report-table.ts'
import { withoutZeros } from './report-sums.ts'
import { isConfigured, serviceJoins, servicesAsked } from './service-choice.ts'

/** Services whose lines are read at once; more would use too much memory. */
const SERVICES_AT_ONCE = 500
/** Years of lines that a seasonal accrual uses, plus one for the previous period. */
const YEARS_READ = 5
const noLedgerAccount = 'No ledger account'

interface AccruedService {
  readonly id: number
  readonly account_number: string
  readonly facility: string | null
  readonly vendor: string | null
  readonly utility_service: string | null
  readonly meter: string | null
  readonly unit: string | null
  readonly ledgers: readonly { readonly ledger_account_name: string; readonly share_ratio: string }[]
}

interface ServiceAccrual {
  readonly service: AccruedService
  readonly last: string | null
  readonly now: Accrual | null
  readonly unbooked: Cents
  /** Each method's accrual for the previous period, and the cost of its days since; null if they are not all billed. */
  readonly before: ReadonlyMap<AccrualMethod, { readonly accrued: Cents; readonly actual: Cents | null }>
}

interface Period {
  readonly from: string
  readonly to: string
}

/** Returns the period: without dates the last complete month; with an end date only, its month. */
export function accrualPeriod({ data: { date_range }, today }: AskedReport): Period {
  const to = date_range.to ?? lastDayOf(addToMonth(monthOf(today), -1))
  return { from: date_range.from !== null && date_range.from <= to ? date_range.from : firstDayOf(monthOf(to)), to }
}

export function accrualReport(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const period = accrualPeriod(asked)
  const { accrual_method: method, ledger_details: isJournal } = asked.data
  if (isJournal && !asked.rights.ledger)
    throw refused('The journal names ledger accounts, which not everybody may see whom this report is for.')
  const score = accrualScore()
  const sums = accrualSums()
  async function* rows(): AsyncGenerator<ReportRow[]> {
    for await (const some of accrualsOf(tx, asked, period)) {
      score.add(some)
      if (isJournal) sums.add(some)
      else yield some.map((one) => rowOf(one, method, asked.columns))
    }
    if (isJournal) yield journalOf(sums.byAccount(), period)
  }
  return Promise.resolve({
    columns: isJournal ? journalColumns : asked.columns,
    rows: rows(),
    control: null,
    remarks: () => [
      `Accrued to ${period.to}. Billed and not booked: bills of ${period.from} to ${period.to} in no closed client batch.`,
      ...score.words(),
    ],
  })
}

/** Every expected meter with what is accrued for it, some at a time, by account number. */
export async function* accrualsOf(tx: Tx, asked: AskedReport, period: Period): AsyncGenerator<ServiceAccrual[]> {
  const services = sql<AccruedService>`select services.id, coalesce(billable.account_number, supply.account_number) as account_number, facility.name as facility,
      vendor.name as vendor, kind.name as utility_service, services.meter_number as meter, standard_unit.symbol as unit, ${effectiveLedgers} as ledgers
    from services ${serviceJoins(asked.clientId)}
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard
    left join units standard_unit on standard_unit.id = standard.unit_id
    where ${and([...servicesAsked(asked), isConfigured])} and not services.accruals_off and not coalesce(billable.accruals_off, supply.accruals_off)
    order by coalesce(billable.account_number, supply.account_number), services.id`
  for await (const some of rowsByCursor(tx, services, { name: 'accrued_services', atOnce: SERVICES_AT_ONCE })) {
    const lines = await linesOf(tx, asked, some, period)
    yield some.map((service) => accrualOf(service, lines.get(service.id) ?? [], asked.data.accrual_method, period))
  }
}

interface ReadLine extends AccrualLine {
  readonly service_id: number
  readonly booked: boolean
}

/** Returns the services' lines that cover days, with their share of their bills' charges, up to the newest. */
async function linesOf(
  tx: Tx,
  { clientId }: AskedReport,
  services: readonly AccruedService[],
  period: Period,
): Promise<Map<number, ReadLine[]>> {
  const ids = services.map(({ id }) => id)
  const since = firstDayOf(addToMonth(monthOf(period.to), -12 * YEARS_READ))
  const bills = sql<SqlBool>`bills.date >= ${since}::date and exists (select from service_bills wanted where wanted.client_id = ${clientId} and wanted.bill_id = bills.id
    and wanted.service_id = any(${ids}::bigint[]))`
  const { rows } = await sql<
    Omit<ReadLine, 'cost'> & { cost: string }
  >`select costed.service_id, line.previous_read_date as from, line.read_date as to, bill.date as bill_date,
      costed.cost::numeric(14,2) as cost, costed.usage, coalesce(batch.closed, false) as booked,
      exists (select from bill_findings finding where finding.client_id = ${clientId} and finding.service_bill_id = line.id and finding.resolved_at is null
        and finding.severity in ('E', 'E!') and finding.code in ('usage_high', 'usage_low', 'cost_day_high', 'cost_day_low')) as outlier
    from ${costedLines(clientId, bills)} costed
    join service_bills line on line.client_id = ${clientId} and line.id = costed.service_bill_id
    join bills bill on bill.client_id = ${clientId} and bill.id = costed.bill_id
    left join accounting_batches batch on batch.client_id = ${clientId} and batch.id = bill.accounting_batch_id
    where costed.service_id = any(${ids}::bigint[]) and line.previous_read_date < line.read_date
    order by costed.service_id, line.read_date, line.id`.execute(tx)
  return Map.groupBy(
    rows.map((row) => ({ ...row, cost: centsOf(row.cost) })),
    ({ service_id }) => service_id,
  )
}

function accrualOf(service: AccruedService, lines: readonly ReadLine[], method: AccrualMethod, period: Period): ServiceAccrual {
  const known = lines.filter(({ bill_date }) => bill_date <= period.to)
  const priorEnd = addDays(period.from, -1)
  const knownThen = lines.filter(({ bill_date }) => bill_date <= priorEnd)
  const before = accrualMethods.flatMap(({ value }): [AccrualMethod, { accrued: Cents; actual: Cents | null }][] => {
    const said = accrue(knownThen, priorEnd, value)
    return said === null ? [] : [[value, { accrued: said.cost, actual: actualCost(lines, said.from, said.until) }]]
  })
  return {
    service,
    last: known.at(-1)?.to ?? null,
    now: accrue(known, period.to, method),
    unbooked: sumCents(known.filter(({ bill_date, booked }) => !booked && bill_date >= period.from).map(({ cost }) => cost)),
    before: new Map(before),
  }
}

function rowOf(
  { service, last, now, unbooked, before }: ServiceAccrual,
  method: AccrualMethod,
  columns: readonly ReportColumn[],
): ReportRow {
  const prior = before.get(method)
  const actual = prior?.actual ?? null
  const plain = (value: string | null | undefined): Cell => (value === null || value === undefined ? null : withoutZeros(value))
  const cells: Readonly<Record<string, Cell>> = {
    account_number: service.account_number,
    facility: service.facility,
    vendor: service.vendor,
    utility_service: service.utility_service,
    meter: service.meter,
    last_read_date: last,
    accrual_from: now?.from ?? null,
    accrual_to: now === null ? null : addDays(now.until, -1),
    days: now === null ? null : String(now.days),
    usage_per_day: plain(now?.usage_per_day),
    unit_cost: plain(now?.unit_cost),
    accrued_usage: plain(now?.usage),
    unit: now?.usage === null || now === null ? null : service.unit,
    accrued_cost: wireOf(now?.cost ?? 0),
    unbooked: wireOf(unbooked),
    total: wireOf((now?.cost ?? 0) + unbooked),
    method: now === null ? (last === null ? 'No bill yet' : 'Billed to the end') : accrualHow[now.how],
    confidence: now === null ? null : `${now.confidence.charAt(0).toUpperCase()}${now.confidence.slice(1)}`,
    prior_accrual: prior === undefined ? null : wireOf(prior.accrued),
    actual: actual === null ? null : wireOf(actual),
    variance: prior === undefined || actual === null ? null : wireOf(actual - prior.accrued),
  }
  return columns.map(({ key }) => cells[key] ?? null)
}

interface Missed {
  actual: Cents
  miss: Cents
  meters: number
}

/** The error of each method on the period before, over the meters whose days are all billed by now. */
function accrualScore(): { add(some: readonly ServiceAccrual[]): void; words(): string[] } {
  const scores = new Map<AccrualMethod, Missed>()
  const addOne = (method: AccrualMethod, accrued: Cents, actual: Cents): void => {
    const score = scores.get(method) ?? { actual: 0, miss: 0, meters: 0 }
    score.actual += Math.abs(actual)
    score.miss += Math.abs(actual - accrued)
    score.meters += 1
    scores.set(method, score)
  }
  return {
    add(some) {
      for (const { before } of some)
        for (const [method, { accrued, actual }] of before) if (actual !== null) addOne(method, accrued, actual)
    },
    words() {
      const told = accrualMethods.flatMap(({ value, label }) => {
        const { actual, miss, meters } = scores.get(value) ?? { actual: 0, miss: 0, meters: 0 }
        const error = actual === 0 ? null : dividedBy(times(wireOf(miss), '100'), wireOf(actual), 1)
        return error === null ? [] : [`${label.split(':')[0] ?? label} ${error}% over ${meters} ${meters === 1 ? 'meter' : 'meters'}`]
      })
      return told.length === 0 ? [] : [`Error on the period before: ${told.join(', ')}.`]
    },
  }
}

const journalColumns: readonly ReportColumn[] = [
  { key: 'date', label: 'Date', kind: 'date' },
  { key: 'entry', label: 'Entry', kind: 'text' },
  { key: 'ledger_account', label: 'Ledger Account', kind: 'text' },
  { key: 'debit', label: 'Debit', kind: 'money', total: true },
  { key: 'credit', label: 'Credit', kind: 'money', total: true },
]

export interface AccruedAccount {
  readonly account: string
  readonly amount: Cents
  /** Meters that have a part in it. */
  readonly meters: number
}

/** Adds up what is accrued and what is not booked, by ledger account, split as the bills will be. */
export function accrualSums(): {
  add(some: readonly ServiceAccrual[]): void
  byAccount(): AccruedAccount[]
  all(): Omit<AccruedAccount, 'account'>
} {
  const sums = new Map<string, { amount: Cents; meters: number }>()
  const all = { amount: 0, meters: 0 }
  const addOne = ({ service: { ledgers }, now, unbooked }: ServiceAccrual): void => {
    const amount = (now?.cost ?? 0) + unbooked
    if (amount === 0) return
    all.amount += amount
    all.meters += 1
    const names = ledgers.length === 0 ? [noLedgerAccount] : ledgers.map((one) => one.ledger_account_name)
    const parts = splitByRatios(
      amount,
      names.map((_, place) => ledgers[place]?.share_ratio ?? '1.0000'),
    )
    for (const name of new Set(names)) {
      const sum = sums.get(name) ?? { amount: 0, meters: 0 }
      sum.amount += sumCents(parts.filter((_, place) => names[place] === name))
      sum.meters += 1
      sums.set(name, sum)
    }
  }
  return {
    add(some) {
      for (const one of some) addOne(one)
    },
    byAccount: () => [...sums].map(([account, sum]) => ({ account, ...sum })).toSorted((a, b) => naturalOrder(a.account, b.account)),
    all: () => ({ ...all }),
  }
}

/** The expense of each account against accrued utilities, and the same the other way round on the first day of the next period. */
function journalOf(sums: readonly AccruedAccount[], { to }: Period): ReportRow[] {
  const total = sumCents(sums.map(({ amount }) => amount))
  const entry = (date: string, name: string, sign: 1 | -1): ReportRow[] => [
    ...sums.map(({ account, amount }) => sided(date, name, account, sign * amount)),
    sided(date, name, 'Accrued utilities', sign * -total),
  ]
  return [...entry(to, 'Accrual', 1), ...entry(addDays(to, 1), 'Reversal', -1)]
}

function sided(date: string, entry: string, account: string, amount: Cents): ReportRow {
  return [date, entry, account, wireOf(amount > 0 ? amount : 0), wireOf(amount < 0 ? -amount : 0)]
}
