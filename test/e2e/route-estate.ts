/** The records in the routes' addresses: one of everything, or the demonstration data. */
import { genericLayout } from '#contract/accounting-batches/ready-layouts.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { sql, type Kysely } from 'kysely'
import { refreshFacts } from '../../src/server/month-facts/refresh-facts.ts'
import { makeDemoData } from '../../src/server/demo/demo.ts'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { makePerson } from '../support/app.ts'
import { makeAccount, makeGround, makeSupplyAccount, type Ground } from '../support/bills.ts'
import { makeLedgerAccount, makeService } from '../support/estate.ts'
import { makeDeskBill } from '../support/desk.ts'
import { addBill } from '../support/fact-bills.ts'
import type { ConsoleUnderTest } from './console.ts'

/** Makes the demonstration data, plus records that only addresses need: a group of supply accounts, and the pages behind subscriptions. */
export async function makeDemoEstate({ app, db }: ConsoleUnderTest): Promise<void> {
  await makeDemoData({ database: app.database, machinery: app.app.machinery, log: app.app.machinery.log })
  await sql`update clients set user_management = true, utility_payment_management = true, accounting_batch_management = true, ledger_account_management = true`.execute(
    db,
  )
  const { rows } = await sql<{ clientId: number; facilityId: number; vendorId: number; accountId: number }>`
    select client_id as "clientId", facility_id as "facilityId", vendor_id as "vendorId",
      (select min(id) from billable_accounts where client_id = supply_accounts.client_id) as "accountId"
    from supply_accounts
    order by not exists (select from billable_accounts where client_id = supply_accounts.client_id and is_group_account), id limit 1`.execute(
    db,
  )
  const place = rows[0]
  if (!place) return
  await sql`update supply_accounts set is_group_account = true where id = ${await makeSupplyAccount(db, place, '8800-2')}`.execute(db)
  await makeRecordsOfForms(db, place)
}

/** Makes one of every record that an address refers to. */
export async function makeSmallEstate(db: Kysely<Tables>): Promise<void> {
  const ground = await makeGround(db)
  await sql`update clients set name = 'Harbor Foods', user_management = true, utility_payment_management = true, accounting_batch_management = true,
    ledger_account_management = true where id = ${ground.clientId}`.execute(db)
  await makeAccount(db, ground, '7700-1', { group: true })
  await makeService(db, ground.clientId, { supply_account_id: await makeSupplyAccount(db, ground, '8800-1') })
  await sql`update supply_accounts set is_group_account = true where id = ${await makeSupplyAccount(db, ground, '8800-2')}`.execute(db)
  const ledgerAccountId = await makeLedgerAccount(db, ground.clientId, '6100 Power')
  await sql`with field as (insert into ledger_fields (client_id, name, description, "order") values (${ground.clientId}, 'Cost Center', 'Division', 1) returning id)
    insert into ledger_account_fields (client_id, ledger_account_id, ledger_field_id, value)
    select ${ground.clientId}, ${ledgerAccountId}, id, '100' from field`.execute(db)
  await makePerson(db, 'client_user', { clients: [ground.clientId] })
  await sql`insert into vendor_bank_changes (vendor_id, changed, account_holder, requested_by) values (${ground.vendorId}, '{account_holder}', 'Harbor Power', 1)`.execute(
    db,
  )
  await sql`insert into client_vendor_numbers (client_id, vendor_id, vendor_number) values (${ground.clientId}, ${ground.vendorId}, '4711')`.execute(
    db,
  )
  await sql`with partner as (insert into channel_partners (name) values ('Gulf Energy Partners') returning id)
    update clients set channel_partner_id = partner.id from partner where clients.id = ${ground.clientId}`.execute(db)
  await sql`insert into production_units (name) values ('Visitors')`.execute(db)
  await sql`insert into cost_parameters (name) values ('Weather')`.execute(db)
  await sql`with station as (insert into weather_stations (code, name) values ('KRTE', 'Lakeside') returning id)
    insert into degree_days (weather_station_id, period, heating, cooling) select id, '2026-01', 900, 0 from station`.execute(db)
  await sql`insert into originating_profiles (client_id, name) values (${ground.clientId}, 'Operating account')`.execute(db)
  await addBill(db, ground.clientId, {
    account: { billable_account_id: ground.accountId },
    date: '2026-02-01',
    current_charges: '1590.00',
    lines: [
      { from: '2026-01-01', to: '2026-02-01', service_id: ground.electricId, utility: '1500.00', usage: '1000' },
      { from: '2026-01-01', to: '2026-02-01', service_id: ground.gasId, utility: '90.00', usage: '10' },
    ],
  })
  await sql`with batch as (insert into accounting_batches (client_id, batch_code) values (${ground.clientId}, 'HRB-2026-02') returning id)
    update bills set accounting_batch_id = batch.id from batch where bills.client_id = ${ground.clientId}`.execute(db)
  await makeVendorBatch(db, ground)
  await makeDesk(db, ground)
  await makeRecordsOfForms(db, ground)
  await refreshFacts(db, ground.clientId, [ground.electricId, ground.gasId])
}

