/** Recipes for the calls of clients and of the records below them. */
import { sql } from 'kysely'
import { signToken } from '../../src/server/kernel/http/signed-token.ts'
import { testSecretKey } from '../support/app.ts'
import { makeBillableAccount, makeDivision, makeFacility, makeService, makeSupplyAccount } from '../support/estate.ts'
import type { Asking, Recipe, Recipes } from './recipe.ts'
import {
  firstId,
  insert,
  makeBill,
  makeBillDocument,
  makeBudget,
  makeFinding,
  makeDocument,
  makeGeneratedReport,
  makeReportSchedule,
  makeScan,
  makeStatement,
  makeSurvey,
  markOf,
  makeVendorNumber,
  nextMonth,
  unique,
  type World,
} from './world.ts'

type Idle = Pick<Asking, 'target'>
const accountIds = ({ target }: Idle) => ({ id: target.accountId })
const supplyAccountIds = ({ target }: Idle) => ({ id: target.supplyAccountId })
const groupIds = ({ target }: Idle) => ({ id: target.groupAccountId })
const groupSupplyIds = ({ target }: Idle) => ({ id: target.groupSupplyAccountId })
const divisionIds = ({ target }: Idle) => ({ id: target.divisionId })
const facilityIds = ({ target }: Idle) => ({ id: target.facilityId })
const clientIds = ({ target }: Idle) => ({ id: target.clientId })

const budgetIds = ({ target }: Idle) => ({ id: target.budgetId })
const freshBudget = async ({ world: { db }, target }: Asking) => ({ id: await makeBudget(db, target) })
const vendorNumberIds = ({ target }: Idle) => ({ id: target.vendorNumberId })
const partnerIds = ({ world, relation }: Asking) => ({ id: relation === 'foreign' ? world.otherPartnerId : world.partnerId })

