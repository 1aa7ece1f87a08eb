/** Assembles the input of a report: its form, the choices, the maker's reach and the rights of its readers. */
import type { ReportAssignee } from '#contract/reports/generated-report.ts'
import {
  missingChoice,
  missingFieldsTitle,
  reportFormOf,
  reportNames,
  wholeClientOnly,
  type ReportForm,
  type ReportName,
} from '#contract/reports/report-form.ts'
import { reportFormData, type ReportFormData } from '#contract/reports/report-form-data.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { mayIn, reachesWhole, reachOf, type Principal } from '../kernel/principal.ts'
import { forbidden, invalid, notFound } from '../kernel/problem.ts'
import type { AskedReport } from './report-table.ts'

export interface KnownReport {
  readonly id: number
  readonly name: ReportName
  readonly description: string
  readonly key_items: string[]
  readonly export_type: 'pdf' | 'csv_and_pdf' | 'csv'
  readonly form: ReportForm
}

/** Returns the reports of this version in their order. */
export async function knownReports(tx: Tx): Promise<KnownReport[]> {
  const { rows } = await sql<
    Omit<KnownReport, 'form' | 'name'> & { name: string }
  >`select id, name, description, key_items, export_type from reports order by position, id`.execute(tx)
  return rows.flatMap((row) => {
    const name = reportNames.find((known) => known === row.name)
    const form = reportFormOf(row.name)
    return name && form ? [{ ...row, name, form }] : []
  })
}

/** Throws not-found if the report does not exist, and forbidden if the user's role is too narrow for it. */
export async function reportFor(tx: Tx, principal: Principal, clientId: number, id: number): Promise<KnownReport> {
  const found = (await knownReports(tx)).find((one) => one.id === id)
  if (!found) throw notFound('Report not found.')
  const refusal = tooNarrow(principal, clientId, found)
  if (refusal) throw forbidden(refusal)
  return found
}

/** Returns the reason a role is too narrow for a report, or null. */
export function tooNarrow(principal: Principal, clientId: number, { name, form }: Pick<KnownReport, 'name' | 'form'>): string | null {
  const reach = reachOf(principal, 'generated_report.read')
  if (form.reach === 'client' && !reachesWhole(reach, clientId)) return wholeClientOnly(name)
  if (form.reach === 'staff' && !isStaff(principal)) return `The ${name} is for provider staff.`
  return null
}

const staffRoles: readonly string[] = ['super_admin', 'muc_admin', 'channel_partner_admin']

export function isStaff(principal: Principal): boolean {
  return principal.grants.some((grant) => staffRoles.includes(grant.role))
}

interface Choices {
  readonly form_data: unknown
  readonly last_bill_only: boolean
  readonly assignable_type: ReportAssignee
  readonly division_id: number | null
  /** The day for which a scheduled report is made, which may be run later; null for today. */
  readonly run_on?: string | null
}

/**
 * Returns the report's current input. A report for a division contains nothing that its users may not see elsewhere; one for the client contains
 * no notes, which some of its users may not read.
 */
export function askedReport(principal: Principal, clientId: number, { name, form }: KnownReport, choices: Choices): AskedReport {
  const reach = reachOf(principal, 'bill.read')
  if (!mayIn(principal, 'bill.read', clientId)) throw forbidden('You may not read these bills any more.')
  const isForMe = choices.assignable_type === 'User'
  const rights = {
    ledger: choices.assignable_type !== 'Division' && mayIn(principal, 'ledger_account.read', clientId),
    notes: isForMe && mayIn(principal, 'bill_notes.read', clientId),
  }
  const data = reportFormData.parse(choices.form_data)
  return {
    clientId,
    name,
    columns: form.columns.filter(({ needs }) => needs === undefined || rights[needs]),
    data,
    lastBillOnly: choices.last_bill_only,
    divisionId: choices.division_id,
    reach,
    rights,
    today: choices.run_on ?? today(),
  }
}

/** Throws 422 if the choices lack something the report needs, or name something it does not use. */
export function checkChoices({ form }: KnownReport, data: ReportFormData, lastBillOnly: boolean): void {
  const missing = missingChoice(form, data)
  if (missing) throw invalid({ [`form_data.${missing.field}`]: [missing.message] }, missingFieldsTitle)
  const has = (key: string): boolean => form.fields.some((field) => field === key)
  const isChosen: Readonly<Record<keyof ReportFormData, boolean>> = {
    date_range: data.date_range.from !== null || data.date_range.to !== null,
    utility_service_ids: data.utility_service_ids.length > 0,
    accounting_batch_ids: data.accounting_batch_ids.length > 0,
    payment_batch_ids: data.payment_batch_ids.length > 0,
    vendor_ids: data.vendor_ids.length > 0,
    division_ids: data.division_ids.length > 0,
    facility_ids: data.facility_ids.length > 0,
    billable_account_ids: data.billable_account_ids.length > 0,
    supply_account_ids: data.supply_account_ids.length > 0,
    ledger_details: data.ledger_details,
    utility_service_fields: data.utility_service_fields.length > 0,
    basis: data.basis !== 'calendarized',
    accrual_method: data.accrual_method !== 'seasonal',
    all_clients: data.all_clients,
  }
  const stray = Object.entries(isChosen).filter(([key, chosen]) => chosen && !has(key))
  if (stray.length > 0) throw invalid(Object.fromEntries(stray.map(([key]) => [`form_data.${key}`, ['This report does not ask for it']])))
  if (lastBillOnly && !has('last_bill_only')) throw invalid({ last_bill_only: ['This report does not ask for it'] })
  if (data.utility_service_fields.length > 0 && data.utility_service_fields.every(({ checked }) => !checked))
    throw invalid({ 'form_data.utility_service_fields': ['At least one field must be checked'] })
}

/** Throws if a report of the whole client is made for a part of it, or a report on several clients for anyone but its maker. */
export function checkReaders(context: Context, { form }: KnownReport, data: ReportFormData, type: ReportAssignee): void {
  if (form.reach === 'client' && type === 'Division')
    throw invalid({ assignable_type: ['This report holds the bills of the whole client: assign it to the client or to Me'] })
  if (!data.all_clients && form.reach !== 'staff') return
  if (data.all_clients && !isStaff(context.principal))
    throw invalid({ 'form_data.all_clients': ['Only provider staff may ask for all clients'] })
  if (type !== 'User') throw invalid({ assignable_type: ['A report about several clients can be assigned to Me only'] })
}
