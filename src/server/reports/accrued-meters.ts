/** Reads the meters whose cost is accrued, with the lines of their bills. The report and the score of its methods compute from them. */
import type { AccrualLine, InUse } from '#contract/reports/accrual.ts'
import { addToMonth, firstDayOf, monthOf, type CalendarDate } from '#contract/kernel/date.ts'
import { centsOf } from '#contract/kernel/money.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { and } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { rowsByCursor } from '../kernel/postgres/rows-by-cursor.ts'
import { costedLines } from '../month-facts/month-facts.ts'
import { effectiveLedgers } from '../services/services.ts'
import type { AskedReport } from './report-table.ts'
import { isConfigured, serviceJoins, servicesAsked } from './service-choice.ts'

/** Services whose lines are read at once: the process takes their answer in one go, and nobody else is answered meanwhile. */
const SERVICES_AT_ONCE = 50
/** Years of lines that are read: three for a seasonal accrual, and two for the ends of months that are scored and the lines before them. */
const YEARS_READ = 5

export interface AccruedService {
  readonly id: number
  readonly billable_account_id: number | null
  readonly supply_account_id: number | null
  readonly account_number: string
  readonly facility: string | null
  readonly vendor: string | null
  readonly utility_service: string | null
  readonly meter: string | null
  readonly unit: string | null
  readonly in_use: InUse
  /** False for a meter that is shown for its bills alone: it has retired, or is left out of accruals. */
  readonly accrued: boolean
  readonly ledgers: readonly { readonly ledger_account_name: string; readonly share_ratio: string }[]
}

export interface AccruedLine extends AccrualLine {
  readonly service_id: number
}

interface AccruedMeter {
  readonly service: AccruedService
  /** The lines that cover days, of all bills up to the newest, ordered by their last day. */
  readonly lines: readonly AccruedLine[]
}

/**
 * Every expected meter with its lines, and the others with these ids, some at a time, by account number. Lines reach back five years from `to`;
 * null reads all of them.
 */
export async function* accruedMeters(
  tx: Tx,
  asked: AskedReport,
  to: CalendarDate | null,
  others: readonly number[] = [],
): AsyncGenerator<AccruedMeter[]> {
  const services = sql<AccruedService>`select services.id, services.billable_account_id, services.supply_account_id,
      coalesce(billable.account_number, supply.account_number) as account_number, facility.name as facility,
      vendor.name as vendor, kind.name as utility_service, services.meter_number as meter, standard_unit.symbol as unit, ${effectiveLedgers} as ledgers,
      coalesce(${isAccrued}, false) as accrued, json_build_object('from', greatest(services.effective_from, billable.effective_from, supply.effective_from),
        'to', least(services.effective_to, billable.effective_to, supply.effective_to)) as in_use
    from services ${serviceJoins(asked.clientId)}
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard
    left join units standard_unit on standard_unit.id = standard.unit_id
    where ${and(servicesAsked(asked))} and (${isAccrued} or services.id = any(${others}::bigint[]))
    order by coalesce(billable.account_number, supply.account_number), services.id`
  for await (const some of rowsByCursor(tx, services, { name: 'accrued_services', atOnce: SERVICES_AT_ONCE })) {
    const lines = await linesOf(tx, asked, some, to)
    yield some.map((service) => ({ service, lines: lines.get(service.id) ?? [] }))
  }
}

/** Returns true if the choices name more meters than that. */
export async function namesMoreMetersThan(tx: Tx, asked: AskedReport, most: number): Promise<boolean> {
  const { rows } =
    await sql`select from services ${serviceJoins(asked.clientId)} where ${and([...servicesAsked(asked), isAccrued])} limit ${most + 1}`.execute(
      tx,
    )
  return rows.length > most
}

const isAccrued: RawBuilder<SqlBool> = sql`(${isConfigured} and not services.accruals_off and not coalesce(billable.accruals_off, supply.accruals_off))`

/** Returns the services' lines that cover days, with their share of their bills' charges. */
async function linesOf(
  tx: Tx,
  { clientId }: AskedReport,
  services: readonly AccruedService[],
  to: CalendarDate | null,
): Promise<Map<number, AccruedLine[]>> {
  const ids = services.map(({ id }) => id)
  const since = to === null ? null : firstDayOf(addToMonth(monthOf(to), -12 * YEARS_READ))
  const bills = sql<SqlBool>`${since === null ? sql`true` : sql`bills.date >= ${since}::date`}
    and exists (select from service_bills wanted where wanted.client_id = ${clientId} and wanted.bill_id = bills.id
    and wanted.service_id = any(${ids}::bigint[]))`
  const { rows } = await sql<
    Omit<AccruedLine, 'charges'> & { charges: readonly string[] }
  >`select costed.service_id, line.previous_read_date as from, line.read_date as to, bill.date as bill_date,
      array[costed.utility, costed.supply, costed.other]::numeric(14,2)[]::text[] as charges, costed.usage,
      exists (select from bill_findings finding where finding.client_id = ${clientId} and finding.service_bill_id = line.id and finding.resolved_at is null
        and finding.severity in ('E', 'E!') and finding.code in ('usage_high', 'usage_low', 'cost_day_high', 'cost_day_low')) as outlier
    from ${costedLines(clientId, bills, true)} costed
    join service_bills line on line.client_id = ${clientId} and line.id = costed.service_bill_id
    join bills bill on bill.client_id = ${clientId} and bill.id = costed.bill_id
    where costed.service_id = any(${ids}::bigint[]) and line.previous_read_date < line.read_date
    order by costed.service_id, line.read_date, line.id`.execute(tx)
  return Map.groupBy(
    rows.map((row) => ({ ...row, charges: row.charges.map(centsOf) })),
    ({ service_id }) => service_id,
  )
}
