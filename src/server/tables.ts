// Written by `npm run tables` from the migrated database; a test compares it. Don't edit.
import type { ColumnType, Generated } from 'kysely'

export interface AccountAliasesTable {
  client_id: number
  id: Generated<number>
  billable_account_id: number | null
  supply_account_id: number | null
  alias: string
  created_by: number | null
  created_at: Generated<string>
}

export interface AccountingBatchFilesTable {
  client_id: number
  id: Generated<number>
  accounting_batch_id: number
  kind: string
  version: number
  file_id: number
  sha256: Buffer
  total: string
  row_count: number
  created_by: number | null
  created_at: Generated<string>
  export_profile_id: number | null
  profile_name: string | null
  bill_amounts: ColumnType<unknown, string | null, string | null>
  bills_added: number | null
  bills_removed: number | null
  amounts_changed: number | null
  read_at: string | null
  bill_count: number | null
  bills_total: string | null
}

export interface AccountingBatchesTable {
  client_id: number
  id: Generated<number>
  batch_code: string
  batch_date: string | null
  batch_group_id: number | null
  closed: Generated<boolean>
  closed_at: string | null
  invoiced: Generated<boolean>
  invoiced_at: string | null
  has_been_closed: Generated<boolean>
  generating_file: Generated<boolean>
  upload_file_id: number | null
  created_by: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface AdditionalEntryFieldsTable {
  client_id: number
  id: Generated<number>
  service_id: number
  name: string
  active: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ApiTokensTable {
  id: Generated<number>
  user_id: number
  name: string
  access: Generated<string>
  models: string[] | null
  client_ids: number[] | null
  token_hash: Buffer
  token_last4: string
  expires_on: string
  last_used_at: string | null
  last_used_ip: string | null
  warned_at: string | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface AuditAnchorsTable {
  id: number
  number: number
  mac: Buffer
  anchored_at: string
}

export interface AuditRecordsTable {
  client_id: Generated<number>
  id: Generated<number>
  user_id: number | null
  event: string
  item_type: string
  item_id: number | null
  object_changes: ColumnType<unknown, string | undefined, string>
  ip_address: string | null
  created_at: Generated<string>
}

export interface AuditSealsTable {
  client_id: number
  audit_record_id: number
  position: Generated<number>
  hash: Buffer
  version: Generated<number>
}

export interface BankAccountsTable {
  id: Generated<number>
  payer_id: number
  account_fingerprint: Buffer
  account_last4: string
  bank_name: string
  csv_mapping: ColumnType<unknown, string | null, string | null>
  created_at: Generated<string>
}

export interface BankClearingsTable {
  payer_id: number
  global_batch_file_payment_id: number
  direction: string
  bank_statement_line_id: number
  cleared_on: string
  amount: string
}

export interface BankReturnFilesTable {
  id: Generated<number>
  file_name: string
  bank_name: string
  file_day: string
  sha256: Buffer
  content_encrypted: Buffer
  byte_size: number
  created_by: number | null
  created_at: Generated<string>
}

export interface BankReturnsTable {
  id: Generated<number>
  bank_return_file_id: number
  line: number
  kind: string
  code: string
  original_trace: string
  trace: string
  amount: string
  receiver: string
  remark: string
  payer_id: Generated<number>
  vendor_id: number | null
  vendor_payment_id: number | null
  payment_batch_id: number | null
  global_batch_file_payment_id: number | null
  state: string
  outcome: string
  applied_by: number | null
  applied_at: string | null
  created_at: Generated<string>
}

export interface BankStatementFilesTable {
  id: Generated<number>
  bank_account_id: number
  file_name: string
  format: string
  sha256: Buffer
  content_encrypted: Buffer
  byte_size: number
  created_by: number | null
  created_at: Generated<string>
}

export interface BankStatementLinesTable {
  id: Generated<number>
  payer_id: number
  bank_statement_id: number
  line: number
  day: string
  amount: string
  code: string
  description: string
  check_number: string | null
  reference: string
  state: string
  clearable_key: string | null
  clearable_name: string | null
  reason: string
  is_undone: Generated<boolean>
  settled_by: number | null
  settled_at: string | null
  lock_version: Generated<number>
  created_at: Generated<string>
}

export interface BankStatementsTable {
  id: Generated<number>
  payer_id: number
  bank_account_id: number
  bank_statement_file_id: number
  from_day: string
  to_day: string
  opening: string
  closing: string
  created_at: Generated<string>
}

export interface BatchGroupsTable {
  client_id: number
  id: Generated<number>
  name: string
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface BillChargesTable {
  client_id: number
  id: Generated<number>
  bill_id: number
  position: Generated<number>
  name: string
  amount: string
}

export interface BillDocumentsTable {
  client_id: number
  id: Generated<number>
  name: string
  on_client: Generated<boolean>
  division_id: number | null
  assignable_user_id: number | null
  user_id: number | null
  form_data: ColumnType<unknown, string | undefined, string>
  file_id: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  task_id: number | null
}

export interface BillFilesTable {
  client_id: number
  bill_id: number
  position: number
  file_id: number
  filename: string
  created_at: Generated<string>
}

export interface BillFindingEventsTable {
  client_id: number
  id: Generated<number>
  finding_id: number
  event: string
  user_id: number | null
  comment: string | null
  reason: string | null
  assigned_to: number | null
  was: string | null
  became: string | null
  created_at: Generated<string>
}

export interface BillFindingsTable {
  client_id: number
  id: Generated<number>
  bill_id: number
  service_bill_id: number | null
  service_id: number | null
  code: string
  severity: string
  field: string | null
  message: string
  expected: string | null
  actual: string | null
  limit_value: string | null
  assigned_to: number | null
  comment: string | null
  resolved_by: number | null
  resolved_at: string | null
  reason: string | null
  created_at: Generated<string>
  other_bill_id: number | null
  gone_by: string | null
  bulk_change_id: number | null
}

export interface BillLayoutRulesTable {
  layout_id: number
  field: string
  relation: string
  phrase: Generated<string>
  page: Generated<number>
  x: Generated<string>
  y: Generated<string>
  confirmed: Generated<number>
  corrected: Generated<number>
  taught_by: number | null
  taught_at: Generated<string>
}

export interface BillLayoutsTable {
  id: Generated<number>
  vendor_id: number
  signature: string[]
  bills: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface BillLineFactsTable {
  client_id: number
  service_id: number
  account_key: Generated<number>
  ends_on: string
  bill_id: number
  service_bill_id: Generated<number>
  starts_on: string
  days: Generated<number>
  billed_month: string
  fiscal_month: string
  billable_account_id: number | null
  supply_account_id: number | null
  facility_id: number | null
  utility_service_id: number | null
  cost: Generated<string>
  utility_cost: Generated<string>
  supply_cost: Generated<string>
  other_cost: Generated<string>
  usage: string | null
  supply_usage: string | null
  billed_kg: Generated<string>
  fiscal_kg: Generated<string>
}

export interface BillLinkedServiceBillsTable {
  client_id: number
  bill_id: number
  service_bill_id: number
}

export interface BillScanPagesTable {
  client_id: number
  scan_id: number
  page: number
  state: string
  tries: Generated<number>
  content: ColumnType<unknown, string | null, string | null>
  error: string | null
  read_at: string | null
}

export interface BillScansTable {
  client_id: number
  id: Generated<number>
  file_id: number
  origin_file_id: number | null
  split_from_id: number | null
  filename: string
  cut_from: number | null
  cut_to: number | null
  pages: number | null
  state: Generated<string>
  error: string | null
  reading: ColumnType<unknown, string | null, string | null>
  bills_inside: Generated<number>
  vendor_id: number | null
  vendor_name: string | null
  billable_account_id: number | null
  supply_account_id: number | null
  account_number: string | null
  bill_date: string | null
  due_date: string | null
  amount_due: string | null
  confidence: number | null
  bill_id: number | null
  tries: Generated<number>
  heartbeat_at: string | null
  read_at: string | null
  created_by: number | null
  created_at: Generated<string>
  updated_at: Generated<string>
  lock_version: Generated<number>
  pages_read: Generated<number>
  pages_failed: Generated<number>
  taught_by_bill: number | null
  origin_page: number | null
  lines_found: number | null
  lines_missing: number | null
  kept_beside: Generated<boolean>
  is_one_bill: Generated<boolean>
  lane: Generated<string>
  claimed_at: string | null
  reading_ms: Generated<number>
  set_back: Generated<number>
}

export interface BillableAccountsTable {
  client_id: number
  id: Generated<number>
  facility_id: number
  vendor_id: number
  utility_service_id: number | null
  active: Generated<boolean>
  is_group_account: Generated<boolean>
  group_account_id: number | null
  name: string
  account_number: string
  tax_id: string | null
  street_address_1: string
  street_address_2: string | null
  city: string
  state: string
  zip: string
  mailing_address: string | null
  mailing_city: string | null
  mailing_state: string | null
  mailing_zipcode: string | null
  billing_period: number | null
  billing_cycle: Generated<number>
  notes: string | null
  effective_from: string | null
  effective_to: string | null
  audits_off: Generated<boolean>
  audit_settings: ColumnType<unknown, string | undefined, string>
  accruals_off: Generated<boolean>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  last_bill_date: string | null
  billed_until: string | null
  usual_days: number | null
  usual_wait: number | null
  usual_amount: string | null
}

export interface BillsTable {
  client_id: number
  id: Generated<number>
  billable_account_id: number | null
  supply_account_id: number | null
  account_number: string
  vendor_id: number | null
  facility_id: number | null
  division_id: number | null
  date: string
  due_date: string
  assumed_due_date: Generated<boolean>
  read_date: string | null
  next_read_date: string | null
  previous_read_date: string | null
  fiscal_month: string | null
  invoice_number: string | null
  bill_id: number | null
  balance_forward: Generated<string>
  current_charges: Generated<string>
  late_fee: Generated<string>
  amount_due: Generated<string>
  amount_paid: string | null
  notes: string | null
  rebill_adjustment: Generated<boolean>
  rebill_mode: string | null
  rebill_of_id: number | null
  superseded_by_id: number | null
  qc: Generated<boolean>
  parked: Generated<boolean>
  paid: Generated<boolean>
  finalized: Generated<boolean>
  vendor_payment_id: number | null
  accounting_batch_id: number | null
  group_bill_id: number | null
  missing_fields: Generated<string[]>
  open_errors: Generated<number>
  open_blocking: Generated<number>
  open_warnings: Generated<number>
  override_reason: string | null
  source: Generated<string>
  retrieval_provider: string | null
  statement_id: string | null
  import_task_id: number | null
  created_by: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  group_bill_chosen: Generated<boolean>
}

export interface BudgetsTable {
  client_id: number
  id: Generated<number>
  billable_account_id: number
  month: string
  amount: string
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface BulkChangeItemsTable {
  client_id: number
  bulk_change_id: number
  item_id: number
  version_before: number
  lock_version: number
  changes: ColumnType<unknown, string, string>
}

export interface BulkChangesTable {
  client_id: number
  id: Generated<number>
  kind: string
  user_id: number
  changes: ColumnType<unknown, string, string>
  item_count: number
  created_at: Generated<string>
  undone_at: string | null
  undone_by: number | null
  rows_removed_at: string | null
}

export interface ChannelPartnersTable {
  id: Generated<number>
  name: string
  logo_file_id: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ClientLedgerSettingsTable {
  client_id: number
  prior_balance_ledger_account_id: number | null
  late_fee_ledger_account_id: number | null
  payable_ledger_account_id: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  spread_by: Generated<string>
  batch_flagged_bills: Generated<boolean>
  batch_code_pattern: string | null
  service_fee: Generated<string>
  service_fee_by: Generated<string>
  remit_instructions: string | null
}

export interface ClientPaymentSettingsTable {
  client_id: number
  one_person: Generated<boolean>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ClientVendorNumbersTable {
  client_id: number
  id: Generated<number>
  vendor_id: number
  vendor_number: string
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ClientsTable {
  id: Generated<number>
  name: string
  short_code: string
  identifier: string
  active: Generated<boolean>
  channel_partner_id: number | null
  bills_due_on: Generated<string>
  notes: string | null
  logo_file_id: number | null
  user_management: Generated<boolean>
  utility_payment_management: Generated<boolean>
  accounting_batch_management: Generated<boolean>
  ledger_account_management: Generated<boolean>
  fiscal_year_start: Generated<number>
  audit_settings: ColumnType<unknown, string | undefined, string>
  override_limit: Generated<string>
  qc_on_error: Generated<boolean>
  client_batch_before_payment: Generated<boolean>
  export_date_format: Generated<string>
  retrieval_provider: string | null
  retrieval_settings: ColumnType<unknown, string | undefined, string>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface CompressorsTable {
  client_id: number
  id: Generated<number>
  site_survey_id: number
  position: Generated<number>
  active: Generated<boolean>
  vfd: Generated<boolean>
  manufacturer: string | null
  compressor_type: string | null
  model: string | null
  dryer_manufacturer: string | null
  dryer_type: string | null
  notes: string | null
  annual_operating_days: string | null
  voltage: string | null
  max_load_psig: string | null
  cfm: string | null
  hours_per_day: string | null
  year: number | null
  discharge_psig: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ContactsTable {
  client_id: number
  id: Generated<number>
  site_survey_id: number
  position: Generated<number>
  name: string | null
  office_phone: string | null
  mobile_phone: string | null
  job_title: string | null
  email: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface CostParametersTable {
  id: Generated<number>
  name: string
  active: Generated<boolean>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface DataVersionsTable {
  client_id: number
  version: Generated<number>
}

export interface DegreeDaysTable {
  id: Generated<number>
  weather_station_id: number
  period: string
  heating: string
  cooling: string
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface DivisionsTable {
  client_id: number
  id: Generated<number>
  name: string
  short_code: string
  code: string
  batch_group_id: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface DocumentsTable {
  client_id: number
  id: Generated<number>
  title: string
  file_id: number
  on_client: Generated<boolean>
  division_id: number | null
  facility_id: number | null
  billable_account_id: number | null
  supply_account_id: number | null
  created_by: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface EmissionFactorsTable {
  id: Generated<number>
  utility_service_id: number
  unit_id: number
  effective_from: string
  value: string
  source: string
  edition: string
  year: number
  gas_basis: string
  scope: number
  note: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface EntryFieldsTable {
  id: Generated<number>
  name: string
  position: Generated<number>
  category: Generated<string>
  is_tax: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ExportDayTotalsTable {
  originating_profile_id: number
  user_id: number
  day: string
  total: Generated<string>
}

export interface ExportProfilesTable {
  client_id: number
  id: Generated<number>
  name: string
  layout: ColumnType<unknown, string | undefined, string>
  is_default: Generated<boolean>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ExportReleaseBatchesTable {
  client_id: number
  export_release_id: number
  payment_batch_id: number
  waits: Generated<boolean>
}

export interface ExportReleasesTable {
  id: Generated<number>
  state: Generated<string>
  pay_method: string
  format: string
  vendor_name: string | null
  confirmed_vendors: ColumnType<unknown, string | undefined, string>
  reasons: string
  fingerprints: ColumnType<unknown, string | undefined, string>
  apart: Generated<boolean>
  payer_names: string
  batch_count: number
  payment_count: number
  total: string
  requested_by: number
  requested_at: Generated<string>
  decided_by: number | null
  decided_at: string | null
  note: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface FacilitiesTable {
  client_id: number
  id: Generated<number>
  division_id: number
  name: string
  number: string
  square_footage: string | null
  facility_type_id: number | null
  street_address_1: string | null
  street_address_2: string | null
  city: string | null
  state: string | null
  zip: string | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  portfolio_manager_property_id: string | null
  weather_station_id: number | null
}

export interface FacilityMonthFactsTable {
  client_id: number
  facility_id: Generated<number>
  utility_service_id: Generated<number>
  month: string
  cost: Generated<string>
  kg_co2e: Generated<string>
  facts: Generated<number>
}

export interface FacilityProductionUnitsTable {
  client_id: number
  facility_id: number
  production_unit_id: number
}

export interface FacilityTypesTable {
  id: Generated<number>
  name: string
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface FilesTable {
  id: Generated<number>
  key: string
  filename: string
  content_type: string
  byte_size: number
  checksum: string | null
  sha256: Buffer | null
  user_id: number | null
  state: Generated<string>
  created_at: Generated<string>
  attached_at: string | null
  rights: ColumnType<unknown, string | null, string | null>
}

export interface FormerEmailsTable {
  id: Generated<number>
  user_id: number
  email: string
  left_at: Generated<string>
}

export interface GearBoxesTable {
  client_id: number
  id: Generated<number>
  site_survey_id: number
  position: Generated<number>
  name: string | null
  ratio: string | null
  size: string | null
  manufacturer: string | null
  notes: string | null
  year: number | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface GeneratedReportsTable {
  client_id: number
  id: Generated<number>
  report_id: number
  name: string | null
  on_client: Generated<boolean>
  division_id: number | null
  assignable_user_id: number | null
  user_id: number | null
  last_bill_only: Generated<boolean>
  form_data: ColumnType<unknown, string | undefined, string>
  file_id: number | null
  extra_file_id: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  task_id: number | null
  workbook: Generated<boolean>
  workbook_file_id: number | null
  report_delivery_id: number | null
}

export interface GlLinesTable {
  client_id: number
  id: Generated<number>
  accounting_batch_id: number
  bill_id: number
  service_bill_id: number | null
  position: number
  kind: string
  ledger_account_id: number | null
  ledger_account_name: Generated<string>
  ledger_values: ColumnType<unknown, string | undefined, string>
  division_id: number | null
  amount: string
  description: Generated<string>
  reverses_id: number | null
  created_at: Generated<string>
}

export interface GlobalBatchBankValuesTable {
  id: Generated<number>
  day: string
  value: Generated<string>
  locked: Generated<boolean>
  attempts: Generated<number>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface GlobalBatchFileBatchesTable {
  client_id: number
  global_batch_file_id: number
  payment_batch_id: number
  purpose: string
}

export interface GlobalBatchFilePaymentsTable {
  client_id: number
  id: Generated<number>
  global_batch_file_id: number
  vendor_payment_id: number
  bill_id: number | null
  trace_number: string | null
  routing_last4: string | null
  account_last4: string | null
  amount: string
  bank_changed_at: string | null
  bank_changed_by: number | null
  is_first_payment: Generated<boolean>
}

export interface GlobalBatchFilesTable {
  id: Generated<number>
  file_name: string
  export_type: string
  format: Generated<string>
  purpose: Generated<string>
  export_key: string
  content_encrypted: Buffer
  content_type: Generated<string>
  byte_size: number
  sha256: Buffer
  immediate_destination: string | null
  immediate_origin: string | null
  creation_date: string
  creation_time: string
  file_id_modifier: string | null
  trace_odfi: string | null
  first_trace: number | null
  last_trace: number | null
  batch_count: Generated<number>
  payment_count: Generated<number>
  bill_count: Generated<number>
  total: Generated<string>
  control: ColumnType<unknown, string | undefined, string>
  created_by: number | null
  created_at: Generated<string>
  export_release_id: number | null
  test_client_id: number | null
  layout_client_id: number | null
  layout_version_id: number | null
}

export interface HvacsTable {
  client_id: number
  id: Generated<number>
  site_survey_id: number
  position: Generated<number>
  area: string | null
  cooling_type: string | null
  heating_type: string | null
  water_type: string | null
  cooling_efficiency: string | null
  heating_efficiency: string | null
  water_efficiency: string | null
  cooling_installation_date: string | null
  heating_installation_date: string | null
  water_installation_date: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface IdempotencyKeysTable {
  user_id: number
  key: string
  request_hash: Buffer
  state: Generated<string>
  status: number | null
  body: ColumnType<unknown, string | null, string | null>
  created_at: Generated<string>
}

export interface ImportOutcomesTable {
  import_id: number
  line: number
  action: string
  item_id: number | null
  lock_version: number | null
  errors: ColumnType<unknown, string | null, string | null>
  changes: ColumnType<unknown, string | null, string | null>
  secrets_before: ColumnType<unknown, string | null, string | null>
  row_action: string
  version_before: number | null
  notes: ColumnType<unknown, string | null, string | null>
}

export interface ImportPartOutcomesTable {
  import_id: number
  line: number
  action: string
  item_id: number | null
  lock_version: number | null
  errors: ColumnType<unknown, string | null, string | null>
  changes: ColumnType<unknown, string | null, string | null>
  secrets_before: ColumnType<unknown, string | null, string | null>
  version_before: number | null
}

export interface ImportRowsTable {
  import_id: number
  line: number
  cells: string[]
  draft: ColumnType<unknown, string, string>
  secrets: ColumnType<unknown, string | null, string | null>
  faults: ColumnType<unknown, string | null, string | null>
}

export interface ImportsTable {
  id: Generated<number>
  client_id: Generated<number>
  user_id: number
  kind: string
  filename: string
  byte_size: number
  file_key: string | null
  mode: string
  state: Generated<string>
  task_id: number | null
  row_count: Generated<number>
  create_count: Generated<number>
  update_count: Generated<number>
  unchanged_count: Generated<number>
  refused_count: Generated<number>
  headers: ColumnType<unknown, string | undefined, string>
  separator: string | null
  encoding: string | null
  faults: Generated<string[]>
  warnings: Generated<string[]>
  suggestions: ColumnType<unknown, string | undefined, string>
  error: string | null
  refused_file_id: number | null
  created_at: Generated<string>
  checked_at: string | null
  committed_at: string | null
  undone_at: string | null
  rows_removed_at: string | null
  part_create_count: Generated<number>
  part_update_count: Generated<number>
  note_counts: ColumnType<unknown, string | undefined, string>
}

export interface InstallationSettingsTable {
  name: string
  value: ColumnType<unknown, string, string>
  updated_at: Generated<string>
}

export interface IssuedChecksTable {
  id: Generated<number>
  payer_id: number
  global_batch_file_payment_id: number
  vendor_payment_id: number
  account_fingerprint: Buffer
  account_last4: string
  check_number: number
  check_date: string
  amount: string
  payee: string
  issue_file_id: number | null
  void_file_id: number | null
  created_by: number | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface KnownDevicesTable {
  id: Generated<number>
  user_id: number
  mark_hash: Buffer
  created_at: Generated<string>
  used_at: Generated<string>
}

export interface LedgerAccountFieldsTable {
  client_id: number
  id: Generated<number>
  ledger_account_id: number
  ledger_field_id: number
  value: Generated<string>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface LedgerAccountsTable {
  client_id: number
  id: Generated<number>
  name: string
  active: Generated<boolean>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface LedgerFieldsTable {
  client_id: number
  id: Generated<number>
  name: string
  description: string
  order: number
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface LightingsTable {
  client_id: number
  id: Generated<number>
  site_survey_id: number
  position: Generated<number>
  location: string | null
  updated: string | null
  mh_1000w: Generated<boolean>
  mh_1000w_no: number | null
  ps_320w: Generated<boolean>
  ps_320w_no: number | null
  mh_400w: Generated<boolean>
  mh_400w_no: number | null
  ps_750w: Generated<boolean>
  ps_750w_no: number | null
  cfl: Generated<boolean>
  cfl_no: number | null
  incandescent: Generated<boolean>
  incandescent_no: number | null
  induction: Generated<boolean>
  induction_no: number | null
  led: Generated<boolean>
  led_no: number | null
  skylights: Generated<boolean>
  skylights_no: number | null
  t12: Generated<boolean>
  t12_no: number | null
  t5: Generated<boolean>
  t5_no: number | null
  t8: Generated<boolean>
  t8_no: number | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface LineFactsDueTable {
  client_id: number
}

export interface ListLayoutsTable {
  user_id: number
  list: string
  layout: ColumnType<unknown, string | undefined, string>
  updated_at: Generated<string>
}

export interface MailsTable {
  id: Generated<number>
  to_address: string
  subject: string
  text_body: string
  html_body: string | null
  state: Generated<string>
  attempts: Generated<number>
  next_attempt_at: Generated<string>
  last_error: string | null
  created_at: Generated<string>
  sent_at: string | null
  expires_at: string | null
  queued_at: Generated<string>
  kind: string | null
  about: ColumnType<unknown, string | null, string | null>
}

export interface MotorsTable {
  client_id: number
  id: Generated<number>
  site_survey_id: number
  position: Generated<number>
  active: Generated<boolean>
  vfd: Generated<boolean>
  pump: Generated<boolean>
  name: string | null
  make: string | null
  model: string | null
  ac_dc: string | null
  enclosure: string | null
  insulation_class: string | null
  application_notes: string | null
  manufacturer: string | null
  model_number: string | null
  serial_number: string | null
  drive_type: string | null
  service_application: string | null
  motor_type: string | null
  control_method: string | null
  system: string | null
  impeller_cut: string | null
  fluid: string | null
  loop_type: string | null
  flow_pressure_var: string | null
  horse_power: string | null
  full_load_current: string | null
  synchronous_speed: string | null
  nameplate_speed: string | null
  power_factor: string | null
  percent_efficiency: string | null
  design_pressure: string | null
  stages: string | null
  pressure_lost_over_time: string | null
  annual_operating_hours: string | null
  flow: string | null
  number_of_end_users: string | null
  remaining_life: string | null
  maintenance_level_required: number | null
  maintenance_issues: Generated<boolean>
  flow_meter: Generated<boolean>
  schematic: Generated<boolean>
  cavitation: Generated<boolean>
  meter: Generated<boolean>
  duty_change: Generated<boolean>
  vibration_noise: Generated<boolean>
  test_ports: Generated<boolean>
  parallel_pumps: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface NotificationsTable {
  id: Generated<number>
  user_id: number
  connection_id: string | null
  type: string
  notification_type: Generated<string>
  message: string
  description: Generated<string[]>
  error: Generated<boolean>
  link: string | null
  payload: ColumnType<unknown, string | undefined, string>
  created_at: Generated<string>
  seen_at: string | null
  read_at: string | null
  muted: Generated<boolean>
}

export interface OidcAttemptsTable {
  id: Generated<number>
  state_hash: Buffer
  browser_hash: Buffer
  nonce: string
  code_verifier: string
  code_hash: Buffer | null
  user_id: number | null
  returned_at: string | null
  expires_at: string
  created_at: Generated<string>
}

export interface OneTimeLinksTable {
  id: Generated<number>
  user_id: number
  kind: string
  client: string
  token_hash: Buffer
  redirect_url: string | null
  expires_at: string
  used_at: string | null
  created_at: Generated<string>
  email: string
}

export interface OriginatingProfileLayoutsTable {
  client_id: number
  id: Generated<number>
  originating_profile_id: number
  format: string
  version: number
  layout: ColumnType<unknown, string, string>
  created_by: number | null
  created_at: Generated<string>
}

export interface OriginatingProfilesTable {
  client_id: number
  id: Generated<number>
  name: string
  active: Generated<boolean>
  is_default: Generated<boolean>
  bank_name: string | null
  routing_number: string | null
  immediate_destination: string | null
  immediate_destination_name: string | null
  immediate_origin: string | null
  immediate_origin_name: string | null
  company_name: string | null
  company_id: string | null
  discretionary_data: string | null
  entry_description: Generated<string>
  account_number_encrypted: Buffer | null
  account_number_last4: string | null
  account_type: Generated<string>
  balanced: Generated<boolean>
  lead_days: Generated<number>
  cutoff_time: Generated<string>
  same_day_allowed: Generated<boolean>
  line_end: Generated<string>
  character_set: Generated<string>
  entry_limit: string | null
  file_limit: string | null
  layouts: ColumnType<unknown, string | undefined, string>
  next_check_number: Generated<number>
  avid_payer_id: string | null
  avid_bank_account_id: string | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  account_number_fingerprint: Buffer | null
  street_address_1: string | null
  street_address_2: string | null
  city: string | null
  state: string | null
  zip: string | null
  release_always: Generated<boolean>
  release_apart: Generated<boolean>
  release_vendor_limit: string | null
  release_export_limit: string | null
  release_day_limit: string | null
}

export interface PasskeysTable {
  id: Generated<number>
  user_id: number
  name: string
  credential_id: string
  public_key: Buffer
  counter: Generated<number>
  transports: Generated<string[]>
  backed_up: boolean
  signs_in: Generated<boolean>
  created_at: Generated<string>
  last_used_at: string | null
}

export interface PasswordRequestsTable {
  id: Generated<number>
  email: string
  created_at: Generated<string>
}

export interface PaymentApprovalStepsTable {
  client_id: number
  id: Generated<number>
  position: number
  name: string
  above_amount: string
  approver_ids: number[]
}

export interface PaymentBatchApprovalsTable {
  client_id: number
  id: Generated<number>
  payment_batch_id: number
  kind: string
  step_id: number | null
  step_name: string | null
  user_id: number
  comment: string | null
  total: string
  alone: Generated<boolean>
  created_at: Generated<string>
  ended_at: string | null
  ended_by: number | null
  ended_why: string | null
}

export interface PaymentBatchBillsTable {
  client_id: number
  id: Generated<number>
  bill_id: number
  payment_batch_id: number
  vendor_payment_id: number | null
  amount_paid: string
  notes: string | null
  created_by: number | null
  created_at: Generated<string>
  released_at: string | null
  difference_reason: string | null
}

export interface PaymentBatchesTable {
  client_id: number
  id: Generated<number>
  division_id: number | null
  is_global: Generated<boolean>
  batch_date: string
  bills_due_date: string
  payment_method: string | null
  temp_pay_method: string | null
  notes: string | null
  paid_as: string | null
  closed: Generated<boolean>
  has_been_closed: Generated<boolean>
  is_paid: Generated<boolean>
  paid_at: string | null
  finalized: Generated<boolean>
  finalized_at: string | null
  unbatched_at: string | null
  created_by: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface PaymentFileCountersTable {
  destination: string
  origin: string
  day: string
  used: Generated<number>
  is_test: Generated<boolean>
}

export interface PaymentMethodsTable {
  id: Generated<number>
  name: string
  description: string
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface PaymentReversalsTable {
  client_id: number
  id: Generated<number>
  vendor_payment_id: number
  bill_id: number
  kind: string
  return_code: string | null
  amount: string
  reversed_date: string
  reason: string
  created_by: number
  created_at: Generated<string>
}

export interface PaymentTraceCountersTable {
  odfi: string
  last_sequence: Generated<number>
}

export interface ProductionUnitsTable {
  id: Generated<number>
  name: string
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface RecoveryCodesTable {
  id: Generated<number>
  user_id: number
  code_hash: Buffer
  created_at: Generated<string>
  used_at: string | null
}

export interface RemittanceAdvicesTable {
  client_id: number
  id: Generated<number>
  vendor_payment_id: number
  state: string
  to_address: string
  amount: string
  reason: string | null
  attempts: Generated<number>
  mail_id: number | null
  sent_at: string | null
  repeated_on: string | null
  repeats: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ReportDeliveriesTable {
  client_id: number
  id: Generated<number>
  report_schedule_id: number
  due_at: string
  run_on: string
  by_hand: Generated<boolean>
  user_id: number
  subscriber: string
  state: Generated<string>
  error: string | null
  task_id: number | null
  mail_id: number | null
  told_at: string | null
  finished_at: string | null
  created_at: Generated<string>
}

export interface ReportSchedulesTable {
  client_id: number
  id: Generated<number>
  report_id: number
  user_id: number | null
  name: string
  dates: Generated<string>
  form_data: ColumnType<unknown, string | undefined, string>
  last_bill_only: Generated<boolean>
  formats: string[]
  frequency: Generated<string>
  weekday: Generated<number>
  month_rule: Generated<string>
  month_day: Generated<number>
  hour: Generated<number>
  zone: Generated<string>
  subscriber_ids: number[]
  shared: Generated<boolean>
  paused: Generated<boolean>
  paused_reason: string | null
  next_run_at: string | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ReportsTable {
  id: Generated<number>
  name: string
  description: string
  key_items: Generated<string[]>
  export_type: string
  position: Generated<number>
}

export interface RetiredTokensTable {
  token_hash: Buffer
  session_id: number
  retired_at: Generated<string>
}

export interface RetrievalCursorsTable {
  client_id: number
  provider: string
  cursor: string | null
  read_until: string | null
  checked_at: string | null
  failed_at: string | null
  error: string | null
  status: ColumnType<unknown, string | undefined, string>
}

export interface RetrievalStatementsTable {
  client_id: number
  id: Generated<number>
  provider: string
  statement_id: string
  file_id: string
  account_number: string
  kind: string
  provider_name: string
  statement_date: string | null
  due_date: string | null
  amount: string | null
  raw: ColumnType<unknown, string, string>
  pdf_sha256: Buffer | null
  pdf_file_id: number | null
  state: Generated<string>
  reason: string | null
  vendor_id: number | null
  billable_account_id: number | null
  supply_account_id: number | null
  bill_id: number | null
  lock_version: Generated<number>
  fetched_at: Generated<string>
  updated_at: Generated<string>
}

export interface RetrievalVendorMapTable {
  client_id: number
  provider: string
  provider_name: string
  vendor_id: number
  created_by: number | null
  created_at: Generated<string>
}

export interface RolesTable {
  id: number
  name: string
}

export interface SavedViewsTable {
  id: Generated<number>
  user_id: number
  list: string
  name: string
  shared: Generated<boolean>
  query: Generated<string>
  layout: ColumnType<unknown, string | undefined, string>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  shared_client_id: number | null
  shared_partner_id: number | null
}

export interface SecondFactorDeadlinesTable {
  user_id: number
  due_at: string
}

export interface SecondFactorsTable {
  user_id: number
  secret_encrypted: Buffer
  created_at: Generated<string>
  confirmed_at: string | null
  last_step: number | null
}

export interface SecurityEventsTable {
  client_id: Generated<number>
  id: Generated<number>
  kind: string
  created_at: Generated<string>
  user_id: number | null
  account: string | null
  account_hash: Buffer | null
  network: string | null
  ip_address: string | null
  route: string | null
  outcome: string
  request_id: string | null
  api_token_id: number | null
  times: Generated<number>
  alarm_key: string | null
  detail: ColumnType<unknown, string | undefined, string>
}

export interface ServiceBillAdditionalValuesTable {
  client_id: number
  service_bill_id: number
  additional_entry_field_id: number
  value: string
}

export interface ServiceBillEntryValuesTable {
  client_id: number
  service_bill_id: number
  entry_field_id: number
  value: string
}

export interface ServiceBillUsageFactorsTable {
  client_id: number
  service_bill_id: number
  usage_factor_id: number
  value: string
}

export interface ServiceBillsTable {
  client_id: number
  id: Generated<number>
  bill_id: number
  service_id: number
  position: Generated<number>
  previous_read_date: string | null
  read_date: string | null
  next_read_date: string | null
  fiscal_month: string | null
  previous_reading: string | null
  meter_reading: string | null
  multiplier: Generated<string>
  usage: string | null
  standard_usage: string | null
  unit_id: number | null
  raw_unit: string | null
  rate_schedule: string | null
  estimated: Generated<boolean>
  notes: string | null
  supply_bill_id: number | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ServiceEntryFieldsTable {
  client_id: number
  service_id: number
  entry_field_id: number
}

export interface ServiceMonthFactsTable {
  client_id: number
  service_id: number
  month: string
  billable_account_id: number | null
  supply_account_id: number | null
  facility_id: number | null
  utility_service_id: number | null
  days_mask: Generated<number>
  days: Generated<number>
  cost: Generated<string>
  utility_cost: Generated<string>
  supply_cost: Generated<string>
  other_cost: Generated<string>
  usage: string | null
  kg_co2e: Generated<string>
  account_key: Generated<number>
  supply_usage: string | null
  previous_month: string | null
  starts: Generated<boolean>
}

export interface ServiceSupplierFactorsTable {
  client_id: number
  id: Generated<number>
  service_id: number
  year: number
  value: string
  source: string
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ServiceUsageFactorsTable {
  client_id: number
  service_id: number
  usage_factor_id: number
}

export interface ServicesTable {
  client_id: number
  id: Generated<number>
  billable_account_id: number | null
  supply_account_id: number | null
  active: Generated<boolean>
  metered: Generated<boolean>
  net_metered: Generated<boolean>
  meter_number: string
  id_number: string | null
  tax_code: string | null
  service_name_1: string | null
  service_name_2: string | null
  rate_schedule: string | null
  contract_demand_capacity: string | null
  meter_multiplier: string | null
  rank: number | null
  supply: Generated<boolean>
  notes: string | null
  ledger_account_id: number | null
  billable_ledgers: Generated<boolean>
  utility_service_id: number | null
  usage_unit_id: number | null
  emissions_factor: string | null
  effective_from: string | null
  effective_to: string | null
  audits_off: Generated<boolean>
  audit_settings: ColumnType<unknown, string | undefined, string>
  accruals_off: Generated<boolean>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  portfolio_manager_meter_id: string | null
  emissions_factor_source: string | null
  emissions_factor_year: number | null
}

export interface SessionsTable {
  id: Generated<number>
  user_id: number
  client: string
  token_hash: Buffer
  previous_token_hash: Buffer | null
  previous_until: string | null
  created_at: Generated<string>
  used_at: Generated<string>
  renewed_at: Generated<string>
  ip_address: string | null
  user_agent: string | null
  uid: string | null
  proven_at: Generated<string>
}

export interface SharedAccountsTable {
  client_id: number
  id: Generated<number>
  service_id: number
  ledger_account_id: number
  share_ratio: string
  position: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface SignInFailuresTable {
  key: string
  failures: Generated<number>
  last_at: Generated<string>
  blocked_until: string | null
}

export interface SignInWindowsTable {
  key: string
  taken: Generated<number>
  opened_at: string
}

export interface SiteSurveysTable {
  client_id: number
  id: Generated<number>
  facility_id: number
  name: string
  property_type: number | null
  primary_business: string | null
  notes: string | null
  property_year: number | null
  number_of_buildings: number | null
  square_footage: string | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface SupplyAccountBillableServicesTable {
  client_id: number
  supply_account_id: number
  service_id: number
}

export interface SupplyAccountsTable {
  client_id: number
  id: Generated<number>
  facility_id: number | null
  vendor_id: number | null
  active: Generated<boolean>
  is_group_account: Generated<boolean>
  group_supply_account_id: number | null
  name: string
  account_number: string
  street_address_1: string
  street_address_2: string | null
  city: string
  state: string
  zip: string
  mailing_address: string | null
  mailing_city: string | null
  mailing_state: string | null
  mailing_zipcode: string | null
  billing_period: Generated<number>
  billing_cycle: Generated<number>
  notes: string | null
  service_identifiers: Generated<string[]>
  tax_ids: Generated<string[]>
  effective_from: string | null
  effective_to: string | null
  audits_off: Generated<boolean>
  audit_settings: ColumnType<unknown, string | undefined, string>
  accruals_off: Generated<boolean>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  last_bill_date: string | null
  billed_until: string | null
  usual_days: number | null
  usual_wait: number | null
  usual_amount: string | null
}

export interface TasksTable {
  id: Generated<number>
  client_id: Generated<number>
  user_id: number
  connection_id: string | null
  kind: string
  input: ColumnType<unknown, string | undefined, string>
  state: Generated<string>
  rows_done: Generated<number>
  rows_total: number | null
  result: ColumnType<unknown, string | null, string | null>
  file_id: number | null
  error: string | null
  created_at: Generated<string>
  started_at: string | null
  heartbeat_at: string | null
  finished_at: string | null
  api_token_id: number | null
  settled_at: string | null
}

export interface UnitsTable {
  id: Generated<number>
  symbol: string
  description: string
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface UsageFactorsTable {
  id: Generated<number>
  utility_service_id: number
  active: Generated<boolean>
  name: string
  description: string
  unit_id: number
  adjustment_factor: Generated<boolean>
  default_value: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface UsageUnitsTable {
  id: Generated<number>
  utility_service_id: number
  unit_id: number
  conversion_factor: string
  standard: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface UserIdentitiesTable {
  id: Generated<number>
  user_id: number
  issuer: string
  subject: string
  created_at: Generated<string>
  last_used_at: string | null
}

export interface UserRoleBillableAccountsTable {
  client_id: number
  user_role_id: number
  billable_account_id: number
}

export interface UserRoleClientsTable {
  client_id: number
  user_role_id: number
}

export interface UserRoleDivisionsTable {
  client_id: number
  user_role_id: number
  division_id: number
}

export interface UserRoleFacilitiesTable {
  client_id: number
  user_role_id: number
  facility_id: number
}

export interface UserRoleSupplyAccountsTable {
  client_id: number
  user_role_id: number
  supply_account_id: number
}

export interface UserRolesTable {
  id: Generated<number>
  user_id: number
  role_id: number
  channel_partner_id: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface UserTiesTable {
  id: Generated<number>
  user_id: number
  tied_to: number
  kind: string
  created_at: Generated<string>
}

export interface UsersTable {
  id: Generated<number>
  email: string
  username: string
  first_name: string | null
  last_name: string | null
  title: string | null
  status: Generated<string>
  account_confirmed: Generated<boolean>
  password_hash: string | null
  preferences: ColumnType<unknown, string | undefined, string>
  created_by: number | null
  last_sign_in_at: string | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface UtilityMonthFactsTable {
  client_id: number
  utility_service_id: Generated<number>
  month: string
  days_mask: Generated<number>
  meters: Generated<number>
  meter_days: Generated<number>
  cost: Generated<string>
  utility_cost: Generated<string>
  supply_cost: Generated<string>
  other_cost: Generated<string>
  usage: Generated<string>
  kg_co2e: Generated<string>
  facts: Generated<number>
  usage_facts: Generated<number>
  first_meters: Generated<number>
}

export interface UtilityServicesTable {
  id: Generated<number>
  name: string
  code: string
  emissions_factor: Generated<string>
  inventoriable: Generated<boolean>
  kbtu_factor: string | null
  emissions_scope: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface VendorAliasesTable {
  id: Generated<number>
  vendor_id: number
  alias: string
  created_at: Generated<string>
}

export interface VendorBankChangesTable {
  id: Generated<number>
  vendor_id: number
  po_box_encrypted: Buffer | null
  po_box_last4: string | null
  po_box_fingerprint: Buffer | null
  payment_identifier_encrypted: Buffer | null
  payment_identifier_last4: string | null
  payment_identifier_fingerprint: Buffer | null
  account_type: string | null
  account_holder: string | null
  state: Generated<string>
  requested_by: number
  requested_at: Generated<string>
  decided_by: number | null
  decided_at: string | null
  reason: string | null
  lock_version: Generated<number>
  changed: Generated<string[]>
  po_box_last4_before: string | null
  payment_identifier_last4_before: string | null
  account_type_before: string | null
  account_holder_before: string | null
  routing_is_doubtful: Generated<boolean>
  import_id: number | null
}

export interface VendorPaymentMethodsTable {
  vendor_id: number
  payment_method_id: number
  position: Generated<number>
}

export interface VendorPaymentsTable {
  client_id: number
  id: Generated<number>
  payment_batch_id: number
  vendor_id: number
  payment_method: string | null
  payment_date: string | null
  check_number: string | null
  expected_settlement_date: string | null
  trace_number: string | null
  return_code: string | null
  returned_date: string | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface VendorsTable {
  id: Generated<number>
  name: string
  short_code: string
  active: Generated<boolean>
  street_address_1: string | null
  street_address_2: string | null
  phone: string | null
  city: string | null
  state: string | null
  country: string | null
  zip: string | null
  tariffs_link: string | null
  is_exclusive: Generated<boolean>
  payment_terms_days: Generated<number>
  po_box_encrypted: Buffer | null
  po_box_last4: string | null
  po_box_fingerprint: Buffer | null
  payment_identifier_encrypted: Buffer | null
  payment_identifier_last4: string | null
  payment_identifier_fingerprint: Buffer | null
  account_type: Generated<string>
  account_holder: string | null
  remittance: Generated<string>
  remit_name: string | null
  remit_street_address_1: string | null
  remit_street_address_2: string | null
  remit_city: string | null
  remit_state: string | null
  remit_zip: string | null
  prenote_state: Generated<string>
  prenote_date: string | null
  bank_changed_by: number | null
  bank_changed_at: string | null
  bank_verified_by: number | null
  bank_verified_at: string | null
  audit_settings: ColumnType<unknown, string | undefined, string>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  remittance_email: string | null
  remittance_by_mail: Generated<boolean>
  remittance_bounced_at: string | null
}

export interface WeatherStationsTable {
  id: Generated<number>
  code: string
  name: string
  base_temperature: Generated<number>
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface WebhookAttemptsTable {
  id: Generated<number>
  delivery_id: number
  attempted_at: string
  status: number | null
  duration_ms: number
  error: string | null
  response: string | null
}

export interface WebhookDeliveriesTable {
  id: Generated<number>
  webhook_id: number
  client_id: Generated<number>
  event_id: string
  event: string
  body: string
  state: Generated<string>
  attempts: Generated<number>
  next_attempt_at: Generated<string | null>
  claimed_until: string | null
  last_attempt_at: string | null
  last_status: number | null
  last_duration_ms: number | null
  last_error: string | null
  last_response: string | null
  lock_version: Generated<number>
  created_at: Generated<string>
}

export interface WebhookFeedTable {
  id: Generated<number>
  position: Generated<number>
}

export interface WebhooksTable {
  id: Generated<number>
  client_id: number | null
  name: string
  url: string
  all_events: Generated<boolean>
  events: Generated<string[]>
  active: Generated<boolean>
  secret_encrypted: Buffer | null
  previous_secret_encrypted: Buffer | null
  previous_secret_until: string | null
  failing_since: string | null
  disabled_at: string | null
  disabled_reason: string | null
  last_delivery_at: string | null
  last_status: number | null
  created_by: number | null
  lock_version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

declare module './kernel/postgres/database.ts' {
  interface Tables {
    account_aliases: AccountAliasesTable
    accounting_batch_files: AccountingBatchFilesTable
    accounting_batches: AccountingBatchesTable
    additional_entry_fields: AdditionalEntryFieldsTable
    api_tokens: ApiTokensTable
    audit_anchors: AuditAnchorsTable
    audit_records: AuditRecordsTable
    audit_seals: AuditSealsTable
    bank_accounts: BankAccountsTable
    bank_clearings: BankClearingsTable
    bank_return_files: BankReturnFilesTable
    bank_returns: BankReturnsTable
    bank_statement_files: BankStatementFilesTable
    bank_statement_lines: BankStatementLinesTable
    bank_statements: BankStatementsTable
    batch_groups: BatchGroupsTable
    bill_charges: BillChargesTable
    bill_documents: BillDocumentsTable
    bill_files: BillFilesTable
    bill_finding_events: BillFindingEventsTable
    bill_findings: BillFindingsTable
    bill_layout_rules: BillLayoutRulesTable
    bill_layouts: BillLayoutsTable
    bill_line_facts: BillLineFactsTable
    bill_linked_service_bills: BillLinkedServiceBillsTable
    bill_scan_pages: BillScanPagesTable
    bill_scans: BillScansTable
    billable_accounts: BillableAccountsTable
    bills: BillsTable
    budgets: BudgetsTable
    bulk_change_items: BulkChangeItemsTable
    bulk_changes: BulkChangesTable
    channel_partners: ChannelPartnersTable
    client_ledger_settings: ClientLedgerSettingsTable
    client_payment_settings: ClientPaymentSettingsTable
    client_vendor_numbers: ClientVendorNumbersTable
    clients: ClientsTable
    compressors: CompressorsTable
    contacts: ContactsTable
    cost_parameters: CostParametersTable
    data_versions: DataVersionsTable
    degree_days: DegreeDaysTable
    divisions: DivisionsTable
    documents: DocumentsTable
    emission_factors: EmissionFactorsTable
    entry_fields: EntryFieldsTable
    export_day_totals: ExportDayTotalsTable
    export_profiles: ExportProfilesTable
    export_release_batches: ExportReleaseBatchesTable
    export_releases: ExportReleasesTable
    facilities: FacilitiesTable
    facility_month_facts: FacilityMonthFactsTable
    facility_production_units: FacilityProductionUnitsTable
    facility_types: FacilityTypesTable
    files: FilesTable
    former_emails: FormerEmailsTable
    gear_boxes: GearBoxesTable
    generated_reports: GeneratedReportsTable
    gl_lines: GlLinesTable
    global_batch_bank_values: GlobalBatchBankValuesTable
    global_batch_file_batches: GlobalBatchFileBatchesTable
    global_batch_file_payments: GlobalBatchFilePaymentsTable
    global_batch_files: GlobalBatchFilesTable
    hvacs: HvacsTable
    idempotency_keys: IdempotencyKeysTable
    import_outcomes: ImportOutcomesTable
    import_part_outcomes: ImportPartOutcomesTable
    import_rows: ImportRowsTable
    imports: ImportsTable
    installation_settings: InstallationSettingsTable
    issued_checks: IssuedChecksTable
    known_devices: KnownDevicesTable
    ledger_account_fields: LedgerAccountFieldsTable
    ledger_accounts: LedgerAccountsTable
    ledger_fields: LedgerFieldsTable
    lightings: LightingsTable
    line_facts_due: LineFactsDueTable
    list_layouts: ListLayoutsTable
    mails: MailsTable
    motors: MotorsTable
    notifications: NotificationsTable
    oidc_attempts: OidcAttemptsTable
    one_time_links: OneTimeLinksTable
    originating_profile_layouts: OriginatingProfileLayoutsTable
    originating_profiles: OriginatingProfilesTable
    passkeys: PasskeysTable
    password_requests: PasswordRequestsTable
    payment_approval_steps: PaymentApprovalStepsTable
    payment_batch_approvals: PaymentBatchApprovalsTable
    payment_batch_bills: PaymentBatchBillsTable
    payment_batches: PaymentBatchesTable
    payment_file_counters: PaymentFileCountersTable
    payment_methods: PaymentMethodsTable
    payment_reversals: PaymentReversalsTable
    payment_trace_counters: PaymentTraceCountersTable
    production_units: ProductionUnitsTable
    recovery_codes: RecoveryCodesTable
    remittance_advices: RemittanceAdvicesTable
    report_deliveries: ReportDeliveriesTable
    report_schedules: ReportSchedulesTable
    reports: ReportsTable
    retired_tokens: RetiredTokensTable
    retrieval_cursors: RetrievalCursorsTable
    retrieval_statements: RetrievalStatementsTable
    retrieval_vendor_map: RetrievalVendorMapTable
    roles: RolesTable
    saved_views: SavedViewsTable
    second_factor_deadlines: SecondFactorDeadlinesTable
    second_factors: SecondFactorsTable
    security_events: SecurityEventsTable
    service_bill_additional_values: ServiceBillAdditionalValuesTable
    service_bill_entry_values: ServiceBillEntryValuesTable
    service_bill_usage_factors: ServiceBillUsageFactorsTable
    service_bills: ServiceBillsTable
    service_entry_fields: ServiceEntryFieldsTable
    service_month_facts: ServiceMonthFactsTable
    service_supplier_factors: ServiceSupplierFactorsTable
    service_usage_factors: ServiceUsageFactorsTable
    services: ServicesTable
    sessions: SessionsTable
    shared_accounts: SharedAccountsTable
    sign_in_failures: SignInFailuresTable
    sign_in_windows: SignInWindowsTable
    site_surveys: SiteSurveysTable
    supply_account_billable_services: SupplyAccountBillableServicesTable
    supply_accounts: SupplyAccountsTable
    tasks: TasksTable
    units: UnitsTable
    usage_factors: UsageFactorsTable
    usage_units: UsageUnitsTable
    user_identities: UserIdentitiesTable
    user_role_billable_accounts: UserRoleBillableAccountsTable
    user_role_clients: UserRoleClientsTable
    user_role_divisions: UserRoleDivisionsTable
    user_role_facilities: UserRoleFacilitiesTable
    user_role_supply_accounts: UserRoleSupplyAccountsTable
    user_roles: UserRolesTable
    user_ties: UserTiesTable
    users: UsersTable
    utility_month_facts: UtilityMonthFactsTable
    utility_services: UtilityServicesTable
    vendor_aliases: VendorAliasesTable
    vendor_bank_changes: VendorBankChangesTable
    vendor_payment_methods: VendorPaymentMethodsTable
    vendor_payments: VendorPaymentsTable
    vendors: VendorsTable
    weather_stations: WeatherStationsTable
    webhook_attempts: WebhookAttemptsTable
    webhook_deliveries: WebhookDeliveriesTable
    webhook_feed: WebhookFeedTable
    webhooks: WebhooksTable
  }
}
