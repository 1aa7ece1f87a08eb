/**
 * Every address of the specification with what belongs there. A page that a slice brings for the same address takes its place, so that
 * this list only speaks for what is still to come; no address leads nowhere.
 */
import type { PageRoute } from '../kernel/page-route.ts'
import type { Does } from '../kernel/permissions.tsx'

const base = '/clients/:client_id'

interface Later {
  readonly path: string
  readonly title: string
  /** One sentence: what will be here. */
  readonly what: string
  readonly may?: Does
  readonly staff?: boolean
}

export const laterRoutes: readonly PageRoute[] = [
  ...clientsAndUsers(),
  ...hierarchy(),
  ...accountPages('billable_accounts', 'billable account', 'billable_account'),
  ...accountPages('supply_accounts', 'supply account', 'supply_account'),
  ...referenceData(),
  ...bills(),
  ...money(),
  ...globalBatch(),
  ...reportsAndAlerts(),
].map(laterRoute)

function laterRoute({ path, title, what, may, staff }: Later): PageRoute {
  return {
    path,
    title,
    ...(may ? { may } : {}),
    ...(staff ? { staff } : {}),
    page: async () => (await import('./later-page.tsx')).laterPage(title, what),
  }
}

function clientsAndUsers(): Later[] {
  return [
    { path: '/clients', title: 'All Clients', what: 'The list of clients.', may: 'client.read' },
    { path: '/clients/new', title: 'New Client', what: 'The form for a new client.', may: 'client.create' },
    { path: '/clients/import', title: 'Import Clients', what: 'The import of clients from a CSV file.', may: 'client.create' },
    { path: `${base}/edit`, title: 'Edit Client', what: 'The form of this client.', may: 'client.update' },
    { path: `${base}/dashboard`, title: 'Client Dashboard', what: 'Utility cost, usage and emissions of this client.', may: 'client.read' },
    { path: `${base}/subscriptions`, title: 'Subscriptions', what: 'What this client has subscribed to.', may: 'client.read_subscription' },
    {
      path: `${base}/client_vendor_numbers/import`,
      title: 'Import Client Vendor Numbers',
      what: 'The import of numbers from a CSV file.',
      may: 'client.update',
    },
  ]
}

function hierarchy(): Later[] {
  const division = `${base}/divisions/:division_id`
  const facility = `${base}/facilities/:facility_id`
  return [
    ...recordPages('divisions', 'Division', 'division'),
    {
      path: `${division}/dashboard`,
      title: 'Division Dashboard',
      what: 'Utility cost, usage and emissions of this division.',
      may: 'division.read',
    },
    { path: `${division}/facilities`, title: 'Division Facilities', what: 'The facilities of this division.', may: 'facility.read' },
    {
      path: `${division}/facilities/new`,
      title: 'New Facility',
      what: 'The form for a new facility of this division.',
      may: 'facility.create',
    },
    {
      path: `${division}/facilities/:facility_id/edit`,
      title: 'Edit Facility',
      what: 'The form of this facility.',
      may: 'facility.update',
    },
    ...recordPages('facilities', 'Facility', 'facility', 'Facilities'),
    {
      path: `${facility}/dashboard`,
      title: 'Facility Dashboard',
      what: 'Utility cost, usage and emissions of this facility.',
      may: 'facility.read',
    },
  ]
}

function accountPages(plural: string, noun: string, model: 'billable_account' | 'supply_account'): Later[] {
  const one = `${base}/${plural}/:${model}_id`
  return [
    ...recordPages(plural, titled(noun), model),
    {
      path: `${one}/dashboard`,
      title: `${titled(noun)} Dashboard`,
      what: `Cost, usage and emissions of this ${noun}.`,
      may: `${model}.read`,
    },
    { path: `${one}/services`, title: 'Services', what: `The services (meters) of this ${noun}.`, may: 'service.read' },
    { path: `${one}/services/new`, title: 'New Service', what: 'The form for a new service.', may: 'service.create' },
    { path: `${one}/services/:service_id/edit`, title: 'Edit Service', what: 'The form of this service.', may: 'service.update' },
    {
      path: `${one}/bills`,
      title: plural === 'billable_accounts' ? 'Invoices' : 'Supply Account’s Bills',
      what: `The bills of this ${noun}.`,
      may: 'bill.read',
    },
  ]
}

