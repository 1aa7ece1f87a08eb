import type { AuditLogVersion } from '#contract/audit-log/audit-log.ts'

type Named = Pick<AuditLogVersion, 'item_type' | 'item_id' | 'client_id'>

const inClient: Readonly<Record<string, (id: number) => string>> = {
  division: (id) => `divisions/${id}/dashboard`,
  facility: (id) => `facilities/${id}/dashboard`,
  billable_account: (id) => `billable_accounts/${id}/dashboard`,
  supply_account: (id) => `supply_accounts/${id}/dashboard`,
  bill: (id) => `bills/${id}`,
  budget: (id) => `budgets/${id}/edit`,
  client_vendor_number: (id) => `client_vendor_numbers/${id}/edit`,
  group_account: (id) => `group_accounts/${id}/dashboard`,
  group_supply_account: (id) => `group_supply_accounts/${id}/dashboard`,
  ledger_account: (id) => `ledger_accounts/${id}/edit`,
  ledger_field: (id) => `ledger_fields/${id}/edit`,
  ledger_setting: () => 'ledger_settings',
  accounting_batch: (id) => `accounting_batches/${id}/ledger`,
  payment_setting: () => 'payment_settings',
  export_profile: (id) => `export_profiles/${id}/edit`,
  payment_batch: (id) => `payment_batches/${id}/vendor_payments`,
  site_survey: (id) => `site_surveys/${id}/edit`,
  document: (id) => `documents/${id}/edit`,
  retrieved_statement: (id) => `bills/import?statement=${id}`,
  bill_document: () => 'bills/bill_document_repository',
  bill_scan: () => 'bills/inbox',
  generated_report: () => 'reports/generated-reports',
  report_schedule: (id) => `reports/scheduled/${id}`,
}
const beside: Readonly<Record<string, (id: number) => string>> = {
  client: (id) => `/clients/${id}/dashboard`,
  user: (id) => `/users/${id}/edit`,
  originating_profile: (id) => `/originating_profiles/${id}/edit`,
  vendor: (id) => `/vendors/${id}/edit`,
  channel_partner: (id) => `/channel_partners/${id}/edit`,
  utility_service: (id) => `/utility_services/${id}/edit`,
  payment_method: (id) => `/payment_methods/${id}/edit`,
  facility_type: (id) => `/settings/facility_types/${id}/edit`,
  unit: (id) => `/settings/units/${id}/edit`,
  production_unit: (id) => `/settings/production_units/${id}/edit`,
  cost_parameter: (id) => `/settings/cost_parameters/${id}/edit`,
  weather_station: (id) => `/settings/weather_stations/${id}/edit`,
  degree_day: (id) => `/settings/degree_days/${id}/edit`,
  webhook: (id) => `/settings/webhooks/${id}/edit`,
  mail: (id) => `/settings/mails/${id}`,
  vendor_bank_change: (id) => `/vendor_bank_changes/${id}`,
  api_token: () => '/settings/api_tokens',
  audit_setting: () => '/settings/audits',
  global_batch: (id) => `/global_batch/view/${id}/bills`,
  global_batch_bank_value: () => '/global_batch',
  global_batch_file: () => '/global_batch/files',
  bank_return_file: () => '/global_batch/returns',
  bank_return: () => '/global_batch/returns',
  bank_statement: (id) => `/global_batch/statements/${id}`,
  bank_statement_line: () => '/global_batch/statements',
  export_release: (id) => `/global_batch/releases/${id}`,
  issued_check: () => '/global_batch/checks',
  remittance_advice: () => '/global_batch/advices',
}

/** Returns the page of a version's record, or the list that contains it; undefined if it has no page. */
export function recordHref({ item_type, item_id, client_id }: Named): string | undefined {
  if (item_id === null) return undefined
  const under = inClient[item_type]
  if (under && client_id !== 0) return `/clients/${client_id}/${under(item_id)}`
  return beside[item_type]?.(item_id)
}