/** Makes what only the addresses of forms need: a budget, a bill document, an export profile, a report with its schedule, and a survey. */
async function makeRecordsOfForms(
  db: Kysely<Tables>,
  { clientId, accountId, facilityId }: Pick<Ground, 'clientId' | 'accountId' | 'facilityId'>,
): Promise<void> {
  await sql`insert into budgets (client_id, billable_account_id, month, amount) values (${clientId}, ${accountId}, '2026-01', 120)`.execute(
    db,
  )
  await sql`insert into bill_documents (client_id, name, on_client) values (${clientId}, 'January bills', true)`.execute(db)
  await sql`insert into export_profiles (client_id, name, layout) values (${clientId}, 'Ledger import', ${JSON.stringify(genericLayout)}::jsonb)`.execute(
    db,
  )
  await sql`insert into generated_reports (client_id, report_id, name, on_client)
    select ${clientId}, id, 'Autumn accruals', true from reports where name = 'Accrual Report'`.execute(db)
  await sql`insert into report_schedules (client_id, report_id, name, dates, formats, subscriber_ids, shared, paused)
    select ${clientId}, id, 'Monthly accruals', 'last_month', '{csv}', '{}', true, true from reports where name = 'Accrual Report'`.execute(
    db,
  )
  await sql`insert into site_surveys (client_id, facility_id, name) values (${clientId}, ${facilityId}, 'Autumn survey')`.execute(db)
}

/** Makes a vendor batch with a payment of its own bill, so that its pages show something. */
async function makeVendorBatch(db: Kysely<Tables>, { clientId, vendorId, accountId }: Ground): Promise<void> {
  const { rows } = await sql<{ payment: number }>`with batch as (insert into payment_batches (client_id, batch_date, bills_due_date, notes)
      values (${clientId}, '2026-02-10', '2026-02-24', 'February') returning id)
    insert into vendor_payments (client_id, payment_batch_id, vendor_id) select ${clientId}, id, ${vendorId} from batch returning id as payment`.execute(
    db,
  )
  const payment = rows[0]?.payment ?? 0
  const { id: bill } = await addBill(db, clientId, {
    account: { billable_account_id: accountId },
    date: '2026-02-03',
    current_charges: '20.00',
    lines: [],
  })
  await sql`insert into payment_batch_bills (client_id, bill_id, payment_batch_id, vendor_payment_id, amount_paid)
    select ${clientId}, ${bill}, payment_batch_id, id, 20 from vendor_payments where id = ${payment}`.execute(db)
  await sql`update bills set vendor_payment_id = ${payment}, vendor_id = ${vendorId} where client_id = ${clientId} and id = ${bill}`.execute(
    db,
  )
}

