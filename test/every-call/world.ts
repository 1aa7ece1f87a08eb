/**
 * The world in which every call is sent: four places with the same records in each. Two are in one client, so that a narrowed role has something
 * it must not see; one is in a sibling client of the same channel partner; one in a client of another partner. Every text of a place contains
 * its mark, so that a leak shows in any response, whatever its shape.
 */
import { createHash } from 'node:crypto'
import { genericLayout } from '#contract/accounting-batches/ready-layouts.ts'
import { sql, type Kysely } from 'kysely'
import { ProviderError, type BillRetrievalProvider } from '../../src/server/bill-retrieval/provider.ts'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { counter } from '../support/counter.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeLedgerAccount,
  makeService,
  makeSupplyAccount,
} from '../support/estate.ts'

export type Db = Kysely<Tables>
export type PlaceName = 'own' | 'outside' | 'sibling' | 'foreign'
export const placeNames: readonly PlaceName[] = ['own', 'outside', 'sibling', 'foreign']

export interface Place {
  readonly name: PlaceName
  readonly mark: string
  readonly clientId: number
  readonly divisionId: number
  readonly facilityId: number
  readonly accountId: number
  readonly groupAccountId: number
  readonly supplyAccountId: number
  readonly groupSupplyAccountId: number
  readonly serviceId: number
  readonly supplyServiceId: number
  readonly ledgerAccountId: number
  readonly ledgerFieldId: number
  readonly clientBatchId: number
  readonly exportProfileId: number
  /** An open vendor batch that the client pays, with a payment without bills. */
  readonly vendorBatchId: number
  readonly vendorPaymentId: number
  readonly batchGroupId: number
  /** Documents of the facility and of the client itself. */
  readonly documentId: number
  readonly surveyId: number
  readonly clientDocumentId: number
  readonly vendorNumberId: number
  readonly budgetId: number
  readonly bankProfileId: number
  /** A bundle of bill copies for the division. */
  readonly billDocumentId: number
  readonly generatedReportId: number
  /** A report that is scheduled for everybody of the client to see. */
  readonly reportScheduleId: number
  /** An inbox document that was read as one of the account's. */
  readonly scanId: number
  readonly billId: number
  readonly supplyBillId: number
  readonly groupBillId: number
  readonly lineId: number
  /** The file of a retrieved statement that cannot become a bill, so that no import creates one unnoticed. */
  readonly statementFileId: string
}

export interface World {
  readonly db: Db
  readonly places: Readonly<Record<PlaceName, Place>>
  readonly partnerId: number
  readonly otherPartnerId: number
  /** Reference data that belongs to no client. */
  readonly shared: Readonly<
    Record<
      | 'vendor'
      | 'cost_parameter'
      | 'weather_station'
      | 'degree_day'
      | 'facility_type'
      | 'unit'
      | 'production_unit'
      | 'payment_method'
      | 'utility_service'
      | 'usage_unit'
      | 'usage_factor',
      number
    >
  >
}

/** Ids that do not exist. */
export const missingId = 999_999_999
export const missingClientId = 888_888_888

