/** For every id in a body: one in the writer's reach, one outside it, and the values needed to complete its row. */
import { genericLayout } from '#contract/accounting-batches/ready-layouts.ts'
import { surveyPartNames } from '#contract/site-surveys/survey-parts.ts'
import { sql } from 'kysely'
import { makePayableBill, setBankValue } from './desk-recipes.ts'
import { withValue } from './questions.ts'
import { makePerson } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeService, makeSupplyAccount } from '../support/estate.ts'
import { firstId, insert, makeBill, makeScan, makeVendorBatch, missingId, unique, type Place, type World } from './world.ts'

type Id = number | string
export interface Swap {
  /** Absent for the id of a stored row: the same row without an id is a new one. */
  readonly good?: Id
  readonly bad: Id
  /** The rest of the list's row. */
  readonly beside?: () => object
  /** Values that the record needs for the id to be accepted, in place of the recipe's. */
  readonly within?: object
  /** The list is accepted only as a whole: the recipe's list is good, and the bad id replaces its last one. */
  readonly asLast?: boolean
}

/** Returns the last word of the path, prefixed by its list if the id is in a list's row: `shared_accounts_attributes.id`. */
export function nameOfSwap(path: readonly string[]): string {
  const at = path.indexOf('[]')
  const isRow = at >= 0 && at < path.length - 1
  return isRow ? `${path[at - 1] ?? ''}.${path.at(-1) ?? ''}` : (path.findLast((part) => part !== '[]') ?? '')
}

/** Returns the body with this id at the path. */
export function swappedBody(body: object, path: readonly string[], { beside, within, asLast }: Swap, id: Id): object {
  if (asLast) return withValue(body, path.slice(0, -1), [...listAt(body, path[0] ?? '').slice(0, -1), id])
  const base = holding(body, path, within)
  const at = path.indexOf('[]')
  if (at < 0 || at === path.length - 1) return withValue(base, path, id)
  return withValue(base, path.slice(0, at), [withValue(beside?.() ?? {}, path.slice(at + 1), id)])
}

/** Returns the body that must be accepted, so that only the bad id decides. */
export function takenBody(body: object, path: readonly string[], swap: Swap): object {
  if (swap.asLast) return body
  return swap.good === undefined ? withoutId(body, path, swap) : swappedBody(body, path, swap, swap.good)
}

function holding(body: object, path: readonly string[], within: object = {}): object {
  return Object.entries(within).reduce<object>((all, [key, value]) => withValue(all, [path[0] ?? '', key], value), body)
}

function listAt(body: object, key: string): unknown[] {
  const found: unknown = Reflect.get(body, key)
  return Array.isArray(found) ? found : []
}

/** Returns the body with only the row, which is a new one. */
function withoutId(body: object, path: readonly string[], { beside, within }: Swap): object {
  return withValue(holding(body, path, within), path.slice(0, path.indexOf('[]')), [beside?.() ?? {}])
}

export async function makeSwaps(world: World): Promise<ReadonlyMap<string, Swap>> {
  return new Map(
    Object.entries({
      ...tenantSwaps(world),
      ...(await childSwaps(world)),
      ...(await sharedSwaps(world)),
      ...(await callSwaps(world)),
      ...roleSwaps(world),
      ...importSwaps(world),
      ...(await billSwaps(world)),
    }),
  )
}

function tenantSwaps({ places: { own, foreign }, partnerId, otherPartnerId }: World): Record<string, Swap> {
  return {
    account_id: { good: own.accountId, bad: foreign.accountId },
    'columns.field_id': {
      good: own.ledgerFieldId,
      bad: foreign.ledgerFieldId,
      within: { layout: genericLayout },
      beside: () => ({ source: 'amount', heading: 'Amount' }),
    },
    batch_group_id: { good: own.batchGroupId, bad: foreign.batchGroupId },
    billable_service_ids: { good: own.serviceId, bad: foreign.serviceId },
    channel_partner_id: { good: partnerId, bad: otherPartnerId },
    division_id: { good: own.divisionId, bad: foreign.divisionId },
    facility_id: { good: own.facilityId, bad: foreign.facilityId },
    ledger_account_id: { good: own.ledgerAccountId, bad: foreign.ledgerAccountId },
    late_fee_ledger_account_id: { good: own.ledgerAccountId, bad: foreign.ledgerAccountId },
    payable_ledger_account_id: { good: own.ledgerAccountId, bad: foreign.ledgerAccountId },
    prior_balance_ledger_account_id: { good: own.ledgerAccountId, bad: foreign.ledgerAccountId },
  }
}