/** Makes the provider's desk: a locked value, a bill that can be batched, and a batch of today. */
async function makeDesk(db: Kysely<Tables>, ground: Ground): Promise<void> {
  const day = todayIn(NEW_YORK, new Date())
  await sql`insert into global_batch_bank_values (day, value, locked) values (${day}, 5000, true)`.execute(db)
  await makeDeskBill(db, ground, ground.vendorId, { amount: '40.00', due: day, date: '2026-02-05' })
  const held = await makeDeskBill(db, ground, ground.vendorId, { amount: '30.00', due: day, date: '2026-02-04' })
  await sql`with batch as (insert into payment_batches (client_id, is_global, batch_date, bills_due_date, payment_method)
      values (${ground.clientId}, true, ${day}, ${day}, 'Check') returning client_id, id),
    payment as (insert into vendor_payments (client_id, payment_batch_id, vendor_id, payment_method)
      select client_id, id, ${ground.vendorId}, 'Check' from batch returning client_id, payment_batch_id, id),
    member as (insert into payment_batch_bills (client_id, bill_id, payment_batch_id, vendor_payment_id, amount_paid)
      select client_id, ${held}, payment_batch_id, id, 30 from payment returning client_id, bill_id, vendor_payment_id)
    update bills set vendor_payment_id = member.vendor_payment_id from member where bills.client_id = member.client_id and bills.id = member.bill_id`.execute(
    db,
  )
  await sql`with release as (insert into export_releases (state, pay_method, format, reasons, fingerprints, payer_names, batch_count, payment_count, total,
      requested_by, decided_by, decided_at, note)
      values ('refused', 'Check', 'check_request', 'the bank profile asks for it', '{"payments":"","vendors":{},"profiles":"","rules":""}', 'Payer', 1, 1, 30,
        1, 2, now(), 'Not yet') returning id)
    insert into export_release_batches (client_id, export_release_id, payment_batch_id, waits)
    select batch.client_id, release.id, batch.id, false from release, payment_batches batch
    where batch.client_id = ${ground.clientId} and batch.is_global`.execute(db)
  await makeStatement(db, ground.clientId, day)
}

/** Makes a bank statement with one line that is open. */
async function makeStatement(db: Kysely<Tables>, clientId: number, day: string): Promise<void> {
  await sql`with account as (insert into bank_accounts (payer_id, account_fingerprint, account_last4, bank_name)
      values (${clientId}, '\\x01', '7766', 'First Bank') returning id),
    file as (insert into bank_statement_files (bank_account_id, file_name, format, sha256, content_encrypted, byte_size)
      select id, 'day.bai', 'bai2', '\\x01', ''::bytea, 1 from account returning id, bank_account_id),
    statement as (insert into bank_statements (payer_id, bank_account_id, bank_statement_file_id, from_day, to_day, opening, closing)
      select ${clientId}, bank_account_id, id, ${day}, ${day}, 10, 9 from file returning id)
    insert into bank_statement_lines (payer_id, bank_statement_id, line, day, amount, code, description, reference, state, reason)
    select ${clientId}, id, 4, ${day}, -1, '699', 'Monthly fee', '', 'open', 'Nothing outstanding has this amount.' from statement`.execute(
    db,
  )
}

/** Makes a webhook that is switched off, so that nothing is sent, with one finished delivery. */
export async function makeWebhook(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`insert into webhooks (name, url, active, all_events) values ('Ledger', 'https://ledger.example.com/hooks', false, true) returning id`.execute(
    db,
  )
  await sql`insert into webhook_deliveries (webhook_id, event_id, event, body, state, attempts, last_status, last_duration_ms)
    values (${rows[0]?.id}, 'evt_1_1', 'bill.created', '{"id":"evt_1_1","type":"bill.created"}', 'delivered', 1, 200, 84)`.execute(db)
}

