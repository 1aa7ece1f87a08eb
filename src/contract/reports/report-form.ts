/**
 * The reports as data: the choices of each form, the required ones, the bills it may contain, and its columns. The server computes each column
 * under its key; the form, the preview and the files show its label.
 */
import type { ReportFormData } from './report-form-data.ts'

export const reportNames = [
  'Trial Balance Report',
  'Global Data Export',
  'Cost & Usage Report',
  'Inventory Report',
  'Universal Data Export',
  'Accrual Report',
  'Facilities Report',
  'Client Facilities Report',
  'Month End Report',
  'GHG Inventory Report',
  'Portfolio Manager Properties Export',
  'Portfolio Manager Bills Export',
  'Portfolio Manager Check Report',
] as const
export type ReportName = (typeof reportNames)[number]

export type ReportFieldKey = keyof ReportFormData | 'last_bill_only'

/** The choices by key: their labels, and the list that an id is picked from. */
export const reportFields: Readonly<Record<ReportFieldKey, { readonly label: string; readonly refers?: string }>> = {
  date_range: { label: 'Date Range' },
  accounting_batch_ids: { label: 'Client Batches', refers: 'accounting_batches' },
  payment_batch_ids: { label: 'Vendor Batches', refers: 'payment_batches' },
  utility_service_ids: { label: 'Utility Services', refers: 'utility_services' },
  vendor_ids: { label: 'Vendors', refers: 'vendors' },
  division_ids: { label: 'Divisions', refers: 'divisions' },
  facility_ids: { label: 'Facilities', refers: 'facilities' },
  billable_account_ids: { label: 'Billable Accounts', refers: 'billable_accounts' },
  supply_account_ids: { label: 'Supply Accounts', refers: 'supply_accounts' },
  basis: { label: 'Basis' },
  accrual_method: { label: 'Accrual Method' },
  ledger_details: { label: 'Ledger Details' },
  utility_service_fields: { label: 'Fields' },
  last_bill_only: { label: 'Last Bill Only' },
  all_clients: { label: 'All Clients' },
}

export const reportColumnKinds = ['text', 'date', 'month', 'integer', 'decimal', 'money', 'percent'] as const
export type ReportColumnKind = (typeof reportColumnKinds)[number]

export interface ReportColumn {
  readonly key: string
  readonly label: string
  readonly kind: ReportColumnKind
  /** The column has a total. */
  readonly total?: boolean
  /** A right that the report's readers also need: without it the column is left out. */
  readonly needs?: 'ledger' | 'notes'
  /** The column is left out of the PDF, which has no room for it. */
  readonly fileOnly?: boolean
  /** A text of one short word, such as a unit. */
  readonly short?: boolean
}

export interface ReportForm {
  readonly fields: readonly ReportFieldKey[]
  /** The choice required to make the report, or null. */
  readonly requires: 'date_range_or_client_batch' | 'utility_service' | null
  /**
   * 'scope': available to all who may make reports, over their reach. 'client': about the client as a whole, not available to a narrowed role.
   * 'staff': about several clients, for provider staff and only for themselves.
   */
  readonly reach: 'scope' | 'client' | 'staff'
  /** In order. A report whose data determine further columns marks their position by `more`. */
  readonly columns: readonly ReportColumn[]
}

const text = (key: string, label: string, more: Partial<ReportColumn> = {}): ReportColumn => ({ key, label, kind: 'text', ...more })
const date = (key: string, label: string, more: Partial<ReportColumn> = {}): ReportColumn => ({ key, label, kind: 'date', ...more })
const count = (key: string, label: string, more: Partial<ReportColumn> = {}): ReportColumn => ({ key, label, kind: 'integer', ...more })
const amount = (key: string, label: string, more: Partial<ReportColumn> = {}): ReportColumn => ({ key, label, kind: 'money', ...more })
const decimal = (key: string, label: string, more: Partial<ReportColumn> = {}): ReportColumn => ({ key, label, kind: 'decimal', ...more })
const percent = (key: string, label: string, more: Partial<ReportColumn> = {}): ReportColumn => ({ key, label, kind: 'percent', ...more })
const month = (key: string, label: string): ReportColumn => ({ key, label, kind: 'month' })

const sum = { total: true } as const
const fileOnly = { fileOnly: true } as const
const accounts = ['vendor_ids', 'division_ids', 'facility_ids', 'billable_account_ids', 'supply_account_ids'] as const