export async function makeWorld(db: Db): Promise<World> {
  const partnerId = await insert(db, 'channel_partners', { name: 'Near Partner' })
  const otherPartnerId = await insert(db, 'channel_partners', { name: `Far Partner ${markOf('foreign')}` })
  const vendor = await insert(db, 'vendors', { name: 'City Power', short_code: 'CITY' })
  const own = await makeClient(db, { name: `Client ${markOf('own')}`, channel_partner_id: partnerId })
  const sibling = await makeClient(db, { name: `Client ${markOf('sibling')}`, channel_partner_id: partnerId })
  const foreign = await makeClient(db, { name: `Client ${markOf('foreign')}`, channel_partner_id: otherPartnerId })
  const kind = await firstId(db, 'utility_services', { name: 'Electric' })
  const station = await insert(db, 'weather_stations', { code: 'KZQ', name: 'Skylight' })
  return {
    db,
    partnerId,
    otherPartnerId,
    places: {
      own: await makePlace(db, 'own', own, vendor),
      outside: await makePlace(db, 'outside', own, vendor),
      sibling: await makePlace(db, 'sibling', sibling, vendor),
      foreign: await makePlace(db, 'foreign', foreign, vendor),
    },
    shared: {
      vendor,
      facility_type: await insert(db, 'facility_types', { name: 'Observatory' }),
      unit: await insert(db, 'units', { symbol: 'zz', description: 'Test unit' }),
      cost_parameter: await insert(db, 'cost_parameters', { name: 'Starlight' }),
      weather_station: station,
      degree_day: await insert(db, 'degree_days', { weather_station_id: station, period: nextMonth(), heating: 1, cooling: 0 }),
      production_unit: await insert(db, 'production_units', { name: 'Telescopes' }),
      payment_method: await insert(db, 'payment_methods', { name: 'Pigeon', description: 'By pigeon' }),
      // The kind of all places' services, so that its units and factors are accepted by them.
      utility_service: kind,
      usage_unit: await firstId(db, 'usage_units', { utility_service_id: kind }),
      usage_factor: await firstId(db, 'usage_factors', { utility_service_id: kind }),
    },
  }
}

/** Returns a word that is in every text of a place and nowhere else. */
export function markOf(place: PlaceName): string {
  return `zq${place}zq`
}

const count = counter()
/** Returns a text that no other row has. */
export function unique(prefix: string): string {
  return `${prefix} ${count.next()}`
}

/** Inserts a row and returns its id. */
export async function insert(db: Db, table: string, values: Readonly<Record<string, unknown>>): Promise<number> {
  const columns = sql.join(Object.keys(values).map((key) => sql.ref(key)))
  const { rows } = await sql<{
    id: number
  }>`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(values))}) returning id`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`no row was made in ${table}`)
  return id
}

/** Makes an open vendor batch that the client pays, with a payment without bills. */
export async function makeVendorBatch(
  db: Db,
  { clientId, vendorId, notes }: { clientId: number; vendorId: number; notes: string },
): Promise<{ vendorBatchId: number; vendorPaymentId: number }> {
  const vendorBatchId = await insert(db, 'payment_batches', {
    client_id: clientId,
    batch_date: '2026-01-05',
    bills_due_date: '2026-01-19',
    notes,
  })
  const vendorPaymentId = await insert(db, 'vendor_payments', {
    client_id: clientId,
    payment_batch_id: vendorBatchId,
    vendor_id: vendorId,
    check_number: notes,
  })
  return { vendorBatchId, vendorPaymentId }
}

