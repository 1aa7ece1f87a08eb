/** The values that a finding is compared with, for its chart: earlier lines of the same service, or earlier bills of the account. */
import { auditSettingsPatch, mergeAuditSettings, type AuditSettings, type AuditSettingsPatch } from '#contract/bill-audits/bill-audits.ts'
import { baselineFor, type Point } from '#contract/bill-audits/statistics.ts'
import { findingHistoryMax, type FindingSeries } from '#contract/bill-findings/bill-finding.ts'
import { addDays, daysBetween, monthOf } from '#contract/kernel/date.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

export interface FindingOfSeries {
  readonly client_id: number
  readonly bill_id: number
  readonly service_bill_id: number | null
  readonly code: string
}

interface LineSeries {
  readonly label: string
  readonly value: (line: LineRow) => number | null
  /** Allowed percentages above and below the expected value. */
  readonly band?: (settings: AuditSettings) => { readonly high: number; readonly low: number }
}

interface LineRow {
  readonly bill_id: number
  readonly date: string
  readonly days: number
  readonly previous_read_date: string
  readonly usage: string | null
  readonly charge: string
  readonly multiplier: string
  readonly settings: readonly unknown[]
}

const perDay: LineSeries = { label: 'Usage a day', value: (line) => (line.usage === null ? null : Number(line.usage) / line.days) }
const usage: LineSeries = {
  ...perDay,
  band: ({ usage_high_warning_percent: high, usage_low_warning_percent: low }) => ({ high, low }),
}
const costDay: LineSeries = {
  label: 'Cost a day',
  value: (line) => Number(line.charge) / line.days,
  band: ({ cost_day_high_percent: high, cost_day_low_percent: low }) => ({ high, low }),
}
const unitCost: LineSeries = {
  label: 'Cost a unit',
  value: (line) => (line.usage === null || Number(line.usage) <= 0 ? null : Number(line.charge) / Number(line.usage)),
  band: ({ unit_cost_percent: percent }) => ({ high: percent, low: percent }),
}
const days: LineSeries = { label: 'Days', value: (line) => line.days }

const lineSeries: Readonly<Record<string, LineSeries>> = {
  usage_high: usage,
  usage_low: usage,
  usage_zero: usage,
  usage_negative: usage,
  usage_same: usage,
  usage_math: perDay,
  reading_break: perDay,
  reading_regress: perDay,
  estimated_run: perDay,
  supply_match: perDay,
  cost_day_high: costDay,
  cost_day_low: costDay,
  unit_cost: unitCost,
  period_length: days,
  read_gap: days,
  read_overlap: days,
  multiplier_change: { label: 'Multiplier', value: (line) => Number(line.multiplier) },
}

const billSeries: Readonly<Record<string, { readonly label: string; readonly column: string }>> = {
  header_math: { label: 'Amount due', column: 'amount_due' },
  high_value: { label: 'Amount due', column: 'amount_due' },
  credit_bill: { label: 'Amount due', column: 'amount_due' },
  duplicate_exact: { label: 'Amount due', column: 'amount_due' },
  duplicate_likely: { label: 'Amount due', column: 'amount_due' },
  lines_math: { label: 'Current charges', column: 'current_charges' },
  balance_forward: { label: 'Balance forward', column: 'balance_forward' },
  late_fee: { label: 'Late fee', column: 'late_fee' },
}

/** Returns the values oldest first, ending with the value that was flagged. Null if the rule has no value worth a chart. */
export async function seriesOf(tx: Tx, finding: FindingOfSeries): Promise<FindingSeries | null> {
  const ofLine = lineSeries[finding.code]
  if (ofLine && finding.service_bill_id !== null) return seriesOfLine(tx, finding, ofLine)
  const ofBill = billSeries[finding.code]
  return ofBill ? seriesOfBill(tx, finding, ofBill) : null
}