/** A service line of a bill with all its data. */
const lineColumns: readonly ReportColumn[] = [
  text('client', 'Client'),
  text('division', 'Division'),
  text('division_code', 'Division Code'),
  text('facility', 'Facility'),
  text('facility_number', 'Facility Number'),
  text('account_type', 'Account Type'),
  text('account_number', 'Account Number'),
  text('account', 'Account'),
  text('vendor', 'Vendor'),
  text('vendor_number', 'Vendor Number'),
  text('utility_service', 'Utility Service'),
  text('meter', 'Meter'),
  text('service_name_1', 'Service Name 1'),
  text('service_name_2', 'Service Name 2'),
  text('rate_schedule', 'Rate Schedule'),
  count('bill_id', 'Bill ID'),
  count('bill_row', 'Bill Row'),
  text('invoice_number', 'Invoice Number'),
  date('bill_date', 'Bill Date'),
  date('due_date', 'Due Date'),
  date('previous_read_date', 'Previous Read Date'),
  date('read_date', 'Read Date'),
  date('next_read_date', 'Next Read Date'),
  month('fiscal_month', 'Fiscal Month'),
  count('days', 'Days'),
  decimal('previous_reading', 'Previous Reading'),
  decimal('meter_reading', 'Meter Reading'),
  decimal('multiplier', 'Multiplier'),
  decimal('usage', 'Usage'),
  text('unit', 'Unit'),
  decimal('standard_usage', 'Standard Usage'),
  text('standard_unit', 'Standard Unit'),
  text('usage_counts', 'Usage Counts'),
  text('amount_counts', 'Amount Counts'),
  text('estimated', 'Estimated'),
  amount('line_total', 'Line Total', sum),
  amount('balance_forward', 'Balance Forward', sum),
  amount('current_charges', 'Current Charges', sum),
  amount('late_fee', 'Late Fee', sum),
  amount('amount_due', 'Amount Due', sum),
  amount('amount_paid', 'Amount Paid', sum),
  text('status', 'Status'),
  text('accounting_status', 'Accounting Status'),
  text('payment_status', 'Payment Status'),
  text('batch_code', 'Client Batch'),
  count('payment_batch', 'Vendor Batch'),
  text('check_number', 'Payment ID'),
  date('payment_date', 'Payment Date'),
  count('group_bill_id', 'Group Bill ID'),
  decimal('kg_co2e', 'kgCO2e', sum),
  text('flags', 'Flags'),
  text('file_link', 'File Link'),
  text('notes', 'Notes', { needs: 'notes' }),
]

const facilityColumns: readonly ReportColumn[] = [
  text('number', 'Number'),
  text('name', 'Name'),
  text('division', 'Division'),
  text('facility_type', 'Type'),
  decimal('square_footage', 'Square Feet', sum),
  text('production_units', 'Production Units', fileOnly),
  text('address', 'Address', fileOnly),
  count('active_accounts', 'Active Accounts', { ...sum, ...fileOnly }),
  count('active_meters', 'Active Meters', sum),
  amount('cost', 'Cost', sum),
  decimal('mmbtu', 'MMBtu', sum),
  decimal('eui', 'kBtu / sq ft'),
  decimal('cost_per_square_foot', 'Cost / sq ft'),
  decimal('tonnes', 't CO2e', sum),
  decimal('tonnes_per_thousand', 't CO2e / 1,000 sq ft'),
  amount('previous_cost', 'Cost Year Before', sum),
  percent('change', 'Change'),
  percent('coverage', 'Coverage'),
]