/** Ids that only one call accepts, under the call's name, since what it writes may hold a value only once. */
async function callSwaps({ db, places: { own, foreign }, shared }: World): Promise<Record<string, Swap>> {
  const vendor = async () => ({ good: await insert(db, 'vendors', { name: 'Spare', short_code: unique('S') }), bad: missingId })
  // Staff reaches every client, and moving a client would change the reach of the others.
  const client = async () => ({ good: await makeClient(db, { name: unique('Spare') }), bad: missingId })
  const { id: reader } = await makePerson(db, 'super_admin')
  const step = () => ({ name: unique('Step'), above_amount: '1000000' })
  return {
    'budgets.create: billable_account_id': { good: own.accountId, bad: foreign.accountId },
    'budgets.update: billable_account_id': { good: own.accountId, bad: foreign.accountId },
    'client_vendor_numbers.create: vendor_id': await vendor(),
    'client_vendor_numbers.update: vendor_id': await vendor(),
    ...(await bundleSwaps(db, own, foreign, shared)),
    ...(await summarySwaps(db, own, foreign, shared.vendor)),
    'payment_settings.update: approval_steps.[]': { good: reader, bad: missingId, beside: step },
    'payment_settings.update: approval_steps.id': { bad: missingId, beside: () => ({ ...step(), approver_ids: [reader] }) },
    'api_tokens.create: client_ids': { good: own.clientId, bad: foreign.clientId },
    'group_accounts.update: subaccount_ids': {
      good: await makeBillableAccount(db, own.clientId, own.facilityId, shared.vendor, { name: own.mark }),
      bad: foreign.accountId,
    },
    'group_supply_accounts.update: subaccount_ids': {
      good: await makeSupplyAccount(db, own.clientId, own.facilityId, { name: own.mark }),
      bad: foreign.supplyAccountId,
    },
    'audit_settings.try_of_client: service_id': { good: own.serviceId, bad: foreign.serviceId },
    'bills.create: scan_id': { good: await makeScan(db, own), bad: foreign.scanId },
    'bill_scans.ignore: ids': { good: own.scanId, bad: foreign.scanId },
    'bill_scans.take_back: ids': { good: own.scanId, bad: foreign.scanId },
    'services.order: service_ids': { bad: foreign.serviceId, asLast: true },
    'supply_account_services.order: service_ids': { bad: foreign.supplyServiceId, asLast: true },
    'accounting_batches.create: bill_ids': await readyBill(db, own, foreign),
    'accounting_batches.update: bill_ids': await readyBill(db, own, foreign),
    'accounting_batches.create: confirmed_qc_ids': { good: own.billId, bad: foreign.billId },
    'accounting_batches.update: confirmed_qc_ids': { good: own.billId, bad: foreign.billId },
    ...(await paymentSwaps(db, own, foreign, shared.vendor)),
    ...(await deskSwaps(db, own)),
    'site_surveys.create: facility_id': { good: own.facilityId, bad: foreign.facilityId },
    'site_surveys.update: facility_id': { good: own.facilityId, bad: foreign.facilityId },
    'originating_profiles.create: client_id': { good: own.clientId, bad: missingId },
    'originating_profiles.update: client_id': { good: own.clientId, bad: missingId },
    'saved_views.create: client_id': { good: own.clientId, bad: missingId },
    'saved_views.update: client_id': { good: own.clientId, bad: missingId },
    'webhooks.create: client_id': { good: own.clientId, bad: missingId },
    // It must stay unchanged.
    'webhooks.update: client_id': { good: own.clientId, bad: foreign.clientId },
    'channel_partners.create: client_ids': await client(),
    'channel_partners.update: client_ids': await client(),
  }
}

