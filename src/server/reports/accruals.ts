/**
 * Usage that is not billed yet at the end of a period, by meter. Also shows what is billed but not booked, and the same method's estimate for
 * the previous period compared with the bills since. With ledger details it is the journal: the accrual, and its reversal a day later.
 */
import { splitByRatios } from '#contract/bill-figures/allocation.ts'
import { accrue, accrualHow, type Accrual } from '#contract/reports/accrual.ts'
import { errorPercent, methodName, methodSums, scoreAccrual, type AccrualScore } from '#contract/reports/accrual-score.ts'
import { accrualMethods, type AccrualMethod } from '#contract/reports/report-form-data.ts'
import type { ReportColumn } from '#contract/reports/report-form.ts'
import { addDays, addToMonth, firstDayOf, lastDayOf, monthOf } from '#contract/kernel/date.ts'
import { sumCents, wireOf, type Cents } from '#contract/kernel/money.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { breather } from '../kernel/breathe.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused } from '../kernel/problem.ts'
import { accruedMeters, type AccruedLine, type AccruedService } from './accrued-meters.ts'
import type { AskedReport, Cell, ReportRow, ReportTable } from './report-table.ts'
import { withoutZeros } from './report-sums.ts'
import { unbookedBills, type UnbookedAccount, type UnbookedBills } from './unbooked-bills.ts'

const noLedgerAccount = 'No ledger account'

interface ServiceAccrual {
  /** The meter, or an account of which bills have no line. */
  readonly service: Omit<AccruedService, 'id' | 'in_use'> & { readonly id: number | null }
  readonly last: string | null
  readonly now: Accrual | null
  readonly unbooked: Cents
  /** Each method's accrual for the previous period, compared with the bills since. */
  readonly before: ReadonlyMap<AccrualMethod, AccrualScore>
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

export async function accrualReport(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const period = accrualPeriod(asked)
  const { accrual_method: method, ledger_details: isJournal } = asked.data
  if (isJournal && !asked.rights.ledger)
    throw refused('The journal names ledger accounts, which not everybody may see whom this report is for.')
  const errors = errorsBefore()
  const sums = accrualSums()
  const unbooked = await unbookedBills(tx, asked, period)
  async function* rows(): AsyncGenerator<ReportRow[]> {
    for await (const some of accrualsOf(tx, asked, period, unbooked)) {
      errors.add(some)
      if (isJournal) sums.add(some)
      else yield some.map((one) => rowOf(one, method, asked.columns))
    }
    if (isJournal) yield journalOf(sums.byAccount(), period)
  }
  return {
    columns: isJournal ? journalColumns : asked.columns,
    rows: rows(),
    control: null,
    remarks: () => [
      `Accrued to ${period.to}. Billed and not booked: bills of ${unbooked.since} to ${period.to} that no client batch had booked by ${period.to}.`,
      ...errors.words(),
    ],
  }
}

/**
 * Every expected meter with what is accrued for it, and every other one with bills that are not booked, some at a time, by account number. The
 * accounts of bills without lines come last.
 */
export async function* accrualsOf(
  tx: Tx,
  asked: AskedReport,
  period: Period,
  { byService, accounts }: UnbookedBills,
): AsyncGenerator<ServiceAccrual[]> {
  const breathe = breather()
  for await (const some of accruedMeters(tx, asked, period.to, [...byService.keys()])) {
    const accrued: ServiceAccrual[] = []
    for (const { service, lines } of some) {
      await breathe()
      const unbooked = byService.get(service.id) ?? 0
      const known = lines.filter(({ bill_date }) => bill_date <= period.to)
      const own = service.accrued ? accrualOf(service, { lines, known }, asked.data.accrual_method, period) : nothing
      accrued.push({ service, last: known.at(-1)?.to ?? null, unbooked, ...own })
    }
    yield accrued
  }
  yield accounts.map(ofAccount)
}

const nothing = { now: null, before: new Map<AccrualMethod, AccrualScore>() } as const

function ofAccount({ cost, ...account }: UnbookedAccount): ServiceAccrual {
  const service = { id: null, utility_service: null, meter: null, unit: null, accrued: false, ledgers: [], ...account }
  return { service, last: null, unbooked: cost, ...nothing }
}

interface MeterLines {
  readonly lines: readonly AccruedLine[]
  /** Those of bills dated up to the end of the period. */
  readonly known: readonly AccruedLine[]
}

function accrualOf(
  { in_use: inUse }: AccruedService,
  { lines, known }: MeterLines,
  method: AccrualMethod,
  period: Period,
): Pick<ServiceAccrual, 'now' | 'before'> {
  const priorEnd = addDays(period.from, -1)
  const then = { after: priorEnd, to: priorEnd }
  return {
    now: accrue(known, period.to, method, inUse),
    before: new Map(accrualMethods.map(({ value }) => [value, scoreAccrual(lines, then, value, inUse)])),
  }
}

function rowOf(
  { service, last, now, unbooked, before }: ServiceAccrual,
  method: AccrualMethod,
  columns: readonly ReportColumn[],
): ReportRow {
  const prior = before.get(method)
  const priorAccrual = prior?.accrued ?? null
  const actual = prior?.scored ? prior.actual : null
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
    method: now === null ? whyNothing(service, last) : accrualHow[now.how],
    confidence: now === null ? null : `${now.confidence.charAt(0).toUpperCase()}${now.confidence.slice(1)}`,
    prior_accrual: priorAccrual === null ? null : wireOf(priorAccrual),
    actual: actual === null ? null : wireOf(actual),
    variance: priorAccrual === null || actual === null ? null : wireOf(actual - priorAccrual),
  }
  return columns.map(({ key }) => cells[key] ?? null)
}

function whyNothing({ id, accrued }: ServiceAccrual['service'], last: string | null): string {
  if (id === null) return 'Bills without a meter'
  if (!accrued) return 'Not accrued'
  return last === null ? 'No bill yet' : 'Billed to the end'
}

/** The error of each method on the period before, over the meters whose days are all billed by now. */
function errorsBefore(): { add(some: readonly ServiceAccrual[]): void; words(): string[] } {
  const sums = methodSums()
  return {
    add(some) {
      for (const { before } of some) for (const [method, score] of before) if (score.scored) sums.add(method, score)
    },
    words() {
      const told = sums.all().flatMap((sum) => {
        const error = errorPercent(sum)
        return error === null ? [] : [`${methodName(sum.method)} ${error}% over ${sum.scores} ${sum.scores === 1 ? 'meter' : 'meters'}`]
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