export const reportForms: Readonly<Record<ReportName, ReportForm>> = {
  'Trial Balance Report': {
    fields: ['date_range', 'accounting_batch_ids', 'vendor_ids', 'division_ids', 'ledger_details'],
    requires: 'date_range_or_client_batch',
    reach: 'client',
    columns: [
      text('division', 'Division'),
      text('ledger_account', 'Ledger Account'),
      count('bill_count', 'Bills'),
      amount('debit', 'Debit', sum),
      amount('credit', 'Credit', sum),
      amount('net', 'Net', sum),
    ],
  },
  'Global Data Export': {
    fields: [
      'date_range',
      'accounting_batch_ids',
      'payment_batch_ids',
      'utility_service_ids',
      ...accounts,
      'ledger_details',
      'last_bill_only',
    ],
    requires: 'date_range_or_client_batch',
    reach: 'scope',
    columns: lineColumns,
  },
  'Cost & Usage Report': {
    fields: ['date_range', 'basis', 'utility_service_ids', ...accounts],
    requires: 'utility_service',
    reach: 'scope',
    columns: [
      text('utility_service', 'Utility Service'),
      text('part', 'Of'),
      month('month', 'Month'),
      decimal('usage', 'Usage'),
      text('unit', 'Unit', { short: true }),
      amount('cost', 'Cost', sum),
      decimal('unit_cost', 'Unit Cost'),
      amount('cost_per_day', 'Cost / Day'),
      decimal('usage_per_day', 'Usage / Day'),
      decimal('previous_usage', 'Usage Year Before'),
      amount('previous_cost', 'Cost Year Before', sum),
      percent('change', 'Cost Change'),
      decimal('tonnes', 't CO2e', sum),
      percent('coverage', 'Coverage'),
    ],
  },
  'Inventory Report': {
    fields: ['utility_service_ids', ...accounts, 'date_range'],
    requires: 'utility_service',
    reach: 'scope',
    columns: [
      text('division', 'Division'),
      text('facility', 'Facility'),
      text('facility_number', 'Facility Number'),
      decimal('square_footage', 'Square Feet'),
      text('facility_type', 'Facility Type'),
      text('account_type', 'Account Type'),
      text('account_number', 'Account Number'),
      text('active', 'Active'),
      text('vendor', 'Vendor'),
      text('utility_service', 'Utility Service'),
      text('service_name_1', 'Service Name 1'),
      text('meter', 'Meter'),
      decimal('multiplier', 'Multiplier'),
      text('rate_schedule', 'Rate Schedule'),
      text('contract_demand', 'Contract Demand'),
      text('unit', 'Unit'),
      decimal('emissions_factor', 'kgCO2e / Factor Unit'),
      text('factor_unit', 'Factor Unit', { short: true }),
      text('factor_source', 'Factor'),
      text('ledger_accounts', 'Ledger Accounts', { needs: 'ledger' }),
      date('first_bill', 'First Bill'),
      date('last_bill', 'Last Bill'),
      count('bill_count', 'Bills', sum),
      text('inventoried', 'Inventoried'),
      text('scope', 'GHG Scope'),
      decimal('activity', 'Activity'),
      text('activity_unit', 'Activity Unit'),
      decimal('tonnes', 't CO2e', sum),
    ],
  },
  'Universal Data Export': {
    fields: [
      'date_range',
      'accounting_batch_ids',
      'payment_batch_ids',
      'utility_service_ids',
      ...accounts,
      'utility_service_fields',
      'last_bill_only',
      'all_clients',
    ],
    requires: 'utility_service',
    reach: 'scope',
    columns: lineColumns,
  },
  'Accrual Report': {
    fields: ['date_range', 'accrual_method', 'utility_service_ids', ...accounts, 'ledger_details'],
    requires: null,
    reach: 'scope',
    columns: [
      text('account_number', 'Account'),
      text('facility', 'Facility', fileOnly),
      text('vendor', 'Vendor'),
      text('utility_service', 'Utility Service'),
      text('meter', 'Meter'),
      date('last_read_date', 'Last Read'),
      date('accrual_from', 'From', fileOnly),
      date('accrual_to', 'To'),
      count('days', 'Days'),
      decimal('usage_per_day', 'Usage / Day', fileOnly),
      decimal('unit_cost', 'Unit Cost', fileOnly),
      decimal('accrued_usage', 'Usage'),
      text('unit', 'Unit', { short: true }),
      amount('accrued_cost', 'Accrued', sum),
      amount('unbooked', 'Billed, not Booked', sum),
      amount('total', 'Total', sum),
      text('method', 'Method'),
      text('confidence', 'Confidence', { short: true }),
      amount('prior_accrual', 'Prior Accrual', sum),
      amount('actual', 'Actual', sum),
      amount('variance', 'Variance', sum),
    ],
  },
  'Facilities Report': {
    fields: ['date_range', 'utility_service_ids', 'division_ids', 'facility_ids'],
    requires: null,
    reach: 'scope',
    columns: facilityColumns,
  },
  'Client Facilities Report': {
    fields: ['date_range', 'utility_service_ids'],
    requires: null,
    reach: 'staff',
    columns: [text('client', 'Client'), text('client_code', 'Client Code'), ...facilityColumns],
  },
  'Month End Report': {
    fields: ['date_range'],
    requires: null,
    reach: 'client',
    columns: [
      month('month', 'Month'),
      text('section', 'Section'),
      text('item', 'Item'),
      count('count', 'Count'),
      amount('amount', 'Amount'),
    ],
  },
  'GHG Inventory Report': {
    fields: ['date_range', 'basis', 'utility_service_ids', ...accounts],
    requires: null,
    reach: 'scope',
    columns: [
      text('scope', 'Scope', { short: true }),
      text('year', 'Year', { short: true }),
      text('facility', 'Facility'),
      text('facility_number', 'Facility Number', fileOnly),
      text('utility_service', 'Utility Service'),
      count('meters', 'Meters', fileOnly),
      decimal('usage', 'Usage'),
      text('unit', 'Unit', { short: true }),
      decimal('factor', 'kg CO2e / Unit'),
      text('factor_source', 'Factor Source'),
      text('factor_year', 'Factor Year', { short: true }),
      decimal('location_tonnes', 't CO2e Location-based', sum),
      decimal('market_factor', 'Market kg CO2e / Unit', fileOnly),
      text('market_source', 'Market Source', fileOnly),
      text('market_year', 'Market Year', { short: true, ...fileOnly }),
      decimal('market_tonnes', 't CO2e Market-based', sum),
      percent('coverage', 'Coverage'),
      text('note', 'Note', { short: true }),
    ],
  },
  'Portfolio Manager Properties Export': {
    fields: ['division_ids', 'facility_ids'],
    requires: null,
    reach: 'scope',
    columns: [
      text('property_id', 'Portfolio Manager Property ID'),
      text('name', 'Property Name'),
      text('address_1', 'Address 1'),
      text('address_2', 'Address 2'),
      text('city', 'City/Municipality'),
      text('state', 'State/Province'),
      text('postal_code', 'Postal Code'),
      text('primary_function', 'Primary Function'),
      decimal('gross_floor_area', 'Gross Floor Area'),
      text('gfa_units', 'GFA Units'),
      text('custom_id', 'Custom Property ID 1 - ID'),
    ],
  },
  'Portfolio Manager Bills Export': {
    fields: ['date_range', 'utility_service_ids', ...accounts],
    requires: null,
    reach: 'scope',
    columns: [
      text('property_id', 'Portfolio Manager Property ID'),
      text('property_name', 'Property Name'),
      text('meter_id', 'Portfolio Manager Meter ID'),
      text('meter_name', 'Meter Name'),
      text('meter_type', 'Meter Type'),
      date('start_date', 'Start Date'),
      date('end_date', 'End Date'),
      date('delivery_date', 'Delivery Date'),
      decimal('usage', 'Usage/Quantity'),
      text('units', 'Usage Units'),
      amount('cost', 'Cost ($)', sum),
      text('estimated', 'Estimation'),
    ],
  },
  'Portfolio Manager Check Report': {
    fields: ['date_range', 'utility_service_ids', ...accounts],
    requires: null,
    reach: 'scope',
    columns: [
      text('problem', 'Problem'),
      text('facility', 'Facility'),
      text('utility_service', 'Utility Service'),
      text('meter', 'Meter'),
      text('meter_id', 'Portfolio Manager Meter ID'),
      count('bill_id', 'Bill ID'),
      date('start_date', 'Start Date'),
      date('end_date', 'End Date'),
      text('written', 'Written', { short: true }),
    ],
  },
}