/** A bill that a client batch may take: a batch takes a bill only once. */
async function readyBill(db: World['db'], own: Place, foreign: Place): Promise<Swap> {
  return { good: await makeBill(db, own, { billable_account_id: own.accountId }), bad: foreign.billId }
}

/** The payer, the bills and the payments of a vendor batch. A batch takes each only once. */
async function paymentSwaps(db: World['db'], own: Place, foreign: Place, vendor: number): Promise<Record<string, Swap>> {
  const payable = async ({ clientId, ...place }: Place) => {
    const id = await makeBill(db, { ...place, clientId }, { billable_account_id: place.accountId })
    await sql`update bills set vendor_id = ${vendor} where client_id = ${clientId} and id = ${id}`.execute(db)
    return id
  }
  const bad = await payable(foreign)
  const amount = async () => {
    const good = await payable(own)
    return { good, bad, within: { bill_ids: [good] }, beside: () => ({ amount_paid: '1.00' }) }
  }
  const spare = await makeVendorBatch(db, { clientId: own.clientId, vendorId: vendor, notes: own.mark })
  return {
    'payment_batches.create: payer_id': { good: own.divisionId, bad: foreign.divisionId, within: { payer_type: 'Division' } },
    'payment_batches.update: payer_id': { good: own.clientId, bad: foreign.clientId },
    'payment_batches.create: bill_ids': { good: await payable(own), bad },
    'payment_batches.update: bill_ids': { good: await payable(own), bad },
    'payment_batches.create: bill_amounts.bill_id': await amount(),
    'payment_batches.update: bill_amounts.bill_id': await amount(),
    'payment_batches.create: vendor_payment_id': { good: spare.vendorPaymentId, bad: foreign.vendorPaymentId },
    'payment_batches.update: vendor_payment_id': { good: own.vendorPaymentId, bad: foreign.vendorPaymentId },
    'vendor_payments.create: vendor_id': { good: vendor, bad: missingId },
    'vendor_payments.update: vendor_id': { good: vendor, bad: missingId },
    'vendor_payments.create: client_id': { good: own.clientId, bad: foreign.clientId },
    'vendor_payments.update: client_id': { good: own.clientId, bad: foreign.clientId },
  }
}

/** The ids of the provider's desk: its users reach every client. */
async function deskSwaps(db: World['db'], own: Place): Promise<Record<string, Swap>> {
  const value = { good: await setBankValue(db), bad: missingId }
  const payer = { good: own.clientId, bad: missingId }
  const bill = async () => ({ good: await makePayableBill(db, own), bad: missingId })
  const attributes = async () => {
    const good = await makePayableBill(db, own)
    return { good, bad: missingId, within: { bill_ids: [good] }, beside: () => ({ amount_paid: '1.00' }) }
  }
  return {
    'global_batch_bank_value.update: id': value,
    'global_batch_bank_value.lock: id': value,
    'global_batches.export_files: bill_ids': { bad: missingId, asLast: true },
    'global_batches.create: payer_id': payer,
    'global_batches.update: payer_id': payer,
    'global_batches.create: client_id': payer,
    'global_batches.update: client_id': payer,
    'global_batches.create: bill_ids': await bill(),
    'global_batches.update: bill_ids': await bill(),
    'global_batches.create: new_bill_ids': await bill(),
    'global_batches.update: new_bill_ids': await bill(),
    'global_batches.create: bills_attributes.id': await attributes(),
    'global_batches.update: bills_attributes.id': await attributes(),
  }
}

