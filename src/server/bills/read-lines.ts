/** Service lines with all their children, for one bill or for a few lines: four statements, whatever the number of lines. */
import type { BillFinding } from '#contract/bills/bill-detail.ts'
import type { ServiceBill } from '#contract/bills/service-bill.ts'
import { lineFields, type LineList } from '#contract/bills/bill-fields.ts'
import { fieldFlags, type FieldFlags } from '#contract/bill-audits/bill-audits.ts'
import { lineCharge, numberOfDays } from '#contract/bill-figures/bill-totals.ts'
import { wireOf } from '#contract/kernel/money.ts'
import { namesOf } from '#contract/kernel/record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Condition } from '../kernel/lists/list.ts'

type Line = Omit<ServiceBill, 'number_of_days' | 'charge' | 'unit_options' | LineList | SixFlags> & {
  readonly utility_service_id: number | null
}
export type SixFlags = Exclude<keyof FieldFlags, 'flags' | 'any_child_flags'>

/**
 * Supply bill in the answer of a line: the one that it names; for a supplier's line its own bill; for a delivery's line the one that its
 * bill shows.
 */
export const answeredSupplyBill = sql<
  number | null
>`coalesce(line.supply_bill_id, case when service.supply_account_id is not null then line.bill_id else
  (select min(shown.bill_id) from bill_linked_service_bills link
    join service_bills shown on shown.client_id = link.client_id and shown.id = link.service_bill_id
    join services supplied on supplied.client_id = shown.client_id and supplied.id = shown.service_id
    where link.client_id = line.client_id and link.bill_id = line.bill_id and supplied.utility_service_id is not distinct from service.utility_service_id) end)`

/** The line's own columns. What is answered as its supply bill may be another one than the stored one. */
const storedColumns = sql.join(namesOf(lineFields).flatMap((name) => (name === 'supply_bill_id' ? [] : [sql.ref(`line.${name}`)])))

/**
 * Returns the lines that the condition names (over `line`), in the order of their bill. `findings` are the bill's open ones. A caller that
 * stores the lines again requests the supply bill as it is stored.
 */
export async function readLines(
  tx: Tx,
  clientId: number,
  condition: Condition,
  findings: readonly BillFinding[],
  supplyBill: RawBuilder<number | null> = answeredSupplyBill,
): Promise<ServiceBill[]> {
  const { rows } = await sql<Line>`
    select line.id, line.bill_id, line.position, ${storedColumns}, ${supplyBill} as supply_bill_id, line.standard_usage, utility.name as service_utility_service_name,
      service.meter_number as service_meter_number, service.service_name_1, service.service_name_2, service.metered, units.symbol as unit_symbol,
      service.utility_service_id, (select standard.symbol from usage_units join units standard on standard.id = usage_units.unit_id
        where usage_units.utility_service_id = service.utility_service_id and usage_units.standard) as standard_unit_symbol
    from service_bills line
    join services service on service.client_id = line.client_id and service.id = line.service_id
    left join utility_services utility on utility.id = service.utility_service_id
    left join units on units.id = line.unit_id
    where line.client_id = ${clientId} and ${condition} order by line.bill_id, line.position, line.id`.execute(tx)
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [entries, factors, additional, units] = await Promise.all([
    entryValues(tx, clientId, ids),
    usageFactors(tx, clientId, ids),
    additionalValues(tx, clientId, ids),
    unitOptions(tx, rows),
  ])
  return rows.map(({ utility_service_id, ...line }) => {
    const own = {
      ...line,
      service_bill_entry_fields: of(entries, line.id),
      service_bill_usage_factors: of(factors, line.id),
      service_bill_additional_entry_fields: of(additional, line.id),
    }
    return {
      ...own,
      ...sixFlags(findings.filter((finding) => finding.service_bill_id === line.id)),
      unit_options: units.get(utility_service_id ?? 0) ?? [],
      number_of_days: numberOfDays(line),
      charge: wireOf(lineCharge(own)),
    }
  })
}

