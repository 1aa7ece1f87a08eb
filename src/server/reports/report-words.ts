/** The choices of a report in words, for its head. */
import { formatDate } from '#contract/kernel/date.ts'
import { accrualMethods, reportBases } from '#contract/reports/report-form-data.ts'
import { reportFields, reportForms, type ReportFieldKey } from '#contract/reports/report-form.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { AskedReport, ChoiceInWords } from './report-table.ts'

/** Most names written out; beyond that only their number is given. */
const namesShown = 8

const named: Readonly<Record<string, { readonly table: string; readonly name: RawBuilder<unknown>; readonly shared?: boolean }>> = {
  accounting_batch_ids: { table: 'accounting_batches', name: sql`batch_code` },
  payment_batch_ids: { table: 'payment_batches', name: sql`id::text` },
  utility_service_ids: { table: 'utility_services', name: sql`name`, shared: true },
  vendor_ids: { table: 'vendors', name: sql`name`, shared: true },
  division_ids: { table: 'divisions', name: sql`name` },
  facility_ids: { table: 'facilities', name: sql`name` },
  billable_account_ids: { table: 'billable_accounts', name: sql`account_number` },
  supply_account_ids: { table: 'supply_accounts', name: sql`account_number` },
}

/** Returns every choice that was made, in the order of the form. */
export async function wordsOf(tx: Tx, asked: AskedReport): Promise<ChoiceInWords[]> {
  const words: ChoiceInWords[] = []
  if (asked.divisionId !== null) {
    const { rows } = await sql<{
      name: string
    }>`select name from divisions where client_id = ${asked.clientId} and id = ${asked.divisionId}`.execute(tx)
    words.push({ label: 'For', text: rows[0]?.name ?? '' })
  }
  for (const key of reportForms[asked.name].fields) {
    const text = await textOf(tx, asked, key)
    if (text !== null) words.push({ label: reportFields[key].label, text })
  }
  return words
}

async function textOf(tx: Tx, asked: AskedReport, key: ReportFieldKey): Promise<string | null> {
  const { data } = asked
  switch (key) {
    case 'date_range':
      return rangeText(data.date_range)
    case 'basis':
      return reportBases.find(({ value }) => value === data.basis)?.label ?? null
    case 'accrual_method':
      return accrualMethods.find(({ value }) => value === data.accrual_method)?.label ?? null
    case 'ledger_details':
    case 'all_clients':
      return data[key] ? 'Yes' : null
    case 'last_bill_only':
      return asked.lastBillOnly ? 'Yes' : null
    case 'utility_service_fields':
      return data[key].length === 0 ? null : `${data[key].filter(({ checked }) => checked).length} chosen`
    default:
      return namesText(tx, asked.clientId, key, data[key])
  }
}

function rangeText({ from, to }: { readonly from: string | null; readonly to: string | null }): string | null {
  if (from === null && to === null) return null
  if (from === null) return `to ${formatDate(to)}`
  return to === null ? `from ${formatDate(from)}` : `${formatDate(from)} – ${formatDate(to)}`
}

async function namesText(tx: Tx, clientId: number, key: string, ids: readonly number[]): Promise<string | null> {
  const kind = named[key]
  if (!kind || ids.length === 0) return null
  if (ids.length > namesShown) return `${ids.length} chosen`
  const ofClient = kind.shared === true ? sql`` : sql`client_id = ${clientId} and`
  const { rows } = await sql<{ name: string }>`select ${kind.name} as name from ${sql.table(kind.table)}
    where ${ofClient} id = any(${ids}::bigint[]) order by 1`.execute(tx)
  return rows.map((row) => row.name).join(', ')
}