/** The assignee of a bundle of bill copies, and its filters. */
async function bundleSwaps(db: World['db'], own: Place, foreign: Place, shared: World['shared']): Promise<Record<string, Swap>> {
  const clientBatch = ({ clientId: client_id }: Place) => insert(db, 'accounting_batches', { client_id, batch_code: unique('Batch') })
  const vendorBatch = ({ clientId: client_id }: Place) =>
    insert(db, 'payment_batches', { client_id, batch_date: '2026-01-05', bills_due_date: '2026-01-25' })
  const swaps: Record<string, Swap> = {
    assignable_id: { good: own.divisionId, bad: foreign.divisionId },
    vendor_ids: { good: shared.vendor, bad: missingId },
    utility_service_ids: { good: shared.utility_service, bad: missingId },
    accounting_batch_ids: { good: await clientBatch(own), bad: await clientBatch(foreign) },
    payment_batch_ids: { good: await vendorBatch(own), bad: await vendorBatch(foreign) },
    division_ids: { good: own.divisionId, bad: foreign.divisionId },
    facility_ids: { good: own.facilityId, bad: foreign.facilityId },
    billable_account_ids: { good: own.accountId, bad: foreign.accountId },
    supply_account_ids: { good: own.supplyAccountId, bad: foreign.supplyAccountId },
  }
  const calls = [
    'bill_documents.create',
    'bill_documents.update',
    'generated_reports.create',
    'generated_reports.update',
    'report_schedules.create',
    'report_schedules.update',
    'reports.preview',
  ]
  const report = await firstId(db, 'reports', { name: 'Global Data Export' })
  const readerOf = async (clientId: number) => (await makePerson(db, 'read_only_user', { clients: [clientId] })).id
  const subscribers = { good: await readerOf(own.clientId), bad: await readerOf(foreign.clientId) }
  return {
    ...Object.fromEntries(calls.flatMap((call) => Object.entries(swaps).map(([name, swap]) => [`${call}: ${name}`, swap]))),
    'generated_reports.create: report_id': { good: report, bad: missingId },
    'report_schedules.create: report_id': { good: report, bad: missingId },
    'report_schedules.update: report_id': { good: report, bad: missingId },
    'report_schedules.create: subscriber_ids': subscribers,
    'report_schedules.update: subscriber_ids': subscribers,
    // It must stay unchanged.
    'generated_reports.update: report_id': { good: report, bad: missingId },
  }
}

/** The rows of a summary bill: subaccounts of the group, and their services. */
async function summarySwaps(db: World['db'], own: Place, foreign: Place, vendor: number): Promise<Record<string, Swap>> {
  const { clientId: client_id, facilityId, groupAccountId } = own
  const account_id = await makeBillableAccount(db, client_id, facilityId, vendor, { name: own.mark })
  await sql`update billable_accounts set group_account_id = ${groupAccountId} where client_id = ${client_id} and id = ${account_id}`.execute(
    db,
  )
  const service = await makeService(db, client_id, { billable_account_id: account_id })
  const beside = () => ({
    account_id,
    date: '2026-01-05',
    due_date: '2026-01-25',
    balance_forward: '0.00',
    current_charges: '1.00',
    amount_due: '1.00',
    override_reason: 'Each question makes this bill anew',
  })
  return {
    'bills.create_summary: children.account_id': { good: account_id, bad: foreign.accountId, beside },
    'bills.create_summary: children.service_id': {
      good: service,
      bad: foreign.serviceId,
      beside: () => ({
        ...beside(),
        service_bills_attributes: [{ previous_read_date: '2025-12-01', read_date: '2026-01-01', usage: '1' }],
      }),
    },
  }
}

/** The ids of a role. Which of them are allowed depends on the role. */
function roleSwaps({ places: { own, foreign }, partnerId, otherPartnerId }: World): Record<string, Swap> {
  const nothing = { client_id: null, client_ids: [], division_ids: [], facility_ids: [] }
  const inOwn = { role_id: 7, client_id: own.clientId, division_ids: [], facility_ids: [] }
  const swaps: Record<string, Swap> = {
    role_id: { good: 7, bad: missingId },
    client_id: { good: own.clientId, bad: foreign.clientId, within: { ...nothing, role_id: 7 } },
    client_ids: { good: own.clientId, bad: foreign.clientId, within: { ...nothing, role_id: 5 } },
    channel_partner_id: { good: partnerId, bad: otherPartnerId, within: { ...nothing, role_id: 3 } },
    division_ids: { good: own.divisionId, bad: foreign.divisionId, within: inOwn },
    facility_ids: { good: own.facilityId, bad: foreign.facilityId, within: inOwn },
    billable_account_ids: { good: own.accountId, bad: foreign.accountId, within: inOwn },
    supply_account_ids: { good: own.supplyAccountId, bad: foreign.supplyAccountId, within: inOwn },
  }
  return Object.fromEntries(
    ['user_roles.create', 'user_roles.update'].flatMap((call) => Object.entries(swaps).map(([name, swap]) => [`${call}: ${name}`, swap])),
  )
}

