/** Data per kind for the export-import test: its exports, and the cells that only the kind itself can define. */
import type { ImportKindName } from '#contract/imports/import.ts'
import { listedCell } from './varied-cells.ts'

/** Exports whose files together contain what the import of the kind accepts. */
export const exportsOfKind: Readonly<Record<ImportKindName, readonly string[]>> = {
  bills: ['bills_with_lines.export'],
  vendor: ['vendors.export'],
  ledger_account: ['ledger_accounts.export'],
  ledger_field: ['ledger_fields.export'],
  division: ['divisions.export'],
  facility: ['facilities.export'],
  billableAccount: ['billable_accounts.export', 'services_of_billable_accounts.export'],
  supplyAccount: ['supply_accounts.export', 'services_of_supply_accounts.export'],
  clientVendorNumber: ['client_vendor_numbers.export'],
  budget: ['budgets.export'],
  degreeDay: ['degree_days.export'],
  client: ['clients.export'],
}

const found = 'a finding, a search or a forecast that the server works out; nothing of it is entered'
const inForm = 'few records, kept by an administrator in their form; the specification names no import of them'
const asList = 'a wider or a narrower list of what the client’s own export holds; imports are made client by client'
const ofPrograms = 'made and kept by hand; what was sent, and to whom, is no data to bring along'
const asServices = 'the services of one account; the file of all of them goes into the import of accounts'
const batched = 'a batch gathers bills that are there; it is made in the console'

/** Reasons why no import accepts these files. */
export const exportsWithoutImport: Readonly<Record<string, string>> = {
  'accounting_batches.export': batched,
  'accounting_batches.bills_export': batched,
  'global_batches.export': batched,
  'global_batch_files.export': batched,
  'global_batches.accounting_export': 'a register of what was paid, for the books; paying it again would be wrong',
  'export_releases.export': 'what was asked for and decided at the desk; no file releases an export',
  'issued_checks.export': 'what is known of checks; their numbers go in by the file of the bank or the printer',
  'remittance_advices.export': 'what was mailed, and to whom; the desk pays again before it mails again',
  'bank_statements.export': 'what banks have said; their own files go in, and each counts once',
  'bank_statement_lines.export': 'lines of statements; the file of the bank goes in',
  'outstanding_payments.export': found,
  'bank_returns.export': 'what banks have sent back; their own files go in, and each counts once',
  'global_bills.export': found,
  'global_risks.export': found,
  'payment_batches.export': batched,
  'payment_batches.bills_export': batched,
  'vendor_payments.export': batched,
  'advanced_search.export': found,
  'client_advanced_search.export': found,
  'bill_findings.export': found,
  'billable_account_calendars.export': found,
  'supply_account_calendars.export': found,
  'exceptions.export': found,
  'exceptions.export_all': found,
  'billable_accounts_consecutive_estimations.export': found,
  'billable_accounts_missing_bills.export': found,
  'supply_accounts_missing_bills.export': found,
  'past_due_bills.export': found,
  'audit_log.export': 'the trail is written by what happens, never by a file',
  'bills.export': 'the list as it is looked at, without lines; the file with lines is the one that goes in',
  'bill_scans.export': 'a list of documents that wait, without their bytes; what is saved of them are bills',
  'site_surveys.export': 'surveys are filled in by people who walk through a facility, step by step',
  'documents.export': 'a list of files, without their bytes',
  'group_accounts.export': 'accounts that the file of accounts holds, with their group',
  'group_supply_accounts.export': 'accounts that the file of supply accounts holds, with their group',
  'services.export': asServices,
  'supply_account_services.export': asServices,
  'channel_partners.export': inForm,
  'cost_parameters.export': inForm,
  'facility_types.export': inForm,
  'originating_profiles.export': inForm,
  'payment_methods.export': inForm,
  'production_units.export': inForm,
  'units.export': inForm,
  'weather_stations.export': inForm,
  'utility_services.export': inForm,
  'users.export': 'people are invited, each by a letter of their own',
  'clients.users_export': 'people are invited, each by a letter of their own',
  'vendor_bank_changes.export': 'bank numbers wait for a second person; no file approves them',
  'vendor_bank_changes.of_vendor_export': 'bank numbers wait for a second person; no file approves them',
  'bills.list_all_export': asList,
  'bills.of_billable_account_export': asList,
  'bills.of_supply_account_export': asList,
  'bills.of_group_account_export': asList,
  'bills.of_group_supply_account_export': asList,
  'facilities.list_all_export': asList,
  'divisions.list_all_export': asList,
  'billable_accounts.list_all_export': asList,
  'supply_accounts.list_all_export': asList,
  'group_accounts.list_all_export': asList,
  'group_supply_accounts.list_all_export': asList,
  'group_accounts.subaccounts_export': asList,
  'group_supply_accounts.subaccounts_export': asList,
  'bill_findings.list_all_export': found,
  'api_tokens.export': ofPrograms,
  'api_tokens.own_export': ofPrograms,
  'webhooks.export': ofPrograms,
  'webhook_deliveries.export': ofPrograms,
  'mails.export': ofPrograms,
  'security_events.export': ofPrograms,
  'tied_pairs.export': found,
  'user_roles.export': 'roles are granted by people, each by name',
  'bill_documents.export': 'a list of bundles, without their bytes',
  'export_profiles.export': 'a profile is made in its editor, beside a preview of the file',
  'generated_reports.export': 'a list of reports, without their bytes',
  'report_schedules.export': 'a schedule is made on its form, beside its due times',
  'report_deliveries.export': 'what was sent; it is not brought along',
  'bulk_changes.export': 'what was done; it is undone, never brought along',
  'bill_retrieval.statements_export': 'the service brings the statements themselves',
  'batch_groups.export': inForm,
  'entry_fields.export': 'shipped with the product',
}

