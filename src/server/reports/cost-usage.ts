/**
 * Cost and usage by utility service and month, compared with the previous year; by account, facility or division if the report selects some of
 * these. The calendarized form sums the monthly facts, as dashboards do. The billed form sums the same costs of lines, each in the fiscal month
 * of its line or bill, or else in the bill's month.
 */
import { daysInMask } from '#contract/bill-figures/calendarize.ts'
import { costPerDay, coverage, percentChange, unitCost } from '#contract/dashboard/metrics.ts'
import { monthWindow, type MonthWindow } from '#contract/dashboard/date-range.ts'
import { addDays, addToMonth, daysBetween, firstDayOf, lastDayOf } from '#contract/kernel/date.ts'
import { compareDecimals, dividedBy, times } from '#contract/kernel/decimal.ts'
import type { BillFilters, FigureBills } from '#contract/reports/figure-bills.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { and } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { costedLines, fiscalMonth } from '../month-facts/month-facts.ts'
import { costFigures, inWindow, placeFilters, rowsBehind } from './bills-behind.ts'
import { factsAsked, inMonths, monthsAsked } from './day-rows.ts'
import { rowsInParts } from './report-reading.ts'
import type { AskedReport, Cell, ReportRow, ReportTable } from './report-table.ts'
import { withoutZeros } from './report-sums.ts'
import { coveredDays, isConfigured, serviceJoins, servicesAsked } from './service-choice.ts'
import { askedBills } from './bill-choice.ts'

type Level = 'account' | 'facility' | 'division' | 'none'

interface MonthRow {
  readonly utility_service_id: number | null
  readonly part: string | null
  readonly part_name: string | null
  readonly month: string
  readonly cost: string
  readonly usage: string | null
  readonly kg: string
  readonly days_mask: number
  /** Those of expected meters are counted on the days on which they are in use. */
  readonly meter_days: number
  /** Days covered by meters that are no longer expected. */
  readonly retired_days: number
}

interface Kind {
  readonly id: number
  readonly name: string
  readonly unit: string | null
}

export async function costAndUsage(tx: Tx, chosen: AskedReport): Promise<ReportTable> {
  const kinds = await kindsOf(tx)
  const asked = ofEveryKind(chosen, kinds)
  const window = monthsAsked(asked)
  const before = monthWindow(addToMonth(window.first_month, -12), addToMonth(window.last_month, -12))
  const level = levelOf(asked)
  const isBilled = asked.data.basis === 'billed'
  const both = monthWindow(before.first_month, window.last_month)
  const months = isBilled ? await billedMonths(tx, asked, both, level) : await calendarMonths(tx, asked, both, level)
  const expected = isBilled ? new Map<string, number>() : await expectedDays(tx, asked, window, level)
  const byKey = new Map(months.map((row) => [keyOf(row, row.month), row]))
  const behind = rowsBehind()
  const rows = [...months, ...billedNoMore(months, byKey)]
    .filter(({ month }) => month >= window.first_month && month <= window.last_month)
    .toSorted((a, b) => inOrder(a, b, kinds))
    .map((row): ReportRow => {
      const cells = rowOf(row, { before: byKey.get(keyOf(row, addToMonth(row.month, -12))), kinds, expected, isBilled, level })
      return behind.note(level === 'none' ? cells.filter((_, place) => place !== 1) : cells, figuresOf(row, asked, level))
    })
  return {
    columns: asked.columns.filter(({ key }) => key !== 'part' || level !== 'none'),
    // As many as the accounts, facilities or divisions that may be chosen, by the months.
    rows: rowsInParts(rows),
    control: null,
    behind: behind.of,
    remarks: () => [
      `Months ${window.first_month} to ${window.last_month}, whole ones.`,
      ...(isBilled ? ['On the billed basis no days are covered: there is no cost for each day, and no coverage.'] : []),
      ...(unlikeUnits(rows) ? ['Usage of different utility services is not added up.'] : []),
    ],
  }
}

/**
 * The bills of a row's cost and of that of the year before. What belongs to no utility service has no filter. The facts of months go by the
 * account's vendor and a bill keeps that of its payment, so that months of some vendors have none either.
 */
function figuresOf({ utility_service_id: service, part, month }: MonthRow, asked: AskedReport, level: Level): FigureBills[] {
  const isFiscal = asked.data.basis === 'billed'
  const vendors = asked.data.vendor_ids
  if (service === null || (vendors.length > 0 && !isFiscal)) return []
  const place = {
    ...placeFilters(asked),
    ...partFilter(level, part),
    ...(vendors.length === 0 ? {} : { vendor_id_in: vendors.join(',') }),
  }
  const of = { now: month, before: addToMonth(month, -12) }
  return costFigures(asked.clientId, of, (one) => ({ ...place, ...inWindow(monthWindow(one, one), [service], isFiscal) }))
}