async function makePlace(db: Db, name: PlaceName, clientId: number, vendorId: number): Promise<Place> {
  const mark = markOf(name)
  const divisionId = await makeDivision(db, clientId, { name: `Division ${mark}` })
  const facilityId = await makeFacility(db, clientId, divisionId, { name: `Facility ${mark}` })
  const account = (kind: string) => ({ name: `${kind} ${mark}`, account_number: `${kind}-${mark}` })
  const accountId = await makeBillableAccount(db, clientId, facilityId, vendorId, account('Account'))
  const groupAccountId = await makeBillableAccount(db, clientId, facilityId, vendorId, { ...account('Group'), is_group_account: true })
  const supplyAccountId = await makeSupplyAccount(db, clientId, facilityId, account('Supply'))
  const groupSupplyAccountId = await makeSupplyAccount(db, clientId, facilityId, account('GroupSupply'))
  await sql`update supply_accounts set is_group_account = true where id = ${groupSupplyAccountId}`.execute(db)
  const serviceId = await makeService(db, clientId, { billable_account_id: accountId }, { meter_number: `Meter-${mark}` })
  const supplyServiceId = await makeService(db, clientId, { supply_account_id: supplyAccountId }, { meter_number: `SupplyMeter-${mark}` })
  const numberOf = (kind: string) => ({ account_number: `${kind}-${mark}` })
  const bill = (owner: object) => makeBill(db, { clientId, divisionId, facilityId, mark }, owner)
  const billId = await bill({ billable_account_id: accountId })
  await makeFinding(db, { clientId, billId, mark })
  const lineId = await insert(db, 'service_bills', {
    client_id: clientId,
    bill_id: billId,
    service_id: serviceId,
    read_date: '2026-01-31',
    previous_read_date: '2026-01-01',
    usage: '10.000',
    notes: `note ${mark}`,
  })
  const fileId = await insert(db, 'files', {
    key: `bills/${name}/copy`,
    filename: `${mark}.pdf`,
    content_type: 'application/pdf',
    byte_size: 3,
    state: 'attached',
  })
  await sql`insert into bill_files (client_id, bill_id, position, file_id, filename) values (${clientId}, ${billId}, 1, ${fileId}, ${`${mark}.pdf`})`.execute(
    db,
  )
  return {
    name,
    mark,
    clientId,
    divisionId,
    facilityId,
    accountId,
    groupAccountId,
    supplyAccountId,
    groupSupplyAccountId,
    serviceId,
    supplyServiceId,
    // A record of the client as a whole is visible to all narrowed roles or to none: it has the client's mark.
    ledgerAccountId: await makeLedgerAccount(db, clientId, `Ledger ${name === 'outside' ? markOf('own') : mark} ${name}`),
    ledgerFieldId: await insert(db, 'ledger_fields', {
      client_id: clientId,
      name: `Field ${name === 'outside' ? markOf('own') : mark} ${name}`,
      description: 'A field',
      order: 1,
    }),
    clientBatchId: await makeClientBatch(db, { clientId, fileId, code: `Batch ${name === 'outside' ? markOf('own') : mark} ${name}` }),
    exportProfileId: await makeExportProfile(db, clientId, `Profile ${name === 'outside' ? markOf('own') : mark} ${name}`),
    ...(await makeVendorBatch(db, { clientId, vendorId, notes: `Payments ${name === 'outside' ? markOf('own') : mark} ${name}` })),
    surveyId: await makeSurvey(db, { clientId, facilityId, mark }),
    documentId: await makeDocument(db, clientId, { facility_id: facilityId }, mark),
    clientDocumentId: await makeDocument(db, clientId, { on_client: true }, name === 'outside' ? markOf('own') : mark),
    batchGroupId: await insert(db, 'batch_groups', {
      client_id: clientId,
      name: `Group ${name === 'outside' ? markOf('own') : mark} ${name}`,
    }),
    billDocumentId: await makeBillDocument(db, { clientId, divisionId, mark }),
    generatedReportId: await makeGeneratedReport(db, { clientId, divisionId, mark }),
    reportScheduleId: await makeReportSchedule(db, { clientId, mark }),
    scanId: await makeScan(db, { clientId, accountId, mark }),
    bankProfileId: await insert(db, 'originating_profiles', {
      client_id: clientId,
      name: `Profile ${name === 'outside' ? markOf('own') : mark} ${name}`,
      is_default: false,
    }),
    budgetId: await makeBudget(db, { clientId, accountId }),
    vendorNumberId: await makeVendorNumber(db, clientId, `Number ${name === 'outside' ? markOf('own') : mark} ${name}`),
    billId,
    supplyBillId: await bill({ supply_account_id: supplyAccountId, ...numberOf('Supply') }),
    groupBillId: await bill({ billable_account_id: groupAccountId, ...numberOf('Group') }),
    lineId,
    statementFileId: await makeStatement(db, { clientId, accountId, mark }),
  }
}

/** The bytes of each upload file; who asks for one puts them into the store first. */
export const uploadBytes: Buffer = Buffer.from('Account,Amount\n')

/** Makes an open client batch with an upload file without stored bytes. */
async function makeClientBatch(db: Db, { clientId, fileId, code }: { clientId: number; fileId: number; code: string }): Promise<number> {
  const id = await insert(db, 'accounting_batches', { client_id: clientId, batch_code: code })
  await sql`insert into accounting_batch_files (client_id, accounting_batch_id, kind, version, file_id, sha256, total, row_count)
    values (${clientId}, ${id}, 'upload', 1, ${fileId}, ${createHash('sha256').update(uploadBytes).digest()}, 0, 0)`.execute(db)
  return id
}

