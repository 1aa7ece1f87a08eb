/** Scheduled reports: a saved definition with its due times and its subscribers, and what was delivered to each of them. */
import { z } from 'zod'
import { call, crudCalls, exportOf, listReply, result, type ListReply, type Nothing, type Result } from '../kernel/call.ts'
import {
  boolean,
  choice,
  date,
  defaulted,
  derived,
  entity,
  helped,
  instant,
  integer,
  list,
  longText,
  optional,
  ref,
  shownOnly,
  text,
  type Draft,
  type Field,
  type Row,
} from '../kernel/entity.ts'
import { listInput, type ListInput } from '../kernel/query.ts'
import { NEW_YORK, zoneNamed } from '../kernel/zone.ts'
import { relativeDates } from './report-dates.ts'
import { noReportFormData, reportFormData, type ReportFormData } from './report-form-data.ts'
import { frequencies, hourText, monthRules, weekdays } from './schedule-times.ts'

/** Most people who get one scheduled report. */
export const subscribersMax = 50
/** Most scheduled reports of a client. */
export const schedulesMax = 200
/** Days after which the links of a mail end, whatever the rights of its reader. */
export const linkDays = 7
/** Files of one scheduled report that are kept for each subscriber; older ones are deleted. */
export const filesKept = 24

export const reportFormats = [
  { value: 'pdf', label: 'PDF' },
  { value: 'csv', label: 'CSV' },
  { value: 'xlsx', label: 'Excel' },
] as const
export type ReportFormat = (typeof reportFormats)[number]['value']

/** Returns the files that a report of this type can have. */
export function formatsOf(exportType: 'pdf' | 'csv' | 'csv_and_pdf'): ReportFormat[] {
  if (exportType === 'csv') return ['csv', 'xlsx']
  return exportType === 'pdf' ? ['pdf', 'xlsx'] : ['pdf', 'csv', 'xlsx']
}

const formats = z
  .array(z.enum(['pdf', 'csv', 'xlsx'], { error: 'Files must be pdf, csv or xlsx' }), { error: 'Files must be a list' })
  .min(1, 'Files must have at least one entry')
  .max(reportFormats.length, `Files must have at most ${reportFormats.length} entries`)
const subscriberIds = z
  .array(z.int().positive(), { error: 'Subscribers must be a list of ids' })
  .max(subscribersMax, `Subscribers must have at most ${subscribersMax} entries`)

const zone: Field<string, 'required'> = {
  ...text('Time Zone', 64),
  schema: z.string({ error: 'Time Zone is required' }).transform((given, issues) => {
    const name = zoneNamed(given.trim())
    if (name === null) issues.addIssue({ code: 'custom', message: 'Time Zone must be the name of a time zone, such as America/New_York' })
    return name ?? NEW_YORK
  }),
}

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: hourText(hour) }))
const pausedHelp = 'Nothing is sent while it is paused. What was due meanwhile is not sent later.'
const sharedHelp = 'Everybody who reaches the whole client sees it, and whoever may change reports of others may change it.'

export const reportSchedule = entity(
  'report_schedule',
  'report_schedules',
  {
    name: text('Name', 200),
    report_id: ref('Report', 'reports'),
    report: derived(text('Report')),
    dates: defaulted(choice('Dates', relativeDates), 'as_chosen'),
    form_data: defaulted(list<ReportFormData>('Choices', reportFormData), noReportFormData),
    last_bill_only: defaulted(boolean('Last Bill Only'), false),
    formats: list<ReportFormat[]>('Files', formats),
    frequency: defaulted(choice('Repeats', frequencies), 'monthly'),
    weekday: defaulted(choice('Weekday', weekdays), 1),
    month_rule: defaulted(choice('Day', monthRules), 'first_business_day'),
    month_day: defaulted(integer('Day of the Month', { min: 1, max: 31 }), 1),
    hour: defaulted(choice('Time', hours), 6),
    zone: defaulted(zone, NEW_YORK),
    subscriber_ids: list<number[]>('Subscribers', subscriberIds),
    subscribers: derived(longText('Subscriber Names')),
    shared: helped(defaulted(boolean('Shared'), false), sharedHelp),
    paused: helped(defaulted(boolean('Paused'), false), pausedHelp),
    paused_reason: derived(optional(text('Paused Because'))),
    owner: derived(optional(text('Owner'))),
    owner_id: shownOnly(optional(integer('Owner ID', { max: Number.MAX_SAFE_INTEGER }))),
    next_run_at: derived(optional(instant('Next Run'))),
    last_run_at: derived(optional(instant('Last Run'))),
    last_result: derived(optional(text('Last Result'))),
    created_at: derived(instant('Created')),
    updated_at: derived(instant('Updated')),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'name',
      'report_id',
      'report',
      'frequency',
      'subscribers',
      'shared',
      'paused',
      'owner',
      'next_run_at',
      'last_run_at',
      'last_result',
      'created_at',
    ],
    sort: ['name', 'report', 'subscribers', 'owner', 'next_run_at', 'last_run_at', 'last_result', 'id'],
    defaultSort: 'name asc',
  },
  { label: 'Scheduled Report', labels: 'Scheduled Reports' },
)
export type ReportSchedule = Row<typeof reportSchedule>
export type ReportScheduleDraft = Draft<typeof reportSchedule>

