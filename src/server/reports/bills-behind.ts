/** The way from a figure of a report to its bills: the filters of the list of bills that finds exactly these. */
import type { BillFilters, FigureBills } from '#contract/reports/figure-bills.ts'
import type { MonthWindow } from '#contract/dashboard/date-range.ts'
import type { AskedReport, ReportRow } from './report-table.ts'

/** Remembers the figures of rows that code makes, by the row itself. */
interface RowsBehind {
  note(row: ReportRow, figures: readonly FigureBills[]): ReportRow
  of(row: ReportRow): readonly FigureBills[]
}

export function rowsBehind(): RowsBehind {
  const known = new WeakMap<ReportRow, readonly FigureBills[]>()
  return {
    note(row, figures) {
      known.set(row, figures)
      return row
    },
    of: (row) => known.get(row) ?? [],
  }
}

/** Filters by the days, services and basis that a figure of whole months counts. */
export function inWindow({ from, to }: Pick<MonthWindow, 'from' | 'to'>, services: readonly number[], isFiscal = false): BillFilters {
  return {
    counted_on_gteq: from,
    counted_on_lteq: to,
    ...among('counted_service_id', services),
    ...(isFiscal ? { counted_basis: 'fiscal' } : {}),
  }
}

/** The bills of a row's cost, and of its cost a year before, in months `now` and `before`. */
export function costFigures<Of>(
  client_id: number,
  of: { readonly now: Of; readonly before: Of },
  filtersOf: (one: Of) => BillFilters,
): FigureBills[] {
  return [
    { column: 'cost', client_id, filters: filtersOf(of.now), comes_to: 'counted' },
    { column: 'previous_cost', client_id, filters: filtersOf(of.before), comes_to: 'counted' },
  ]
}

/** Filters by the divisions and facilities of a report, and by the division that it is for. */
export function placeFilters({ data, divisionId }: Pick<AskedReport, 'data' | 'divisionId'>): BillFilters {
  return {
    ...among('division_id', data.division_ids),
    ...among('facility_id', data.facility_ids),
    ...(divisionId === null ? {} : { division_id_eq: String(divisionId) }),
  }
}

/**
 * Filters for the bills that `askedBills` selects; null where the list of bills has none: the last bill of each account, lines of a utility
 * service, accounts of both kinds, several clients.
 */
export function chosenFilters(asked: AskedReport): BillFilters | null {
  const { data, lastBillOnly } = asked
  const { billable_account_ids: billable, supply_account_ids: supply, date_range } = data
  if (lastBillOnly || data.all_clients || data.utility_service_ids.length > 0 || (billable.length > 0 && supply.length > 0)) return null
  return {
    ...(date_range.from === null ? {} : { date_gteq: date_range.from }),
    ...(date_range.to === null ? {} : { date_lteq: date_range.to }),
    ...among('vendor_id', data.vendor_ids),
    ...among('accounting_batch_id', data.accounting_batch_ids),
    ...among('payment_batch_id', data.payment_batch_ids),
    ...among('billable_account_id', billable),
    ...among('supply_account_id', supply),
    ...placeFilters(asked),
  }
}

/** Not void: what client batches have booked is part of their sums, also where it was replaced since. */
export const withoutVoid: BillFilters = { counts_not_eq: 'void' }

function among(key: string, ids: readonly number[]): BillFilters {
  return ids.length === 0 ? {} : { [`${key}_in`]: ids.join(',') }
}