/** Makes a survey with one record of a kind, which has the mark too. */
export async function makeSurvey(db: Db, { clientId, facilityId, mark }: Pick<Place, 'clientId' | 'facilityId' | 'mark'>): Promise<number> {
  const id = await insert(db, 'site_surveys', { client_id: clientId, facility_id: facilityId, name: `Survey ${mark}` })
  await insert(db, 'gear_boxes', { client_id: clientId, site_survey_id: id, name: `Gear box ${mark}` })
  return id
}

/** An export profile that is not the client's default. */
export function makeExportProfile(db: Db, client_id: number, name: string): Promise<number> {
  return insert(db, 'export_profiles', { client_id, name, layout: JSON.stringify(genericLayout) })
}

/** Makes the client's number for its own vendor, since a client has one per vendor. */
export async function makeVendorNumber(db: Db, clientId: number, vendor_number: string): Promise<number> {
  const vendor_id = await insert(db, 'vendors', { name: 'Numbered', short_code: unique('N') })
  return insert(db, 'client_vendor_numbers', { client_id: clientId, vendor_id, vendor_number })
}

/** Makes a budget of a month that the account has none of. */
export async function makeBudget(db: Db, { clientId, accountId }: Pick<Place, 'clientId' | 'accountId'>): Promise<number> {
  return insert(db, 'budgets', { client_id: clientId, billable_account_id: accountId, month: nextMonth(), amount: '100.00' })
}

let months = 0
/** A month of which no budget was made yet. */
export function nextMonth(): string {
  months += 1
  return `${2100 + Math.floor(months / 9)}-0${1 + (months % 9)}`
}

/** Makes an inbox document, read as one of the account's, with a file without stored bytes. */
export async function makeScan(
  db: Db,
  { clientId, accountId, mark }: Pick<Place, 'clientId' | 'accountId' | 'mark'>,
  state = 'read',
  more: Readonly<Record<string, number>> = {},
): Promise<number> {
  const file = { filename: `${mark}.pdf`, content_type: 'application/pdf', byte_size: 3, state: 'attached' }
  const file_id = await insert(db, 'files', { key: `scans/${unique('scan').replace(' ', '')}`, ...file })
  return insert(db, 'bill_scans', {
    client_id: clientId,
    file_id,
    filename: `${mark}.pdf`,
    state,
    pages: 3,
    billable_account_id: accountId,
    vendor_name: `Vendor ${mark}`,
    ...more,
  })
}

/** Makes a bundle of bill copies for the division, with a file without stored bytes. */
export async function makeBillDocument(
  db: Db,
  { clientId, divisionId, mark }: Pick<Place, 'clientId' | 'divisionId' | 'mark'>,
): Promise<number> {
  const file = { filename: `${mark}.zip`, content_type: 'application/zip', byte_size: 3, state: 'attached' }
  const file_id = await insert(db, 'files', { key: `bill_documents/${unique('bundle').replace(' ', '')}`, ...file })
  return insert(db, 'bill_documents', { client_id: clientId, name: `Bundle ${mark}`, division_id: divisionId, file_id })
}

/** A report that was made for the division, with three files whose bytes nobody has. */
export async function makeGeneratedReport(
  db: Db,
  { clientId, divisionId, mark }: Pick<Place, 'clientId' | 'divisionId' | 'mark'>,
): Promise<number> {
  const file = (ending: string) =>
    insert(db, 'files', {
      key: `reports/${unique('report').replace(' ', '')}`,
      filename: `${mark}.${ending}`,
      content_type: 'text/csv',
      byte_size: 3,
      state: 'attached',
    })
  return insert(db, 'generated_reports', {
    client_id: clientId,
    report_id: await firstId(db, 'reports', { name: 'Global Data Export' }),
    name: `Report ${mark}`,
    division_id: divisionId,
    form_data: JSON.stringify({ date_range: { from: '2026-01-01', to: null } }),
    file_id: await file('pdf'),
    extra_file_id: await file('csv'),
    workbook: true,
    workbook_file_id: await file('xlsx'),
  })
}