const freshPartner = async ({ world: { db } }: Asking) => ({ id: await insert(db, 'channel_partners', { name: unique('Partner') }) })
/** A partner's administrator writes only to that partner; staff to a new one, so that no test moves the clients of the others. */
const writablePartner = async (asking: Asking) => {
  const { world, who } = asking
  const { rows } = await sql`select id from user_roles where user_id = ${who?.id ?? 0} and channel_partner_id = ${world.partnerId}`.execute(
    world.db,
  )
  return rows.length > 0 ? { id: world.partnerId } : freshPartner(asking)
}
const freshVendorNumber = async ({ world: { db }, target }: Asking) => ({
  id: await makeVendorNumber(db, target.clientId, unique('Number')),
})
const billDocumentIds = ({ target }: Idle) => ({ id: target.billDocumentId })
const freshBillDocument = async ({ world: { db }, target }: Asking) => ({ id: await makeBillDocument(db, target) })
const scheduleIds = ({ target }: Idle) => ({ id: target.reportScheduleId })
const freshSchedule = async ({ world: { db }, target }: Asking) => ({ id: await makeReportSchedule(db, target) })
/** A schedule to which the caller is subscribed. */
const subscribedSchedule = async ({ world: { db }, target, who }: Asking) => {
  const id = await makeReportSchedule(db, target)
  await sql`update report_schedules set subscriber_ids = ${[who?.id ?? 0]}::bigint[] where id = ${id}`.execute(db)
  return { id }
}
const deliveryScheduleIds = ({ target }: Idle) => ({ report_schedule_id: target.reportScheduleId })
const generatedReportIds = ({ target }: Idle) => ({ id: target.generatedReportId })
const freshGeneratedReport = async ({ world: { db }, target }: Asking) => ({ id: await makeGeneratedReport(db, target) })
/** A report that every user with the right to make reports can see, narrowed or not. */
const reportIds = async ({ world: { db } }: Asking) => ({ id: await firstId(db, 'reports', { name: 'Global Data Export' }) })
const accrualReportIds = async ({ world: { db } }: Asking) => ({ id: await firstId(db, 'reports', { name: 'Accrual Report' }) })
const form_data = { date_range: { from: '2026-01-01', to: '2026-01-31' } }
const scanIds = ({ target }: Idle) => ({ id: target.scanId })
const freshUncutScan = async ({ world: { db }, target }: Asking) => ({
  id: await makeScan(db, target, 'failed', { cut_from: 1, cut_to: 2 }),
})
const freshScan = async ({ world: { db }, target }: Asking) => ({ id: await makeScan(db, target) })
/** The signed id of a file that the caller has uploaded. */
const uploadOf = async ({ world: { db }, who }: Asking): Promise<string> => {
  const user = who?.id ?? 0
  const file = { filename: 'bill.pdf', content_type: 'application/pdf', byte_size: 3, state: 'stored', user_id: who?.id ?? null }
  const fileId = await insert(db, 'files', { key: `uploads/${unique('upload').replace(' ', '')}`, ...file })
  return signToken(testSecretKey, 'upload', { file: fileId, user }, 600)
}
const surveyIds = ({ target }: Idle) => ({ id: target.surveyId })
const freshSurvey = async ({ world, target }: Asking) => ({ id: await makeSurvey(world.db, target) })
const documentIds = ({ target }: Idle) => ({ id: target.documentId })
const clientDocumentIds = ({ target }: Idle) => ({ id: target.clientDocumentId })
/** A document's address names no client, so a foreign one is the same under any path: a fresh one belongs to its own client. */
const documentPlace = ({ world, target, relation }: Asking) => (relation === 'crossed' ? world.places.foreign : target)
const freshDocument = async (asking: Asking) => {
  const { clientId, facilityId, mark } = documentPlace(asking)
  return { id: await makeDocument(asking.world.db, clientId, { facility_id: facilityId }, mark) }
}
const freshClientDocument = async (asking: Asking) => {
  const { clientId, name, mark } = documentPlace(asking)
  return { id: await makeDocument(asking.world.db, clientId, { on_client: true }, name === 'outside' ? markOf('own') : mark) }
}
const documentForm = {
  'document[title]': 'A document',
  'document[file]': { filename: 'rows.csv', type: 'text/csv', bytes: Buffer.from('a,b\n1,2\n') },
}
const scanForm = { file: { filename: 'bill.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7\nthis is no document\n%%EOF') } }
const freshDivision = async ({ world: { db }, target }: Asking) => ({ id: await makeDivision(db, target.clientId) })
const freshFacility = async ({ world: { db }, target }: Asking) => ({ id: await makeFacility(db, target.clientId, target.divisionId) })
const freshAccount = async ({ world, target }: Asking) => ({
  id: await makeBillableAccount(world.db, target.clientId, target.facilityId, world.shared.vendor),
})
const freshSupplyAccount = async ({ world, target }: Asking) => ({
  id: await makeSupplyAccount(world.db, target.clientId, target.facilityId),
})

const freshGroup = async ({ world, target }: Asking) => ({
  id: await makeBillableAccount(world.db, target.clientId, target.facilityId, world.shared.vendor, { is_group_account: true }),
})
const freshSupplyGroup = async ({ world: { db }, target }: Asking) => {
  const id = await makeSupplyAccount(db, target.clientId, target.facilityId)
  await sql`update supply_accounts set is_group_account = true where id = ${id}`.execute(db)
  return { id }
}

const freshBill = async ({ world: { db }, target }: Asking) => ({
  id: await makeBill(db, target, { billable_account_id: target.accountId }),
})

/** No two are alike, or the second would be a duplicate of the first. */
const billBody = ({ source }: Asking) => {
  const amount = `${unique('').trim()}.00`
  return {
    bill: {
      account_type: 'BillableAccount',
      account_id: source.accountId,
      date: '2026-01-05',
      due_date: '2026-01-25',
      balance_forward: '0.00',
      current_charges: amount,
      amount_due: amount,
    },
  }
}

const freshStatement = ({ world: { db }, source }: Asking, state: string) => makeStatement(db, source, state)

const facilityBody = ({ source }: Asking) => ({
  facility: { name: unique('Facility'), number: unique('F'), division_id: source.divisionId },
})
const accountBody = ({ world, source }: Asking) => ({
  billable_account: {
    name: unique('Account'),
    account_number: unique('A'),
    facility_id: source.facilityId,
    vendor_id: world.shared.vendor,
    street_address_1: '1 Main',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
  },
})
const supplyAccountBody = ({ source }: Asking) => ({
  supply_account: {
    name: unique('Account'),
    account_number: unique('S'),
    facility_id: source.facilityId,
    street_address_1: '1 Main',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
  },
})
const bulkBody =
  (table: 'billable_accounts' | 'supply_accounts') =>
  async ({ world, source }: Asking) => ({ ids: [await accountOfKind(table, world, source)], changes: { active: false }, dry_run: false })