/** List, new, import, dashboard and edit of one kind of record of a client, and its list over all clients. */
function recordPages(
  plural: string,
  label: string,
  model: 'division' | 'facility' | 'billable_account' | 'supply_account',
  labels = `${label}s`,
): Later[] {
  const list = `${base}/${plural}`
  const lower = labels.toLowerCase()
  return [
    { path: `/${plural}`, title: labels, what: `All ${lower} that you may read, over all clients.`, may: `${model}.read` },
    { path: list, title: labels, what: `The ${lower} of this client.`, may: `${model}.read` },
    { path: `${list}/new`, title: `New ${label}`, what: `The form for a new ${label.toLowerCase()}.`, may: `${model}.create` },
    { path: `${list}/import`, title: `Import ${labels}`, what: `The import of ${lower} from a CSV file.`, may: `${model}.create` },
    {
      path: `${list}/dashboard`,
      title: `${labels} Dashboard`,
      what: `Cost, usage and emissions of the ${lower} of this client.`,
      may: `${model}.read`,
    },
    { path: `${list}/:${model}_id/edit`, title: `Edit ${label}`, what: `The form of this ${label.toLowerCase()}.`, may: `${model}.update` },
  ]
}

function referenceData(): Later[] {
  return [
    ...plainPages('/vendors', 'Vendor', 'vendor_id', 'vendor'),
    { path: '/vendors/import', title: 'Import Vendors', what: 'The import of vendors from a CSV file.', may: 'vendor.create' },
    ...plainPages('/payment_methods', 'Payment Method', 'payment_method_id', 'setting'),
    ...plainPages('/utility_services', 'Utility Service', 'utility_service_id', 'utility_service'),
    {
      path: `${base}/utility_services/:utility_service_id/dashboard`,
      title: 'Utility Service Dashboard',
      what: 'Cost, usage and emissions of this utility service.',
      may: 'client.read',
    },
    ...plainPages('/settings/facility_types', 'Facility Type', 'facility_type_id', 'setting'),
    ...plainPages('/settings/units', 'Unit', 'unit_id', 'setting'),
    ...plainPages('/settings/production_units', 'Production Unit', 'production_unit_id', 'setting'),
  ]
}

function plainPages(path: string, label: string, param: string, model: 'vendor' | 'setting' | 'utility_service'): Later[] {
  return [
    { path, title: `${label}s`, what: `The list of ${label.toLowerCase()}s.`, may: `${model}.read` },
    { path: `${path}/new`, title: `New ${label}`, what: `The form for a new ${label.toLowerCase()}.`, may: `${model}.create` },
    { path: `${path}/:${param}/edit`, title: `Edit ${label}`, what: `The form of this ${label.toLowerCase()}.`, may: `${model}.update` },
  ]
}

function bills(): Later[] {
  const list = `${base}/bills`
  const one = `${list}/:bill_id`
  return [
    { path: '/bills', title: 'Bills', what: 'All bills that you may read, over all clients.', may: 'bill.read' },
    { path: list, title: 'Bill List', what: 'The bills of this client.', may: 'bill.read' },
    {
      path: `${list}/import`,
      title: 'Import Bills',
      what: 'The import of bills from a CSV file or from the retrieval service.',
      may: 'bill.create',
    },
    {
      path: `${list}/dashboard`,
      title: 'Bills Dashboard',
      what: 'Cost, usage and emissions of the bills of this client.',
      may: 'bill.read',
    },
    { path: one, title: 'Bill Dashboard', what: 'This bill beside its history.', may: 'bill.read' },
    { path: `${one}/dashboard`, title: 'Bill Dashboard', what: 'This bill beside its history.', may: 'bill.read' },
    { path: `${one}/facilities`, title: 'Bill’s Facilities', what: 'The facilities that this bill is for.', may: 'bill.read' },
    {
      path: `${one}/documents`,
      title: 'Documents',
      what: 'The file copies of this bill and the documents of its account.',
      may: 'bill.read',
    },
  ]
}