async function seriesOfLine(tx: Tx, { client_id, service_bill_id }: FindingOfSeries, series: LineSeries): Promise<FindingSeries | null> {
  const { rows } =
    await sql<LineRow>`select line.bill_id, line.read_date as date, line.read_date - line.previous_read_date as days, line.previous_read_date, line.multiplier,
      coalesce(line.standard_usage, line.usage) as usage,
      coalesce((select sum(entry.value) from service_bill_entry_values entry where entry.client_id = line.client_id and entry.service_bill_id = line.id), 0) as charge,
      jsonb_build_array((select value from installation_settings where name = 'audit_settings'), client.audit_settings, coalesce(billable.audit_settings, supply.audit_settings),
        service.audit_settings) as settings
    from service_bills shown join service_bills line on line.client_id = shown.client_id and line.service_id = shown.service_id and line.unit_id is not distinct from shown.unit_id
    join bills on bills.client_id = line.client_id and bills.id = line.bill_id
    join services service on service.client_id = line.client_id and service.id = line.service_id
    join clients client on client.id = line.client_id
    left join billable_accounts billable on billable.client_id = service.client_id and billable.id = service.billable_account_id
    left join supply_accounts supply on supply.client_id = service.client_id and supply.id = service.supply_account_id
    where shown.client_id = ${client_id} and shown.id = ${service_bill_id} and line.read_date > line.previous_read_date
      and (line.id = shown.id or (bills.superseded_by_id is null and line.read_date <= shown.read_date))
    order by line.id = shown.id desc, line.read_date desc, line.id desc limit ${findingHistoryMax * 2}`.execute(tx)
  const all = rows.flatMap((row) => {
    const value = series.value(row)
    return value === null ? [] : [{ row, value }]
  })
  const [shown, ...earlier] = all
  if (!shown) return null
  const past = earlier.toReversed()
  const points = [...past.slice(-(findingHistoryMax - 1)), shown].map(({ row, value }) => ({
    bill_id: row.bill_id,
    date: row.date,
    value: text(value),
  }))
  return { label: series.label, points, ...bandOf(series, shown.row, past) }
}

/** Computes the range in which the rule is silent: its own baseline, percentages and spreads. */
function bandOf({ band }: LineSeries, shown: LineRow, past: readonly { row: LineRow; value: number }[]) {
  const none = { low: null, high: null }
  if (!band) return none
  const settings = mergeAuditSettings(shown.settings.map(readable))
  const points = past.map(({ row, value }): Point => ({ month: middleOf(row), value }))
  const baseline = baselineFor(middleOf(shown), points, settings)
  if (!baseline || baseline.median <= 0) return none
  const { high, low } = band(settings)
  const spread = settings.outlier_spreads * baseline.spread
  return {
    low: text(Math.max(0, Math.min(baseline.median * (1 - low / 100), baseline.median - spread))),
    high: text(Math.max(baseline.median * (1 + high / 100), baseline.median + spread)),
  }
}

function middleOf({ previous_read_date, date }: LineRow) {
  return monthOf(addDays(previous_read_date, Math.floor(daysBetween(previous_read_date, date) / 2)))
}

function readable(stored: unknown): AuditSettingsPatch {
  const settings = auditSettingsPatch.safeParse(stored ?? {})
  return settings.success ? settings.data : {}
}

async function seriesOfBill(
  tx: Tx,
  { client_id, bill_id }: FindingOfSeries,
  { label, column }: { readonly label: string; readonly column: string },
): Promise<FindingSeries | null> {
  const value: RawBuilder<unknown> = sql.ref(`bills.${column}`)
  const { rows } = await sql<{ bill_id: number; date: string; value: string }>`select bills.id as bill_id, bills.date, ${value} as value
    from bills shown join bills on bills.client_id = shown.client_id and bills.billable_account_id is not distinct from shown.billable_account_id
      and bills.supply_account_id is not distinct from shown.supply_account_id
    where shown.client_id = ${client_id} and shown.id = ${bill_id}
      and (bills.id = shown.id or (bills.superseded_by_id is null and bills.date <= shown.date))
    order by bills.id = shown.id desc, bills.date desc, bills.id desc limit ${findingHistoryMax}`.execute(tx)
  const [shown, ...earlier] = rows
  return shown ? { label, points: [...earlier.toReversed(), shown], low: null, high: null } : null
}

/** A chart shows no more than four decimal places. */
function text(value: number): string {
  return String(Number(value.toFixed(4)))
}