const accountOfKind = (table: string, world: Asking['world'], { clientId, facilityId }: Asking['source']) =>
  table === 'billable_accounts'
    ? makeBillableAccount(world.db, clientId, facilityId, world.shared.vendor)
    : makeSupplyAccount(world.db, clientId, facilityId)
/** The caller's own bulk change if the path is their own: a user who reaches only a part of a client sees none of other users'. */
const freshBulkChange = async ({ world: { db, shared, places }, source, who, relation }: Asking) => {
  const { clientId, facilityId } = relation === 'crossed' ? places.foreign : source
  const account = await makeBillableAccount(db, clientId, facilityId, shared.vendor)
  const id = await insert(db, 'bulk_changes', {
    client_id: clientId,
    kind: 'billable_account',
    user_id: relation === 'own' && who ? who.id : 1,
    changes: '{"active":true}',
    item_count: 1,
  })
  await sql`insert into bulk_change_items (client_id, bulk_change_id, item_id, version_before, lock_version, changes)
    values (${clientId}, ${id}, ${account}, 0, 0, '{"active":{"from":false,"to":true}}')`.execute(db)
  return { id }
}
/** The same for bills, which more roles may change. */
const freshBillChange = async ({ world: { db, places }, source, who, relation }: Asking) => {
  const place = relation === 'crossed' ? places.foreign : source
  const bill = await makeBill(db, place, { billable_account_id: place.accountId })
  const id = await insert(db, 'bulk_changes', {
    client_id: place.clientId,
    kind: 'bill',
    user_id: relation === 'own' && who ? who.id : 1,
    changes: '{"parked":false}',
    item_count: 1,
  })
  await sql`insert into bulk_change_items (client_id, bulk_change_id, item_id, version_before, lock_version, changes)
    values (${place.clientId}, ${id}, ${bill}, 0, 0, '{"parked":{"from":true,"to":false}}')`.execute(db)
  return { id }
}
const billOfPlace = ({ world: { db }, source }: Asking) => makeBill(db, source, { billable_account_id: source.accountId })
/** Each bill of the world has one finding. */
const findingIds = async ({ world: { db }, target }: Asking) => ({ id: await firstId(db, 'bill_findings', { bill_id: target.billId }) })
const newFinding = ({ world: { db }, target }: Pick<Asking, 'world' | 'target'>, settled = false) =>
  makeFinding(db, target, settled ? { resolved_at: '2026-03-01', reason: 'seasonal' } : {})
const freshFinding = async (asking: Asking) => ({ id: await newFinding(asking) })
const settledFinding = async (asking: Asking) => ({ id: await newFinding(asking, true) })
const vendorNumberBody = async ({ world: { db } }: Asking) => ({
  client_vendor_number: {
    vendor_id: await insert(db, 'vendors', { name: 'Unnumbered', short_code: unique('U') }),
    vendor_number: unique('Number'),
  },
})
const divisionBody = () => ({ division: { name: unique('Division'), short_code: 'D', code: 'D' } })
const serviceBody = ({ world }: Asking) => ({ service: { meter_number: unique('M'), utility_service_id: world.shared.utility_service } })

