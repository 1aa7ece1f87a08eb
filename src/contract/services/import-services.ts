/**
 * The columns of a service that files of both kinds of accounts have besides their own: a row is an account with one of its services, and
 * further rows of the same account add further ones. The export of services writes exactly these headers.
 */
import { boolean, date, defaulted, list, longText, optional, text } from '../kernel/entity.ts'
import { column, reference, type ImportColumn, type ImportPart } from '../kernel/import.ts'
import { service } from './service.ts'

const { fields } = service
const part = true

export const servicePart: ImportPart = { label: 'Service', labels: 'Services', key: 'meter_number' }

/** Columns shared by both kinds of accounts; `billable_ledgers` is only for supply accounts. */
export const serviceImportColumns: readonly ImportColumn[] = [
  reference('service_utility_code', fields.utility_service_id, {
    part,
    key: 'utility_service_id',
    meaning: 'What the meter measures: the code of a utility service.',
    examples: ['', ''],
    to: { refers: 'utility_services', by: 'code', label: 'utility service' },
  }),
  column('meter_number', fields.meter_number, {
    part,
    meaning: 'The number on the meter. It says which service of the account the row means; a row without it is about the account alone.',
    examples: ['M-5521', 'G-1107'],
  }),
  column('service_name_1', fields.service_name_1, { part, meaning: 'A name for the service.', examples: ['Main building', ''] }),
  column('service_name_2', fields.service_name_2, { part, meaning: 'A second name for the service.', examples: ['', ''] }),
  column('service_id_number', fields.id_number, {
    part,
    key: 'id_number',
    meaning: 'The vendor’s number of the service.',
    examples: ['', ''],
  }),
  column('service_rank', fields.rank, {
    part,
    key: 'rank',
    meaning: 'Its place in the account; a new one comes last.',
    examples: ['1', ''],
  }),
  column('service_active', fields.active, { part, key: 'active', meaning: 'Whether bills carry the service.', examples: ['Y', ''] }),
  column('metered', fields.metered, { part, meaning: 'Whether its lines carry usage.', examples: ['Y', ''] }),
  column('net_metered', defaulted(boolean('Net Metered'), false), {
    part,
    meaning: 'Whether usage may be negative, since power is fed in.',
    examples: ['', ''],
  }),
  column('service_supply', fields.supply, { part, key: 'supply', meaning: 'Whether a supplier bills it.', examples: ['N', ''] }),
  column('meter_multiplier', fields.meter_multiplier, { part, meaning: 'What a reading is multiplied by.', examples: ['1', ''] }),
  column('rate_schedule', fields.rate_schedule, { part, meaning: 'The rate that it is billed by.', examples: ['', ''] }),
  column('usage_unit', optional(text('Usage Unit', 40)), {
    part,
    own: true,
    key: 'usage_unit_id',
    meaning: 'The unit of its usage, by its symbol: one of the utility service.',
    examples: ['', ''],
  }),
  column('usage_factors', list('Usage Factors', optional(text('Usage Factors')).schema), {
    part,
    own: true,
    many: true,
    required: false,
    key: 'usage_factor_ids',
    meaning: 'What its lines record beside the usage, by name: usage factors of the utility service.',
    examples: ['', ''],
  }),
  column('contract_demand_capacity', fields.contract_demand_capacity, { part, meaning: 'The demand agreed on.', examples: ['', ''] }),
  column('emissions_factor', fields.emissions_factor, { part, meaning: 'Empty uses that of the utility service.', examples: ['', ''] }),
  column('emissions_factor_source', fields.emissions_factor_source, {
    part,
    meaning: 'Who publishes that factor.',
    examples: ['', ''],
  }),
  column('emissions_factor_year', fields.emissions_factor_year, { part, meaning: 'The year of that factor.', examples: ['', ''] }),
  column(
    'supplier_factors',
    { ...list('Supplier Factors', optional(text('Supplier Factors', 400)).schema), length: 400 },
    {
      part,
      own: true,
      many: true,
      required: false,
      key: 'supplier_factors',
      meaning: 'Emissions of a unit as the supplier states them, as year:factor:source.',
      examples: ['', ''],
    },
  ),
  column('portfolio_manager_meter_id', fields.portfolio_manager_meter_id, {
    part,
    meaning: 'The ID of the meter in ENERGY STAR Portfolio Manager.',
    examples: ['', ''],
  }),
  column('tax_code', fields.tax_code, { part, meaning: 'Tax code.', examples: ['', ''] }),
  reference('ledger_account', fields.ledger_account_id, {
    part,
    key: 'ledger_account_id',
    meaning: 'The ledger account that it is booked on.',
    examples: ['', ''],
    to: { refers: 'ledger_accounts', by: 'name', label: 'ledger account' },
  }),
  column(
    'shares',
    { ...list('Shared Accounts', optional(text('Shared Accounts', 400)).schema), length: 400 },
    {
      part,
      own: true,
      many: true,
      required: false,
      key: 'shared_accounts',
      meaning: 'How it is split between ledger accounts, as name:ratio. The ratios add up to 1.',
      examples: ['', ''],
    },
  ),
  reference('entry_fields', fields.entry_field_ids, {
    part,
    many: true,
    required: false,
    key: 'entry_field_ids',
    meaning: 'Charges that its lines may carry, by name.',
    examples: ['', ''],
    to: { refers: 'entry_fields', by: 'name', label: 'entry field' },
  }),
  column(
    'additional_entry_fields',
    { ...list('Additional Entry Fields', optional(text('Additional Entry Fields', 400)).schema), length: 400 },
    {
      part,
      own: true,
      many: true,
      required: false,
      key: 'additional_entry_fields',
      meaning: 'Charges of this service alone, by name; name:N is one that is no longer used.',
      examples: ['', ''],
    },
  ),
  column('service_effective_from', optional(date('Effective From')), {
    part,
    key: 'effective_from',
    meaning: 'The first day on which bills may carry it.',
    examples: ['', ''],
  }),
  column('service_effective_to', optional(date('Effective To')), {
    part,
    key: 'effective_to',
    meaning: 'The last such day.',
    examples: ['', ''],
  }),
  column('service_audits_off', defaulted(boolean('Audits Off'), false), {
    part,
    key: 'audits_off',
    meaning: 'Whether its bills are not audited.',
    examples: ['', ''],
  }),
  column('service_accruals_off', defaulted(boolean('Accruals Off'), false), {
    part,
    key: 'accruals_off',
    meaning: 'Whether it is left out of accruals.',
    examples: ['', ''],
  }),
  column('service_notes', optional(longText('Notes')), { part, key: 'notes', meaning: 'Notes on the service.', examples: ['', ''] }),
]

export const billableLedgersColumn = column('billable_ledgers', fields.billable_ledgers, {
  part,
  meaning: 'Books the service by the ledger accounts of the billable one.',
  examples: ['', ''],
})