/** A shared and paused schedule of somebody who is gone. */
export async function makeReportSchedule(db: Db, { clientId, mark }: Pick<Place, 'clientId' | 'mark'>): Promise<number> {
  return insert(db, 'report_schedules', {
    client_id: clientId,
    report_id: await firstId(db, 'reports', { name: 'Global Data Export' }),
    name: `Schedule ${mark}`,
    dates: 'last_month',
    formats: ['csv'],
    subscriber_ids: [],
    shared: true,
    paused: true,
  })
}

/** Makes a document of this record, with a file without stored bytes. */
export async function makeDocument(
  db: Db,
  clientId: number,
  on: Readonly<Record<string, number | boolean>>,
  mark: string,
): Promise<number> {
  const file = { filename: `${mark}.pdf`, content_type: 'application/pdf', byte_size: 3, state: 'attached' }
  const file_id = await insert(db, 'files', { key: `uploads/${unique('document').replace(' ', '')}`, ...file })
  return insert(db, 'documents', { client_id: clientId, title: `Document ${mark}`, file_id, ...on })
}

/**
 * Makes a statement of this account that prints no amounts.
 * @returns the name of its file.
 */
export async function makeStatement(
  db: Db,
  { clientId, accountId, mark }: Pick<Place, 'clientId' | 'accountId' | 'mark'>,
  state = 'needs_meter',
): Promise<string> {
  const id = unique(`statement-${mark}`).replace(' ', '-')
  const number = `Number-${mark}`
  const names = { statement_id: id, file_id: id, provider_name: `Utility ${mark}`, account_number: number, kind: 'notice' }
  await insert(db, 'retrieval_statements', {
    client_id: clientId,
    provider: quietProvider.id,
    ...names,
    statement_date: '2026-02-01',
    raw: JSON.stringify({ ...names, bill_date: '2026-02-01' }),
    state,
    reason: `reason ${mark}`,
    billable_account_id: accountId,
  })
  return id
}

/** A retrieval service without new statements, so that a fetch changes nothing, and with a PDF for each. */
export const quietProvider: BillRetrievalProvider = {
  id: 'quiet',
  label: 'Quiet Service',
  status: () => Promise.resolve({ ok: true, credentials: { ok: 1, failed: 0, needsAction: 0 } }),
  listStatements: () => Promise.resolve({ items: [] }),
  getStatement: (id) => Promise.reject(new ProviderError('not_found', `no statement ${id}`)),
  getPdf: (id) => Promise.resolve({ bytes: Buffer.from('%PDF-1.4 %%EOF'), filename: `${id}.pdf`, sha256: '00'.repeat(32) }),
}

/** Makes a finding on a place's bill. */
export function makeFinding(
  db: Db,
  { clientId, billId, mark }: Pick<Place, 'clientId' | 'billId' | 'mark'>,
  values: object = {},
): Promise<number> {
  return insert(db, 'bill_findings', {
    client_id: clientId,
    bill_id: billId,
    code: 'usage_high',
    severity: 'W',
    message: `Finding ${mark}`,
    actual: '1',
    ...values,
  })
}

/** Makes a bill of this account. */
export function makeBill(
  db: Db,
  { clientId, divisionId, facilityId, mark }: Pick<Place, 'clientId' | 'divisionId' | 'facilityId' | 'mark'>,
  owner: object,
): Promise<number> {
  return insert(db, 'bills', {
    client_id: clientId,
    // The account's number: a bill's number is a copy.
    account_number: `Account-${mark}`,
    ...owner,
    division_id: divisionId,
    facility_id: facilityId,
    date: '2026-02-01',
    due_date: '2026-02-20',
    invoice_number: `Invoice-${mark}`,
    notes: `note ${mark}`,
    current_charges: '10.00',
    amount_due: '10.00',
  })
}

export async function firstId(db: Db, table: string, where: Readonly<Record<string, string | number>> = {}): Promise<number> {
  const conditions = Object.entries(where).map(([column, value]) => sql`and ${sql.ref(column)} = ${value}`)
  const { rows } = await sql<{
    id: number
  }>`select min(id) as id from ${sql.table(table)} where true ${sql.join(conditions, sql` `)}`.execute(db)
  return rows[0]?.id ?? 0
}