/** The filter of a part by its key, as `partOf` writes it. */
function partFilter(level: Level, part: string | null): BillFilters {
  if (level === 'none') return {}
  if (level === 'account') return { [part?.startsWith('s') ? 'supply_account_id_eq' : 'billable_account_id_eq']: part?.slice(1) ?? '0' }
  return part === null ? { [`${level}_id_null`]: 'true' } : { [`${level}_id_eq`]: part }
}

/** All utility services are chosen: so is what belongs to none. */
function ofEveryKind(asked: AskedReport, kinds: ReadonlyMap<number, Kind>): AskedReport {
  const chosen = new Set(asked.data.utility_service_ids)
  return [...kinds.keys()].every((id) => chosen.has(id)) ? { ...asked, data: { ...asked.data, utility_service_ids: [] } } : asked
}

/** Months a year after those that have bills, and that have none themselves. */
function billedNoMore(months: readonly MonthRow[], byKey: ReadonlyMap<string, MonthRow>): MonthRow[] {
  return months.map((row) => ({ ...row, ...empty, month: addToMonth(row.month, 12) })).filter((row) => !byKey.has(keyOf(row, row.month)))
}

const empty = { cost: '0.00', usage: null, kg: '0', days_mask: 0, meter_days: 0, retired_days: 0 } as const

function levelOf({ data }: AskedReport): Level {
  if (data.billable_account_ids.length + data.supply_account_ids.length > 0) return 'account'
  if (data.facility_ids.length > 0) return 'facility'
  return data.division_ids.length > 0 ? 'division' : 'none'
}

const keyOf = ({ utility_service_id, part }: Pick<MonthRow, 'utility_service_id' | 'part'>, month: string): string =>
  `${utility_service_id} ${part} ${month}`

/** Returns the part that a fact or a line counts under, from its owner: its key and its name. */
function partOf(level: Level, owner: string): { key: RawBuilder<unknown>; name: RawBuilder<unknown> } {
  const of = (column: string) => sql.ref(`${owner}.${column}`)
  switch (level) {
    case 'account':
      return {
        key: sql`coalesce('b' || ${of('billable_account_id')}, 's' || ${of('supply_account_id')})`,
        name: sql`coalesce(billable.account_number, supply.account_number)`,
      }
    case 'facility':
      return { key: sql`facility.id::text`, name: sql`facility.name` }
    case 'division':
      return { key: sql`division.id::text`, name: sql`division.name` }
    case 'none':
      return { key: sql`null::text`, name: sql`null::text` }
  }
}

function ownerJoins(clientId: number, owner: string): RawBuilder<unknown> {
  return sql`left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = ${sql.ref(`${owner}.billable_account_id`)}
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = ${sql.ref(`${owner}.supply_account_id`)}
    left join facilities facility on facility.client_id = ${clientId} and facility.id = coalesce(billable.facility_id, supply.facility_id)
    left join divisions division on division.client_id = ${clientId} and division.id = facility.division_id`
}

async function calendarMonths(tx: Tx, asked: AskedReport, window: MonthWindow, level: Level): Promise<MonthRow[]> {
  const { key, name } = partOf(level, 'fact')
  const { rows } =
    await sql<MonthRow>`select fact.utility_service_id, ${key} as part, min(${name}) as part_name, to_char(fact.month, 'YYYY-MM') as month,
      sum(fact.cost)::text as cost, sum(fact.usage)::text as usage, sum(fact.kg_co2e)::text as kg, bit_or(fact.days_mask)::int as days_mask,
      sum(${coveredDays})::int as meter_days, coalesce(sum(fact.days) filter (where not ${isConfigured}), 0)::int as retired_days
    from service_month_facts fact left join services on services.client_id = ${asked.clientId} and services.id = fact.service_id
    ${ownerJoins(asked.clientId, 'fact')}
    where ${and([...factsAsked(asked), inMonths(window)])} group by 1, 2, fact.month`.execute(tx)
  return rows
}