/** Columns that no export contains, with the reasons. */
export const heldBack: Readonly<Record<string, string>> = {
  po_box: 'a bank number leaves by no file',
  payment_identifier: 'a bank number leaves by no file',
}

/** Columns whose change alone is refused, or is not a change of this row's record. */
export const notChangedAlone: readonly string[] = [
  'is_group_account',
  'group_account_number',
  'linked_billable_account_number',
  'linked_meter_number',
  // The names of a service's measurements depend on each other: another utility service has other units and factors.
  'service_utility_code',
  'usage_unit',
  'usage_factors',
]

/** Names that rows of the other kinds have created. */
export interface KnownNames {
  readonly ledgers: readonly string[]
  /** Numbers and meters of billable accounts. */
  readonly meters: readonly { readonly number: string; readonly meter: string }[]
}

/** The first rows of accounts are group accounts, which have no services. */
export const groupRows = 2

/** Cells of columns that the kind stores itself, and of those that depend on each other. `undefined` leaves a cell to its field. */
export function ownCell(kind: ImportKindName, name: string, row: number, known: KnownNames): string | undefined {
  const isGroup = row < groupRows
  const ledger = (at: number): string => known.ledgers[at % Math.max(1, known.ledgers.length)] ?? ''
  switch (name) {
    case 'short_code':
      return kind === 'vendor' ? `0${row}-V` : kind === 'client' ? `'=C${row}` : undefined
    case 'effective_from':
    case 'service_effective_from':
      return row % 3 === 0 ? '' : '2020-01-31'
    case 'effective_to':
    case 'service_effective_to':
      return row % 2 === 0 ? '' : '12/31/2029'
    case 'is_group_account':
      return isGroup ? 'Y' : 'N'
    case 'group_account_number':
      return isGroup || row % 4 !== 0 ? '' : groupNumber(kind)
    case 'account_number':
      return kind === 'bills' || kind === 'budget'
        ? undefined
        : row === 0
          ? groupNumber(kind)
          : `${'000-AC;"'.slice(0, 4 + (row % 5))}${row}`
    case 'month':
      return kind === 'budget' ? `${2000 + row}-0${1 + (row % 9)}` : undefined
    case 'period':
      return row % 2 === 0 ? `${2000 + row}-02` : `${2000 + row}-02-28`
    case 'heating':
    case 'cooling':
      return row % 3 === 0 ? '0' : `${row}.25`
    case 'aliases':
      return kind === 'vendor' || row % 3 !== 0 ? undefined : `${kind} ${row}; ${listedCell(`${row};"${kind}"`)}`
    case 'service_identifiers':
    case 'tax_ids':
      return row % 2 === 0 ? '' : `${row}; ${listedCell(`${row};"x"`)}`
    case 'linked_billable_account_number':
      return row % 3 === 2 ? listedCell(known.meters[row]?.number ?? '') : ''
    case 'linked_meter_number':
      return row % 3 === 2 ? listedCell(known.meters[row]?.meter ?? '') : ''
    case 'meter_number':
      return `${['M-', '=', '00', "'-"][row % 4] ?? ''}${row}`.replace(/^=/, "'=")
    case 'service_utility_code':
      return 'electric'
    case 'usage_unit':
      return row % 2 === 0 ? 'kWh' : 'MWh'
    case 'usage_factors':
      return row % 2 === 0 ? '' : 'Demand'
    case 'shares':
      return row % 3 === 0 ? `${listedCell(`${ledger(row)}:0.25`)}; ${listedCell(`${ledger(row + 1)}:0.75`)}` : ''
    case 'supplier_factors':
      return row % 3 === 1 ? `${listedCell('2024:0.1234:Green; "Power": Co')}; 2025:0.0000:Wind` : ''
    case 'emissions_factor_year':
      return row % 2 === 0 ? '' : String(2001 + (row % 5))
    case 'portfolio_manager_property_id':
    case 'portfolio_manager_meter_id':
      return row % 2 === 0 ? '' : `50${row}`
    case 'additional_entry_fields':
      return row % 6 === 1 ? `Peak; ${listedCell('a;b')}; Old:N` : row % 6 === 4 ? 'Valley' : ''
    default:
      return undefined
  }
}

function groupNumber(kind: ImportKindName): string {
  return `00-G ${kind}`
}