/** Ids of rows that are stored under another client's record. */
async function childSwaps({ db, places: { own, foreign }, shared }: World): Promise<Record<string, Swap>> {
  const theirs = { client_id: foreign.clientId, service_id: foreign.serviceId }
  const share = await insert(db, 'shared_accounts', { ...theirs, ledger_account_id: foreign.ledgerAccountId, share_ratio: '1.0000' })
  const field = await insert(db, 'additional_entry_fields', { ...theirs, name: 'Theirs' })
  const supplied = await insert(db, 'service_supplier_factors', { ...theirs, year: 2020, value: '0.1', source: 'Theirs' })
  const named = () => ({ name: unique('Name') })
  const value = await insert(db, 'ledger_account_fields', {
    client_id: foreign.clientId,
    ledger_account_id: foreign.ledgerAccountId,
    ledger_field_id: foreign.ledgerFieldId,
    value: 'Theirs',
  })
  const valueBeside = () => ({ ledger_field_id: own.ledgerFieldId, value: 'V' })
  const shareBeside = () => ({ ledger_account_id: own.ledgerAccountId, share_ratio: '1.0000' })
  const unitBeside = () => ({ unit_id: shared.unit, conversion_factor: '1', standard: true })
  const factorBeside = () => ({ ...named(), description: 'A factor', unit_id: shared.unit })
  return {
    'batch_groups_attributes.id': { bad: foreign.batchGroupId, beside: named },
    'shared_accounts_attributes.id': { bad: share, beside: shareBeside },
    'shared_accounts_attributes.ledger_account_id': { good: own.ledgerAccountId, bad: foreign.ledgerAccountId, beside: shareBeside },
    'ledger_account_fields_attributes.id': { bad: value, beside: valueBeside },
    'ledger_account_fields_attributes.ledger_field_id': {
      good: own.ledgerFieldId,
      bad: foreign.ledgerFieldId,
      beside: () => ({ value: 'V' }),
    },
    'additional_entry_fields_attributes.id': { bad: field, beside: named },
    'supplier_factors_attributes.id': { bad: supplied, beside: () => ({ year: 2020, value: '0.1', source: 'Test' }) },
    ...(await surveyPartSwaps(db, foreign)),
    'usage_units_attributes.id': { bad: await firstId(db, 'usage_units'), beside: unitBeside },
    'usage_units_attributes.unit_id': { good: shared.unit, bad: missingId, beside: unitBeside },
    'emission_factors_attributes.id': {
      bad: await firstId(db, 'emission_factors'),
      beside: () => ({ effective_from: '2031-01', value: '1', source: 'Test', year: 2031 }),
      within: { usage_units_attributes: [{ unit_id: shared.unit, conversion_factor: '1', standard: true }] },
    },
    'usage_factors_attributes.id': { bad: await firstId(db, 'usage_factors'), beside: factorBeside },
    'usage_factors_attributes.unit_id': { good: shared.unit, bad: missingId, beside: factorBeside },
  }
}

/** The parts of a survey, for each kind one that belongs to a foreign survey. */
async function surveyPartSwaps(db: World['db'], { clientId: client_id, surveyId: site_survey_id }: Place): Promise<Record<string, Swap>> {
  const rows = await Promise.all(
    surveyPartNames.map(async (part): Promise<[string, Swap]> => {
      const bad = await insert(db, part, { client_id, site_survey_id })
      return [`${part}_attributes.id`, { bad, beside: () => ({}) }]
    }),
  )
  return Object.fromEntries(rows)
}