/** Returns a function that fills in an address with existing records; parameters that only later pages use become 1. */
export async function addresses(db: Kysely<Tables>): Promise<(path: string) => string> {
  const { rows } = await sql<Record<string, number>>`with bill as (
      select bills.client_id, bills.id, bills.billable_account_id, facilities.id as facility_id, facilities.division_id from bills
      join billable_accounts on billable_accounts.client_id = bills.client_id and billable_accounts.id = bills.billable_account_id
      join facilities on facilities.client_id = bills.client_id and facilities.id = billable_accounts.facility_id
      where exists (select from supply_accounts where client_id = bills.client_id)
      order by not exists (select from billable_accounts where client_id = bills.client_id and is_group_account),
        not exists (select from supply_accounts where client_id = bills.client_id and is_group_account),
        billable_accounts.is_group_account, bills.id limit 1)
    select client_id, id as bill_id, billable_account_id, facility_id, division_id,
      (select min(id) from bills other where other.client_id = bill.client_id and other.id <> bill.id) as other_bill_id,
      (select min(id) from services where client_id = bill.client_id and billable_account_id = bill.billable_account_id) as service_id,
      (select min(id) from supply_accounts where client_id = bill.client_id and not is_group_account) as supply_account_id,
      (select min(id) from services where client_id = bill.client_id and supply_account_id = (select min(id) from supply_accounts
        where client_id = bill.client_id and not is_group_account)) as supply_service_id,
      (select min(id) from billable_accounts where client_id = bill.client_id and is_group_account) as group_account_id,
      (select min(id) from supply_accounts where client_id = bill.client_id and is_group_account) as group_supply_account_id,
      (select id from utility_services where code = 'electric') as utility_service_id,
      (select min(user_role_id) from user_role_clients where client_id = bill.client_id) as role_id,
      (select user_id from user_roles where id = (select min(user_role_id) from user_role_clients where client_id = bill.client_id)) as user_id,
      (select min(id) from budgets where client_id = bill.client_id) as budget_id,
      (select min(id) from client_vendor_numbers where client_id = bill.client_id) as client_vendor_number_id,
      (select min(id) from ledger_fields where client_id = bill.client_id) as ledger_field_id,
      (select min(id) from ledger_accounts where client_id = bill.client_id) as ledger_account_id,
      (select min(id) from accounting_batches where client_id = bill.client_id) as accounting_batch_id,
      (select min(id) from export_profiles where client_id = bill.client_id) as export_profile_id,
      (select min(id) from payment_batches where client_id = bill.client_id and not is_global) as payment_batch_id,
      (select min(id) from payment_batches where is_global and unbatched_at is null) as global_batch_id,
      (select min(id) from export_releases) as release_id,
      (select min(id) from bank_statements) as statement_id,
      (select min(id) from vendor_payments where client_id = bill.client_id and payment_batch_id =
        (select min(id) from payment_batches where client_id = bill.client_id and not is_global)) as vendor_payment_id,
      (select min(id) from site_surveys where client_id = bill.client_id) as site_survey_id,
      (select min(id) from bill_documents where client_id = bill.client_id) as bill_document_id,
      (select min(id) from generated_reports where client_id = bill.client_id) as generated_report_id,
      (select min(id) from report_schedules where client_id = bill.client_id) as report_schedule_id,
      (select min(report_id) from generated_reports where client_id = bill.client_id) as report_id,
      (select min(id) from channel_partners) as channel_partner_id,
      (select min(id) from webhooks) as webhook_id, (select min(id) from webhook_deliveries) as delivery_id
    from bill`.execute(db)
  const documentId = await keptDocument(db, rows[0]?.['client_id'] ?? 1)
  const scanId = await waitingScan(db, rows[0]?.['client_id'] ?? 1)
  const lists = [
    'vendors',
    'payment_methods',
    'utility_services',
    'units',
    'production_units',
    'facility_types',
    'cost_parameters',
    'weather_stations',
    'degree_days',
    'originating_profiles',
    'vendor_bank_changes',
    'mails',
    'webhooks',
  ]
  const first = new Map<string, number>()
  for (const list of lists) {
    const found = await sql<{ id: number }>`select min(id) as id from ${sql.table(list)}`.execute(db)
    first.set(list, found.rows[0]?.id ?? 1)
  }
  const known = rows[0] ?? {}
  return (path) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => {
      const list = lists.find((one) => path.includes(`/${one}/:id`))
      if (name === 'document_id') return String(documentId)
      if (name === 'bill_scan_id') return String(scanId)
      if (name === 'service_id' && path.includes('/supply_accounts/')) return String(known['supply_service_id'] ?? 1)
      return String(known[name] ?? first.get(list ?? '') ?? (name === 'type' ? 'NP' : 1))
    })
}

/** A document of the client; its form opens at every level's address. */
async function keptDocument(db: Kysely<Tables>, clientId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`with file as (
      insert into files (key, filename, content_type, byte_size, state) values ('uploads/route/document', 'lease.pdf', 'application/pdf', 3, 'attached') returning id)
    insert into documents (client_id, title, file_id, on_client) select ${clientId}, 'Lease', id, true from file returning id`.execute(db)
  return rows[0]?.id ?? 1
}

/** Makes an inbox document that was read and cannot be split, since it has one page. */
async function waitingScan(db: Kysely<Tables>, clientId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`with file as (
      insert into files (key, filename, content_type, byte_size, state) values ('uploads/route/scan', 'bill.pdf', 'application/pdf', 3, 'attached') returning id)
    insert into bill_scans (client_id, file_id, filename, state, pages) select ${clientId}, id, 'bill.pdf', 'read', 1 from file returning id`.execute(
    db,
  )
  return rows[0]?.id ?? 1
}