/** Costs of lines in the months in which they were billed. Usage and emissions go with them, by the factor of that month. */
async function billedMonths(tx: Tx, asked: AskedReport, window: MonthWindow, level: Level): Promise<MonthRow[]> {
  const { clientId, data } = asked
  const { key, name } = partOf(level, 'bill')
  // The months decide, not the dates of the bills: a fiscal month may be before or after them.
  const bills = askedBills({ ...asked, data: { ...data, date_range: { from: null, to: null }, utility_service_ids: [] } })
  const month = sql`to_char(${fiscalMonth('bill', 'line')}, 'YYYY-MM')`
  const ofServices: RawBuilder<unknown> =
    data.utility_service_ids.length === 0
      ? sql`true`
      : sql<SqlBool>`coalesce(services.utility_service_id, case when costed.service_id is null then billable.utility_service_id end) = any(${data.utility_service_ids}::bigint[])`
  const { rows } =
    await sql<MonthRow>`select coalesce(services.utility_service_id, case when costed.service_id is null then billable.utility_service_id end) as utility_service_id,
      ${key} as part, min(${name}) as part_name, ${month} as month, sum(costed.cost)::numeric(16,2)::text as cost, sum(costed.usage)::text as usage,
      coalesce(sum(case when kind.inventoriable then round(costed.usage * coalesce(services.emissions_factor, (select edition.value from emission_factors edition
        where edition.utility_service_id = kind.id and edition.effective_from <= (${month} || '-01')::date order by edition.effective_from desc limit 1), kind.emissions_factor), 6) end), 0)::text as kg,
      0 as days_mask, 0 as meter_days, 0 as retired_days
    from ${costedLines(clientId, and(bills))} costed
    join bills bill on bill.client_id = ${clientId} and bill.id = costed.bill_id
    left join service_bills line on line.client_id = ${clientId} and line.id = costed.service_bill_id
    left join services on services.client_id = ${clientId} and services.id = costed.service_id
    left join utility_services kind on kind.id = services.utility_service_id
    ${ownerJoins(clientId, 'bill')}
    where ${ofServices} and ${month} between ${window.first_month} and ${window.last_month} group by 1, 2, 4`.execute(tx)
  return rows
}

/** Returns the meter-days of expected meters by utility service, part and month: each meter counts on the days it is in use. */
async function expectedDays(tx: Tx, asked: AskedReport, window: MonthWindow, level: Level): Promise<Map<string, number>> {
  const { key } = partOf(level, 'services')
  const { rows } = await sql<{
    utility_service_id: number | null
    part: string | null
    from: string | null
    to: string | null
    meters: number
  }>`select services.utility_service_id, ${key} as part, greatest(services.effective_from, billable.effective_from, supply.effective_from) as from,
      least(services.effective_to, billable.effective_to, supply.effective_to) as to, count(*)::int as meters
    from services ${serviceJoins(asked.clientId)} where ${and([...servicesAsked(asked), isConfigured])} group by 1, 2, 3, 4`.execute(tx)
  const expected = new Map<string, number>()
  for (const { meters, from, to, ...of } of rows)
    for (let month = window.first_month; month <= window.last_month; month = addToMonth(month, 1)) {
      const start = from !== null && from > firstDayOf(month) ? from : firstDayOf(month)
      const end = to !== null && to < lastDayOf(month) ? to : lastDayOf(month)
      const days = Math.max(0, daysBetween(start, addDays(end, 1)))
      const place = keyOf(of, month)
      expected.set(place, (expected.get(place) ?? 0) + meters * days)
    }
  return expected
}

async function kindsOf(tx: Tx): Promise<Map<number, Kind>> {
  const { rows } = await sql<Kind>`select kind.id, kind.name, unit.symbol as unit from utility_services kind
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard left join units unit on unit.id = standard.unit_id`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const nameOf = (row: MonthRow, kinds: ReadonlyMap<number, Kind>): string =>
  (row.utility_service_id === null ? undefined : kinds.get(row.utility_service_id)?.name) ?? 'No utility service'

function inOrder(a: MonthRow, b: MonthRow, kinds: ReadonlyMap<number, Kind>): number {
  const textOf = (row: MonthRow) => [nameOf(row, kinds), row.part_name ?? '', row.part ?? '', row.month].join('\t')
  return textOf(a) < textOf(b) ? -1 : 1
}

interface Beside {
  readonly before: MonthRow | undefined
  readonly kinds: ReadonlyMap<number, Kind>
  readonly expected: ReadonlyMap<string, number>
  readonly isBilled: boolean
  readonly level: Level
}

function rowOf(row: MonthRow, { before, kinds, expected, isBilled, level }: Beside): ReportRow {
  const { cost, usage, kg, month } = row
  const days = daysInMask(row.days_mask)
  const due = (expected.get(keyOf(row, month)) ?? 0) + row.retired_days
  const share = coverage(row.meter_days, due)
  const unit = row.utility_service_id === null ? null : (kinds.get(row.utility_service_id)?.unit ?? null)
  return [
    nameOf(row, kinds),
    level === 'none' ? null : (row.part_name ?? 'None'),
    month,
    plain(usage),
    usage === null ? null : unit,
    cost,
    unitCost(cost, usage),
    days === 0 ? null : costPerDay(cost, days),
    usage === null || days === 0 ? null : plain(dividedBy(usage, String(days), 3)),
    plain(before?.usage ?? null),
    before?.cost ?? null,
    percentChange(cost, before?.cost ?? null),
    plain(times(kg, '0.001')),
    isBilled || share === null ? null : dividedBy(times(share, '100'), '1', 2),
  ]
}

function plain(value: string | null): Cell {
  return value === null ? null : withoutZeros(compareDecimals(value, '0') === 0 ? '0' : value)
}

function unlikeUnits(rows: readonly ReportRow[]): boolean {
  return new Set(rows.map(([service]) => service)).size > 1
}