function money(): Later[] {
  const client = `${base}/accounting_batches`
  const vendor = `${base}/payment_batches`
  const payment = `${vendor}/:payment_batch_id/vendor_payments`
  return [
    { path: client, title: 'Client Batches', what: 'The client batches of this client.', may: 'accounting_batch.read' },
    { path: `${client}/new`, title: 'New Client Batch', what: 'The form for a new client batch.', may: 'accounting_batch.create' },
    {
      path: `${client}/:accounting_batch_id/edit`,
      title: 'Edit Client Batch',
      what: 'The form of this client batch.',
      may: 'accounting_batch.update',
    },
    {
      path: `${client}/:accounting_batch_id/bills`,
      title: 'Client Batch Bills',
      what: 'The bills of this client batch.',
      may: 'accounting_batch.update',
    },
    { path: vendor, title: 'Vendor Batches', what: 'The vendor batches of this client.', may: 'payment_batch.read' },
    { path: `${vendor}/new`, title: 'New Vendor Batch', what: 'The form for a new vendor batch.', may: 'payment_batch.create' },
    {
      path: `${vendor}/:payment_batch_id/edit`,
      title: 'Edit Vendor Batch',
      what: 'The form of this vendor batch.',
      may: 'payment_batch.update',
    },
    {
      path: `${vendor}/:payment_batch_id/bills`,
      title: 'Vendor Batch Bills',
      what: 'The bills of this vendor batch.',
      may: 'payment_batch.update',
    },
    { path: payment, title: 'Vendor Payments', what: 'The payments of this vendor batch.', may: 'payment_batch.read' },
    {
      path: `${payment}/:vendor_payment_id/edit`,
      title: 'Edit Vendor Payment',
      what: 'The form of this payment.',
      may: 'payment_batch.update',
    },
    {
      path: `${payment}/:vendor_payment_id/bills`,
      title: 'Vendor Payment Bills',
      what: 'The bills of this payment.',
      may: 'payment_batch.read',
    },
  ]
}

function globalBatch(): Later[] {
  const batch = { may: 'global_batch.read', staff: true } as const
  return [
    { path: '/global_batch', title: 'Unswept Bills', what: 'The unpaid bills to choose for payment.', ...batch },
    {
      path: '/global_batch/new',
      title: 'New Batch',
      what: 'The form for batches of the chosen bills.',
      may: 'global_batch.create',
      staff: true,
    },
    { path: '/global_batch/todays_batches', title: 'Today’s Batches', what: 'The batches of today, of all types.', ...batch },
    { path: '/global_batch/todays_batches/:type', title: 'Today’s Batches', what: 'The batches of today of one type.', ...batch },
    { path: '/global_batch/view/:global_batch_id/bills', title: 'Batch Bills', what: 'The bills of this batch.', ...batch },
    {
      path: '/global_batch/:global_batch_id/edit',
      title: 'Edit Batch',
      what: 'The form of this batch.',
      may: 'payment_batch.update',
      staff: true,
    },
    { path: '/global_batch/:global_batch_id/newBills', title: 'Add Bills', what: 'The unpaid bills to add to this batch.', ...batch },
    { path: '/global_batch/files', title: 'Global Batch File History', what: 'The files that were exported.', ...batch },
  ]
}

function reportsAndAlerts(): Later[] {
  const report = { may: 'generated_report.read' } as const
  return [
    { path: `${base}/reports/dashboard`, title: 'Reports Dashboard', what: 'The reports that can be generated.', ...report },
    { path: `${base}/reports/generated-reports`, title: 'Generated Reports', what: 'The reports that were generated.', ...report },
    {
      path: `${base}/reports/:report_id/new`,
      title: 'New Report',
      what: 'The form that generates this report.',
      may: 'generated_report.create',
    },
    {
      path: `${base}/reports/:report_id/generated-reports/:generated_report_id/edit`,
      title: 'Edit Report',
      what: 'The form of this generated report.',
      may: 'generated_report.update',
    },
    { path: `${base}/ancillary_services`, title: 'Ancillary Services', what: 'The site surveys of this client.', may: 'site_survey.read' },
    { path: `${base}/site_surveys`, title: 'Site Surveys', what: 'The site surveys of this client.', may: 'site_survey.read' },
    { path: `${base}/site_surveys/new`, title: 'New Site Survey', what: 'The wizard for a new site survey.', may: 'site_survey.create' },
    {
      path: `${base}/site_surveys/:site_survey_id/edit`,
      title: 'Edit Site Survey',
      what: 'The wizard of this site survey.',
      may: 'site_survey.update',
    },
  ]
}

function titled(noun: string): string {
  return noun.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}