/** Returns the six flags that open findings raise. */
export function sixFlags(findings: readonly BillFinding[]): Record<SixFlags, boolean> {
  const {
    flags: _flags,
    any_child_flags: _child,
    ...six
  } = fieldFlags(findings.filter((finding) => finding.resolved_at === null).map((finding) => ({ ...finding, line: null })))
  return six
}

interface Valued {
  readonly line_id: number
  readonly id: number
  readonly name: string
  readonly value: string | null
}

function of<V extends Valued>(values: ReadonlyMap<number, V[]>, lineId: number): Omit<V, 'line_id'>[] {
  return (values.get(lineId) ?? []).map((valued) => {
    const { line_id: _, ...value } = valued
    return value
  })
}

/** Returns the fields that the service asks for, filled or not, and all other fields with a value. */
async function entryValues(tx: Tx, clientId: number, ids: readonly number[]) {
  const { rows } = await sql<Valued & { category: 'utility' | 'supply' | 'other'; is_tax: boolean }>`
    select line.id as line_id, field.id, field.name, entry.value, field.category, field.is_tax
    from service_bills line
    cross join entry_fields field
    left join service_bill_entry_values entry on entry.client_id = line.client_id and entry.service_bill_id = line.id and entry.entry_field_id = field.id
    left join service_entry_fields asked on asked.client_id = line.client_id and asked.service_id = line.service_id and asked.entry_field_id = field.id
    where line.client_id = ${clientId} and line.id = any(${ids}::bigint[]) and (entry.value is not null or asked.entry_field_id is not null)
    order by field.position, field.id`.execute(tx)
  return Map.groupBy(rows, (row) => row.line_id)
}

async function usageFactors(tx: Tx, clientId: number, ids: readonly number[]) {
  const { rows } = await sql<Valued & { adjustment_factor: boolean }>`
    select line.id as line_id, field.id, field.name, factor.value, field.adjustment_factor
    from service_bills line
    join services service on service.client_id = line.client_id and service.id = line.service_id
    join usage_factors field on field.utility_service_id = service.utility_service_id
    left join service_bill_usage_factors factor on factor.client_id = line.client_id and factor.service_bill_id = line.id and factor.usage_factor_id = field.id
    left join service_usage_factors asked on asked.client_id = line.client_id and asked.service_id = line.service_id and asked.usage_factor_id = field.id
    where line.client_id = ${clientId} and line.id = any(${ids}::bigint[]) and (factor.value is not null or asked.usage_factor_id is not null)
    order by field.id`.execute(tx)
  return Map.groupBy(rows, (row) => row.line_id)
}

async function additionalValues(tx: Tx, clientId: number, ids: readonly number[]) {
  const { rows } = await sql<Valued>`
    select line.id as line_id, field.id, field.name, entry.value
    from service_bills line
    join additional_entry_fields field on field.client_id = line.client_id and field.service_id = line.service_id
    left join service_bill_additional_values entry on entry.client_id = line.client_id and entry.service_bill_id = line.id and entry.additional_entry_field_id = field.id
    where line.client_id = ${clientId} and line.id = any(${ids}::bigint[]) and (entry.value is not null or field.active)
    order by field.id`.execute(tx)
  return Map.groupBy(rows, (row) => row.line_id)
}

async function unitOptions(tx: Tx, lines: readonly Pick<Line, 'utility_service_id'>[]) {
  const ids = [...new Set(lines.flatMap((line) => line.utility_service_id ?? []))]
  const { rows } = await sql<{ utility_service_id: number; id: number; symbol: string }>`
    select usage_units.utility_service_id, units.id, units.symbol from usage_units join units on units.id = usage_units.unit_id
    where usage_units.utility_service_id = any(${ids}::bigint[]) order by usage_units.standard desc, units.symbol`.execute(tx)
  const options = Map.groupBy(rows, (row) => row.utility_service_id)
  return new Map([...options].map(([id, units]) => [id, units.map(({ id: unitId, symbol }) => ({ id: unitId, symbol }))]))
}