const deliveryStates = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'sent', label: 'Sent' },
  { value: 'skipped', label: 'Skipped' },
  { value: 'failed', label: 'Failed' },
] as const
export type DeliveryState = (typeof deliveryStates)[number]['value']

/** One subscriber of one run. */
export const reportDelivery = entity(
  'report_delivery',
  'report_deliveries',
  {
    schedule: derived(text('Scheduled Report')),
    due_at: derived(instant('Due')),
    run_on: derived(date('Run On')),
    by_hand: derived(boolean('Started', { yes: 'Sent now', no: 'By schedule' })),
    subscriber: derived(text('Subscriber')),
    state: derived(choice('Result', deliveryStates)),
    error: derived(optional(longText('Reason'))),
    mail: derived(optional(text('Mail'))),
    finished_at: derived(optional(instant('Ended'))),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: ['id', 'due_at', 'by_hand', 'subscriber', 'state', 'error', 'mail', 'finished_at'],
    sort: ['due_at', 'subscriber', 'state', 'mail', 'finished_at', 'id'],
    defaultSort: 'due_at desc',
  },
  { label: 'Report Delivery', labels: 'Report Deliveries' },
)
export type ReportDelivery = Row<typeof reportDelivery>

const path = '/clients/:client_id/report_schedules'
type OfOne = { client_id: number; id: number }

const subscriber = z.object({ id: z.int(), name: z.string() })
export type Subscriber = z.infer<typeof subscriber>

export const reportScheduleCalls = {
  ...crudCalls(reportSchedule, path, {
    read: 'generated_report.read',
    create: 'generated_report.create',
    update: 'generated_report.create',
    destroy: 'generated_report.destroy',
  }),
  /** The people whom the person may subscribe to a report: those of the client who may read it, and for staff its staff. */
  subscribers: call<string, { client_id: number; report_id: number }, Nothing, Nothing, { subscribers: Subscriber[] }>({
    name: 'report_schedules.subscribers',
    method: 'GET',
    path: '/clients/:client_id/reports/:report_id/subscribers',
    may: 'generated_report.create',
    summary: 'The people who may be subscribed to a scheduled report',
    reply: z.object({ subscribers: z.array(subscriber) }),
  }),
  sendNow: call<string, OfOne, Nothing, Nothing, Result>({
    name: 'report_schedules.send_now',
    method: 'POST',
    path: `${path}/:id/send_now`,
    may: 'generated_report.create',
    summary: 'Makes the report for each subscriber and mails it, besides the due times',
    reply: result,
  }),
  unsubscribe: call<string, OfOne, Nothing, Nothing, Result>({
    name: 'report_schedules.unsubscribe',
    method: 'POST',
    path: `${path}/:id/unsubscribe`,
    may: 'generated_report.read',
    summary: 'Ends one’s own subscription',
    reply: result,
  }),
}

type OfSchedule = { client_id: number; report_schedule_id: number }

const deliveries = call<string, OfSchedule, ListInput, Nothing, ListReply<'report_deliveries', ReportDelivery>>({
  name: 'report_deliveries.list',
  method: 'GET',
  path: `${path}/:report_schedule_id/deliveries`,
  may: 'generated_report.read',
  summary: 'What was sent to the subscribers of a scheduled report, and what was not',
  query: listInput,
  reply: listReply('report_deliveries', reportDelivery.row),
})

export const reportDeliveryCalls = {
  list: deliveries,
  exportCsv: exportOf(deliveries, 'report deliveries'),
  /** Leads to the file while its reader has the rights with which it was made. */
  link: call<string, { token: string }, Nothing, Nothing, undefined>({
    name: 'report_deliveries.link',
    method: 'GET',
    path: '/report_links/:token',
    may: 'signed_url',
    summary: 'Opens a mailed link to the file of a report',
    params: z.object({ token: z.string().min(1).max(2_000) }),
    replyKind: 'stream',
  }),
}