export const missingFieldsTitle = 'Missing Required Fields'
export const missingRangeOrBatch = 'A date range or Client Batch must be selected for this report.'
export const missingUtilityService = 'A utility service must be selected for this report.'

/** Returns the field and message of a missing choice of a report, or null. The form and the server use the same function. */
export function missingChoice(
  { requires }: Pick<ReportForm, 'requires'>,
  data: Pick<ReportFormData, 'date_range' | 'accounting_batch_ids' | 'utility_service_ids'>,
): { readonly field: 'date_range' | 'utility_service_ids'; readonly message: string } | null {
  const { from, to } = data.date_range
  if (requires === 'date_range_or_client_batch' && from === null && to === null && data.accounting_batch_ids.length === 0)
    return { field: 'date_range', message: missingRangeOrBatch }
  if (requires === 'utility_service' && data.utility_service_ids.length === 0)
    return { field: 'utility_service_ids', message: missingUtilityService }
  return null
}

/**
 * Returns the reason a role that reaches only a part of the client has no report of this name. The dashboard and the server use the same text.
 */
export function wholeClientOnly(name: string): string {
  return `The ${name} holds the bills of the whole client, and your role reaches a part of it.`
}

/** Returns the definition of a report by name; undefined for an unknown name. */
export function reportFormOf(name: string): ReportForm | undefined {
  const known = reportNames.find((one) => one === name)
  return known && reportForms[known]
}