export const estateRecipes: Recipes = {
  'billable_accounts.get': { ids: accountIds },
  'billable_accounts.update': { ids: accountIds, fresh: freshAccount, body: () => ({ billable_account: { name: unique('Account') } }) },
  'billable_accounts.destroy': { ids: accountIds, fresh: freshAccount },
  'billable_accounts.create': { body: accountBody },
  'billable_accounts.bulk_change': { body: bulkBody('billable_accounts') },
  'supply_accounts.bulk_change': { body: bulkBody('supply_accounts') },
  'bills.bulk_change': { body: async (asking) => ({ ids: [await billOfPlace(asking)], changes: { parked: true }, dry_run: false }) },
  'bills.sums': { body: async (asking) => ({ ids: [await billOfPlace(asking)], add_up: 'owed' }) },
  'bill_findings.get': { ids: findingIds },
  'bill_findings.resolve': { ids: findingIds, fresh: freshFinding, body: () => ({ reason: 'seasonal' }) },
  'bill_findings.reopen': { ids: findingIds, fresh: settledFinding, body: () => ({ comment: 'Again' }) },
  'bill_findings.assign': { ids: findingIds, fresh: freshFinding, body: ({ who }) => ({ assigned_to: who?.id ?? 1 }) },
  'bill_findings.comment': { ids: findingIds, body: () => ({ comment: 'A comment' }) },
  'bill_findings.resolve_many': {
    body: async ({ world, source }) => ({ ids: [await newFinding({ world, target: source })], reason: 'seasonal' }),
  },
  'bill_findings.reopen_many': { body: async ({ world, source }) => ({ ids: [await newFinding({ world, target: source }, true)] }) },
  'audit_settings.save_of_client': { body: () => ({ audit_settings: { min_cost: '50.00' } }) },
  'audit_settings.try_of_client': {
    body: ({ source }) => ({ audit_settings: { min_cost: '50.00' }, account_type: 'BillableAccount', account_id: source.accountId }),
  },
  'audit_settings.save': { body: () => ({ audit_settings: { min_cost: '50.00' } }) },
  'audit_settings.try': { body: () => ({ audit_settings: { min_cost: '50.00' } }) },
  'bulk_changes.rows#bills': { ids: freshBillChange },
  'bulk_changes.undo#bills': { ids: freshBillChange },
  'bulk_changes.rows': { ids: freshBulkChange },
  'bulk_changes.undo': { ids: freshBulkChange },
  'billable_accounts.previous_bills': { ids: accountIds },
  'supply_accounts.get': { ids: supplyAccountIds },
  'supply_accounts.update': {
    ids: supplyAccountIds,
    fresh: freshSupplyAccount,
    body: () => ({ supply_account: { name: unique('Account') } }),
  },
  'supply_accounts.destroy': { ids: supplyAccountIds, fresh: freshSupplyAccount },
  'supply_accounts.create': { body: supplyAccountBody },
  'supply_accounts.previous_bills': { ids: supplyAccountIds },
  'channel_partners.get': { ids: partnerIds },
  'channel_partners.create': { body: () => ({ channel_partner: { name: unique('Partner') } }) },
  'channel_partners.update': { ids: partnerIds, fresh: writablePartner, body: () => ({ channel_partner: { name: unique('Partner') } }) },
  'channel_partners.destroy': { ids: partnerIds, fresh: freshPartner },

  'advanced_search.search': { query: () => 'q[name_not_eq]=none' },
  'advanced_search.export': { query: () => 'q[name_not_eq]=none' },
  'client_advanced_search.search': { query: () => 'q[name_not_eq]=none' },
  'client_advanced_search.export': { query: () => 'q[name_not_eq]=none' },
  'channel_partners.search': { query: () => 'q=partner' },
  'client_vendor_numbers.get': { ids: vendorNumberIds },
  'bill_documents.get': { ids: billDocumentIds },
  'bill_documents.file': { ids: billDocumentIds },
  'bill_documents.create': {
    body: ({ source }) => ({ bill_document: { name: unique('Bundle'), assignable_type: 'Division', assignable_id: source.divisionId } }),
  },
  'bill_documents.update': { ids: billDocumentIds, fresh: freshBillDocument, body: () => ({ bill_document: { name: unique('Bundle') } }) },
  'bill_documents.destroy': { ids: billDocumentIds, fresh: freshBillDocument },
  'generated_reports.get': { ids: generatedReportIds },
  'generated_reports.file': { ids: generatedReportIds },
  'generated_reports.extra_file': { ids: generatedReportIds },
  'generated_reports.workbook': { ids: generatedReportIds },
  'generated_reports.create': {
    body: async (asking) => ({
      generated_report: {
        report_id: (await reportIds(asking)).id,
        name: unique('Report'),
        assignable_type: 'Division',
        assignable_id: asking.source.divisionId,
        form_data,
      },
    }),
  },
  'generated_reports.update': {
    ids: generatedReportIds,
    fresh: freshGeneratedReport,
    body: () => ({ generated_report: { name: unique('Report'), form_data } }),
  },
  'generated_reports.destroy': { ids: generatedReportIds, fresh: freshGeneratedReport },
  'report_schedules.get': { ids: scheduleIds },
  'report_schedules.create': {
    body: async (asking) => ({
      report_schedule: {
        report_id: (await reportIds(asking)).id,
        name: unique('Schedule'),
        dates: 'last_month',
        formats: ['csv'],
        subscriber_ids: [asking.who?.id ?? 0],
        paused: true,
      },
    }),
  },
  'report_schedules.update': { ids: scheduleIds, fresh: freshSchedule, body: () => ({ report_schedule: { name: unique('Schedule') } }) },
  'report_schedules.destroy': { ids: scheduleIds, fresh: freshSchedule },
  'report_schedules.send_now': { ids: scheduleIds, fresh: freshSchedule },
  'report_schedules.unsubscribe': { ids: scheduleIds, fresh: subscribedSchedule },
  'report_schedules.subscribers': { ids: async (asking) => ({ report_id: (await reportIds(asking)).id }) },
  'report_deliveries.list': { ids: deliveryScheduleIds },
  'report_deliveries.export': { ids: deliveryScheduleIds },
  'history.of_client_record#report_schedule': { ids: ({ target }) => ({ item_type: 'report_schedule', id: target.reportScheduleId }) },
  'reports.get': { ids: reportIds },
  'reports.assignables': { query: () => 'type=Division' },
  'reports.utility_service_fields': { ids: reportIds },
  'reports.accrual_scores': { ids: accrualReportIds, body: () => ({ form_data: {}, hide: 'last_bills' }) },
  'reports.preview': { ids: reportIds, body: () => ({ form_data }) },
  'budgets.get': { ids: budgetIds },
  'budgets.create': { body: ({ source }) => ({ budget: { billable_account_id: source.accountId, month: nextMonth(), amount: '10.00' } }) },
  'budgets.update': { ids: budgetIds, fresh: freshBudget, body: () => ({ budget: { amount: '20.00' } }) },
  'budgets.destroy': { ids: budgetIds, fresh: freshBudget },
  'budgets.fill': { body: () => ({ fill: { first_month: '2027-01', percent: '0', budgets: 1, total: '1.00' } }) },
  'client_vendor_numbers.create': { body: vendorNumberBody },
  'client_vendor_numbers.update': {
    ids: vendorNumberIds,
    fresh: freshVendorNumber,
    body: () => ({ client_vendor_number: { vendor_number: unique('Number') } }),
  },
  'client_vendor_numbers.destroy': { ids: vendorNumberIds, fresh: freshVendorNumber },
  'clients.get': { ids: clientIds },
  // A client outside the narrowing is none of the relations, so a fresh one would be outside every role that names clients.
  'clients.update': { ids: clientIds, body: () => ({ client: { bills_due_on: unique('Day') } }) },
  'clients.subscriptions': { ids: clientIds, body: () => ({ client: { user_management: true } }) },
  'clients.subscriptions_post': { ids: clientIds, body: () => ({ client: { user_management: true } }) },
  'clients.client_utility_services': { ids: clientIds },
  'clients.select_option_by_id': { query: ({ target }) => `client_id=${target.clientId}` },
  'clients.create': { body: () => ({ client: { name: unique('Client'), short_code: unique('C'), identifier: unique('I') } }) },
  'clients.search': { query: () => 'q=client' },
  'dashboard.get#division': dashboardOf('division', ({ target }) => target.divisionId, '&basis=billed'),
  'dashboard.get#facility': dashboardOf('facility', ({ target }) => target.facilityId, '&basis=fiscal'),
  'dashboard.get#billable_account': dashboardOf('billable_account', ({ target }) => target.accountId),
  'dashboard.get#supply_account': dashboardOf('supply_account', ({ target }) => target.supplyAccountId, '&basis=billed'),
  'dashboard.get#group_account': dashboardOf('group_account', ({ target }) => target.groupAccountId, '&basis=fiscal'),
  'dashboard.get#group_supply_account': dashboardOf('group_supply_account', ({ target }) => target.groupSupplyAccountId),
  'dashboard.children': { query: () => 'children=services' },
  'dashboard.children#division': dashboardOf('division', ({ target }) => target.divisionId, '&children=accounts&basis=billed'),
  'dashboard.children#facility': dashboardOf('facility', ({ target }) => target.facilityId, '&children=services&basis=fiscal'),
  'dashboard.cost_change': { query: () => 'children=services' },
  'dashboard.weather': { ids: ({ target }) => ({ facility_id: target.facilityId }) },
  'dashboard.cost_change#division': dashboardOf('division', ({ target }) => target.divisionId, '&children=accounts&basis=billed'),
  'dashboard.cost_change#facility': dashboardOf('facility', ({ target }) => target.facilityId, '&children=services'),
  'dashboard.unbilled_meters#division': dashboardOf('division', ({ target }) => target.divisionId, '&basis=billed'),
  'dashboard.unbilled_meters#facility': dashboardOf('facility', ({ target }) => target.facilityId),
  'divisions.get': { ids: divisionIds },
  'divisions.create': { body: divisionBody },
  'divisions.update': { ids: divisionIds, body: () => ({ division: { code: unique('D') } }) },
  'divisions.destroy': { ids: divisionIds, fresh: freshDivision },
  'facilities.get': { ids: facilityIds },
  'facilities.create': { body: facilityBody },
  'facilities.update': { ids: facilityIds, fresh: freshFacility, body: () => ({ facility: { name: unique('Facility') } }) },
  'facilities.destroy': { ids: facilityIds, fresh: freshFacility },
  'history.of_client_record#bill': { ids: ({ target }) => ({ item_type: 'bill', id: target.billId }) },
  'history.of_client_record#billable_account': { ids: ({ target }) => ({ item_type: 'billable_account', id: target.accountId }) },
  'history.of_client_record#group_account': { ids: ({ target }) => ({ item_type: 'group_account', id: target.groupAccountId }) },
  'history.of_client_record#group_supply_account': {
    ids: ({ target }) => ({ item_type: 'group_supply_account', id: target.groupSupplyAccountId }),
  },
  'history.of_client_record#division': { ids: ({ target }) => ({ item_type: 'division', id: target.divisionId }) },
  'history.of_client_record': { ids: ({ target }) => ({ item_type: 'facility', id: target.facilityId }) },
  'bill_scans.get': { ids: scanIds },
  'bill_scans.file': { ids: scanIds },
  'bill_scans.keep_whole': { ids: scanIds, fresh: freshUncutScan },
  'bill_scans.keep': { ids: scanIds, fresh: freshScan },
  'bill_scans.upload': { form: () => scanForm },
  'bill_scans.reread': { ids: scanIds, fresh: freshScan },
  'bill_scans.split': { ids: scanIds, fresh: freshScan, body: () => ({ starts: [1, 3] }) },
  'bill_scans.destroy': { ids: scanIds, fresh: freshScan },
  'bill_scans.create': { body: async (asking) => ({ signed_ids: [await uploadOf(asking)] }) },
  'bill_scans.ignore': { body: async ({ world: { db }, source }) => ({ ids: [await makeScan(db, source)] }) },
  'bill_scans.take_back': { body: async ({ world: { db }, source }) => ({ ids: [await makeScan(db, source, 'ignored')] }) },
  'history.of_client_record#bill_scan': { ids: ({ target }) => ({ item_type: 'bill_scan', id: target.scanId }) },
  'site_surveys.get': { ids: surveyIds },
  'site_surveys.create': { body: ({ source }) => ({ site_survey: { facility_id: source.facilityId, name: unique('Survey') } }) },
  'site_surveys.update': { ids: surveyIds, body: () => ({ site_survey: { name: unique('Survey') } }) },
  'site_surveys.destroy': { ids: surveyIds, fresh: freshSurvey },
  'site_surveys.generate_pdf': { ids: surveyIds },
  'history.of_client_record#site_survey': { ids: ({ target }) => ({ item_type: 'site_survey', id: target.surveyId }) },
  'documents.get': { ids: documentIds },
  'documents.get#client': { ids: clientDocumentIds },
  'documents.download': { ids: documentIds },
  'documents.download#client': { ids: clientDocumentIds },
  'documents.update': { ids: documentIds, fresh: freshDocument, form: () => ({ 'document[title]': unique('Document') }) },
  'documents.update#client': {
    ids: clientDocumentIds,
    fresh: freshClientDocument,
    form: () => ({ 'document[title]': unique('Document') }),
  },
  'documents.destroy': { ids: documentIds, fresh: freshDocument },
  'documents.destroy#client': { ids: clientDocumentIds, fresh: freshClientDocument },
  'documents.create': { form: () => documentForm },
  'documents.create#division': {
    form: ({ source }) => ({
      ...documentForm,
      'document[attachable_type]': 'Division',
      'document[attachable_id]': String(source.divisionId),
    }),
  },
  'documents.of_division': { ids: divisionIds },
  'documents.of_facility': { ids: facilityIds },
  'documents.of_billable_account': { ids: accountIds },
  'documents.of_supply_account': { ids: supplyAccountIds },
  'documents.create_for_division': { ids: divisionIds, form: () => documentForm },
  'documents.create_for_facility': { ids: facilityIds, form: () => documentForm },
  'documents.create_for_billable_account': { ids: accountIds, form: () => documentForm },
  'documents.create_for_supply_account': { ids: supplyAccountIds, form: () => documentForm },
  'user_roles.for_user#client': { query: ({ target }) => `client_id=${target.clientId}` },
  ...servicesUnder(
    'services',
    'billable_account_id',
    ({ target }) => target.accountId,
    ({ target }) => target.serviceId,
  ),
  ...servicesUnder(
    'supply_account_services',
    'supply_account_id',
    ({ target }) => target.supplyAccountId,
    ({ target }) => target.supplyServiceId,
  ),
  'bills.file': { ids: ({ target }) => ({ id: target.billId, position: '1' }) },
  'bills.entry': { query: ({ target }) => `account_type=billable_account&account_id=${target.accountId}&bill_id=${target.billId}` },
  'bills.entry#supply': { query: ({ target }) => `account_type=supply_account&account_id=${target.supplyAccountId}` },
  'bills.create': { body: billBody },
  'bills.update': {
    ids: ({ target }) => ({ id: target.billId }),
    fresh: freshBill,
    body: () => ({ bill: { notes: unique('Note') } }),
  },
  'bills.destroy': { ids: ({ target }) => ({ id: target.billId }), fresh: freshBill },
  'bills.facilities': { ids: ({ target }) => ({ id: target.billId }) },
  'bills.get': { ids: ({ target }) => ({ id: target.billId }) },
  'bills.trail': { ids: ({ target }) => ({ id: target.billId }) },
  'bills.relations': { ids: ({ target }) => ({ id: target.billId }) },
  'bills.last_bill': { query: ({ target }) => `account_type=billable_account&account_id=${target.accountId}` },
  'bills.last_bill#supply': { query: ({ target }) => `account_type=supply_account&account_id=${target.supplyAccountId}` },
  'bills.of_billable_account': { ids: accountIds },
  'bills.of_billable_account_export': { ids: accountIds },
  'group_accounts.get': { ids: groupIds },
  'group_accounts.update': {
    ids: groupIds,
    fresh: freshGroup,
    body: () => ({ group_account: { name: unique('Group'), subaccount_ids: [] } }),
  },
  'group_accounts.subaccounts': { ids: groupIds },
  'group_accounts.subaccounts_export': { ids: groupIds },
  'group_accounts.filter_subaccounts': { ids: groupIds },
  'group_accounts.subaccount_options': { ids: groupIds },
  'group_accounts.linked_service_bill_options': { ids: groupIds },
  'group_supply_accounts.get': { ids: groupSupplyIds },
  'group_supply_accounts.update': {
    ids: groupSupplyIds,
    fresh: freshSupplyGroup,
    body: async ({ world: { db }, source: { clientId, facilityId, mark } }) => ({
      group_supply_account: { subaccount_ids: [await makeSupplyAccount(db, clientId, facilityId, { name: mark })] },
    }),
  },
  'group_supply_accounts.subaccounts': { ids: groupSupplyIds },
  'group_supply_accounts.subaccounts_export': { ids: groupSupplyIds },
  'group_supply_accounts.filter_subaccounts': { ids: groupSupplyIds },
  'group_supply_accounts.subaccount_options': { ids: groupSupplyIds },
  'bills.of_group_account': { ids: groupIds },
  'bills.of_group_account_export': { ids: groupIds },
  'bills.summary_entry': { ids: groupIds },
  'bills.summary_books': { ids: groupIds },
  'bills.create_summary': {
    ids: groupIds,
    body: (asking) => {
      const { account_type: _type, account_id: _id, ...bill } = billBody(asking).bill
      return { bill, children: [] }
    },
  },
  'bills.of_group_supply_account': { ids: groupSupplyIds },
  'bills.of_group_supply_account_export': { ids: groupSupplyIds },
  'bills.of_supply_account': { ids: supplyAccountIds },
  'bills.of_supply_account_export': { ids: supplyAccountIds },
  'service_bills.get': { ids: ({ target }) => ({ id: target.lineId }) },
  'bill_retrieval.pdf': { ids: ({ target }) => ({ file_id: target.statementFileId }) },
  'bill_retrieval.match': {
    body: ({ source }) => ({
      account_number: unique('Printed'),
      provider_name: `Utility ${source.mark}`,
      account_id: source.accountId,
    }),
  },
  'bill_retrieval.ignore': { body: async (asking) => ({ file_ids: [await freshStatement(asking, 'needs_meter')] }) },
  'bill_retrieval.unignore': { body: async (asking) => ({ file_ids: [await freshStatement(asking, 'ignored')] }) },
  'bills.retrieval_import': { body: async (asking) => ({ data: [{ file_id: await freshStatement(asking, 'needs_meter') }] }) },
  'services.last_five_bills': { ids: ({ target }) => ({ id: target.serviceId }) },
}