/** Reference data is shared: only an id that does not exist is out of reach. */
async function sharedSwaps({ db, shared }: World): Promise<Record<string, Swap>> {
  const stored = async (table: string): Promise<Swap> => ({ good: await firstId(db, table), bad: missingId })
  return {
    vendor_id: { good: shared.vendor, bad: missingId },
    utility_service_id: { good: shared.utility_service, bad: missingId },
    facility_type_id: { good: shared.facility_type, bad: missingId },
    weather_station_id: { good: shared.weather_station, bad: missingId },
    production_unit_ids: { good: shared.production_unit, bad: missingId },
    payment_method_ids: { good: shared.payment_method, bad: missingId },
    // Only units and factors of the service's own kind are accepted.
    usage_unit_id: { good: shared.usage_unit, bad: missingId },
    usage_factor_ids: { good: shared.usage_factor, bad: missingId },
    entry_field_ids: await stored('entry_fields'),
  }
}

function importSwaps({ places: { own, foreign }, shared }: World): Record<string, Swap> {
  const provider_name = 'City Utility'
  const building = () => ({ name: unique('Building'), number: unique('B') })
  return {
    file_ids: { good: own.statementFileId, bad: foreign.statementFileId },
    'data.file_id': { good: own.statementFileId, bad: foreign.statementFileId },
    'new_accounts.vendor_id': { good: shared.vendor, bad: missingId, beside: () => ({ provider_name, facility_id: own.facilityId }) },
    'new_accounts.facility_id': {
      good: own.facilityId,
      bad: foreign.facilityId,
      beside: () => ({ provider_name, vendor_id: shared.vendor }),
    },
    'new_accounts.division_id': {
      good: own.divisionId,
      bad: foreign.divisionId,
      beside: () => ({ provider_name, vendor_id: shared.vendor, new_facility: building() }),
    },
  }
}

/** The ids of a bill and its lines. */
async function billSwaps({ db, places: { own, foreign }, shared }: World): Promise<Record<string, Swap>> {
  const supplyLine = (place: typeof own) =>
    insert(db, 'service_bills', { client_id: place.clientId, bill_id: place.supplyBillId, service_id: place.supplyServiceId, usage: '1' })
  const [ownLine, theirLine] = [await supplyLine(own), await supplyLine(foreign)]
  const { rows } = await sql<{ unit_id: number }>`select unit_id from usage_units where id = ${shared.usage_unit}`.execute(db)
  const beside = () => ({ service_id: own.serviceId, previous_read_date: '2026-01-01', read_date: '2026-02-01', usage: '1' })
  const charge = await insert(db, 'bill_charges', { client_id: foreign.clientId, bill_id: foreign.billId, name: 'Theirs', amount: '1.00' })
  const swaps: Record<string, Swap> = {
    bill_id: { good: own.billId, bad: foreign.billId },
    group_bill_id: { good: own.groupBillId, bad: foreign.groupBillId },
    rebill_of_id: { good: own.billId, bad: foreign.billId, within: { rebill_mode: 'add' } },
    linked_service_bill_ids: { good: ownLine, bad: theirLine },
    'linked_service_bills_attributes.service_bill_id': { good: ownLine, bad: theirLine },
    'linked_service_bills_attributes.supply_bill_id': {
      good: own.supplyBillId,
      bad: foreign.supplyBillId,
      beside: () => ({ service_bill_id: ownLine }),
    },
    'service_bills_attributes.id': { bad: foreign.lineId, beside },
    'service_bills_attributes.service_id': { good: own.serviceId, bad: foreign.serviceId, beside },
    'service_bills_attributes.unit_id': { good: rows[0]?.unit_id ?? 0, bad: missingId, beside },
    'service_bills_attributes.supply_bill_id': { good: own.supplyBillId, bad: foreign.supplyBillId, beside },
    'bill_charges_attributes.id': { bad: charge, beside: () => ({ name: 'Fuel', amount: '1.00' }) },
  }
  return Object.fromEntries(
    ['bills.create', 'bills.update'].flatMap((call) => Object.entries(swaps).map(([name, swap]) => [`${call}: ${name}`, swap])),
  )
}