function dashboardOf(scope: string, idOf: (asking: Asking) => number, more = ''): Recipe {
  return { query: (asking) => `scope_type=${scope}&scope_id=${idOf(asking)}${more}` }
}

/** The six calls of services under one kind of account. */
function servicesUnder(
  prefix: string,
  key: 'billable_account_id' | 'supply_account_id',
  accountOf: (asking: Asking) => number,
  serviceOf: (asking: Asking) => number,
): Recipes {
  const ofAccount = (asking: Asking) => ({ [key]: accountOf(asking) })
  const ids = (asking: Asking) => ({ ...ofAccount(asking), id: serviceOf(asking) })
  const fresh = async (asking: Asking) => {
    const owner = key === 'billable_account_id' ? { billable_account_id: accountOf(asking) } : { supply_account_id: accountOf(asking) }
    return { ...ofAccount(asking), id: await makeService(asking.world.db, asking.target.clientId, owner) }
  }
  return {
    [`${prefix}.list`]: { ids: ofAccount },
    [`${prefix}.get`]: { ids },
    [`${prefix}.create`]: { ids: ofAccount, body: serviceBody },
    [`${prefix}.update`]: { ids, fresh, body: () => ({ service: { meter_number: unique('M') } }) },
    [`${prefix}.destroy`]: { ids, fresh },
    [`${prefix}.export`]: { ids: ofAccount },
    [`${prefix}.order`]: { ids: ofAccount, body: (asking) => reversedOrder(key, accountOf({ ...asking, target: asking.source }), asking) },
  }
}

/** The second service of an account, made once: concurrent callers set an order, and each must know all services. */
const secondServices = new WeakMap<World, Map<string, Promise<number>>>()

/** All services of an account in reverse order, so that the call changes something. */
async function reversedOrder(key: string, accountId: number, { world, source }: Asking) {
  const { db } = world
  const owner = key === 'billable_account_id' ? { billable_account_id: accountId } : { supply_account_id: accountId }
  const made = secondServices.get(world) ?? new Map<string, Promise<number>>()
  secondServices.set(world, made)
  const second = made.get(`${key} ${accountId}`) ?? makeService(db, source.clientId, owner)
  made.set(`${key} ${accountId}`, second)
  await second
  const { rows } = await sql<{
    id: number
  }>`select id from services where ${sql.ref(key)} = ${accountId} order by rank desc, id desc`.execute(db)
  return { service_ids: rows.map(({ id }) => id) }
}
