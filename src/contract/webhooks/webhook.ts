/** Webhooks: events are sent to external programs by the Standard Webhooks scheme, so that existing libraries can verify them. */
import { z } from 'zod'
import {
  boolean,
  choice,
  defaulted,
  derived,
  entity,
  helped,
  instant,
  integer,
  list,
  optional,
  ref,
  text,
  type Draft,
  type Row,
} from '../kernel/entity.ts'

/** The subjects of events, named as in the trail. */
export const webhookSubjects = [
  { value: 'client', label: 'Clients' },
  { value: 'division', label: 'Divisions' },
  { value: 'facility', label: 'Facilities' },
  { value: 'billable_account', label: 'Billable Accounts' },
  { value: 'supply_account', label: 'Supply Accounts' },
  { value: 'group_account', label: 'Group Accounts' },
  { value: 'group_supply_account', label: 'Group Supply Accounts' },
  { value: 'service', label: 'Services' },
  { value: 'bill', label: 'Bills' },
  { value: 'bill_scan', label: 'Documents of the Inbox' },
  { value: 'document', label: 'Documents' },
  { value: 'bill_document', label: 'Bill Documents' },
  { value: 'ledger_field', label: 'Ledger Fields' },
  { value: 'accounting_batch', label: 'Client Batches' },
  { value: 'ledger_account', label: 'Ledger Accounts' },
  { value: 'batch_group', label: 'Batch Groups' },
  { value: 'budget', label: 'Budgets' },
  { value: 'client_vendor_number', label: 'Client Vendor Numbers' },
  { value: 'vendor', label: 'Vendors' },
  { value: 'vendor_bank_change', label: 'Vendor Bank Changes' },
  { value: 'utility_service', label: 'Utility Services' },
  { value: 'channel_partner', label: 'Channel Partners' },
  { value: 'user', label: 'Users' },
  { value: 'user_role', label: 'User Roles' },
  { value: 'audit_setting', label: 'Audit Settings' },
] as const

export const webhookActions = [
  { value: 'created', label: 'Created', audited: 'create' },
  { value: 'updated', label: 'Updated', audited: 'update' },
  { value: 'destroyed', label: 'Deleted', audited: 'destroy' },
] as const

export const webhookEvents: readonly string[] = webhookSubjects.flatMap((subject) =>
  webhookActions.map((action) => `${subject.value}.${action.value}`),
)
/** The event type of Send test. */
export const webhookTestEvent = 'webhook.test'
export const webhookUrlLengthMax = 2_000

const eventNames = z
  .array(
    z
      .string()
      .refine((name) => webhookEvents.includes(name), { error: (issue) => `Events: ${String(issue.input).slice(0, 60)} is not an event` }),
    { error: 'Events must be a list' },
  )
  .max(webhookEvents.length)
  .transform((names) => [...new Set(names)])

export const webhookStates = [
  { value: 'working', label: 'Working' },
  { value: 'failing', label: 'Failing' },
  { value: 'off', label: 'Off' },
  { value: 'disabled', label: 'Switched off after failures' },
] as const

export const webhook = entity(
  'webhook',
  'webhooks',
  {
    name: text('Name', 100),
    url: helped(text('URL', webhookUrlLengthMax), 'https://… What is sent there is signed; redirects are not followed.'),
    client_id: helped(
      optional(ref('Client', 'clients')),
      'Only what happens in this client. Empty: everything, also what belongs to no client.',
    ),
    all_events: helped(defaulted(boolean('All events'), false), 'Those that come with later versions too.'),
    events: defaulted(list('Events', eventNames), []),
    active: defaulted(boolean('Active'), true),
    client_name: derived(optional(text('Client'))),
    state: derived(choice('State', webhookStates)),
    last_delivery_at: derived(optional(instant('Last Delivery'))),
    last_status: derived(optional(integer('Last Answer'))),
    disabled_reason: derived(optional(text('Reason'))),
    created_at: derived(instant('Created')),
  },
  {
    filter: ['id', 'name', 'url', 'client_name', 'active', 'state', 'last_delivery_at', 'last_status'],
    sort: ['name', 'url', 'client_name', 'active', 'state', 'last_delivery_at', 'last_status', 'created_at', 'id'],
    defaultSort: 'name asc',
  },
)
export type Webhook = Row<typeof webhook>
export type WebhookDraft = Draft<typeof webhook>

export const deliveryStates = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
] as const

export const webhookDelivery = entity(
  'webhook_delivery',
  'webhook_deliveries',
  {
    created_at: derived(instant('Time')),
    event: derived(text('Event')),
    event_id: derived(text('Message ID')),
    state: derived(choice('State', deliveryStates)),
    last_status: derived(optional(integer('Answer'))),
    last_duration_ms: derived(optional(integer('Duration (ms)'))),
    attempts: derived(integer('Attempts')),
    next_attempt_at: derived(optional(instant('Next Attempt'))),
    last_error: derived(optional(text('Problem'))),
  },
  {
    filter: [
      'id',
      'created_at',
      'event',
      'event_id',
      'state',
      'last_status',
      'last_duration_ms',
      'attempts',
      'next_attempt_at',
      'last_error',
    ],
    sort: ['created_at', 'event', 'state', 'last_status', 'last_duration_ms', 'attempts', 'id'],
    defaultSort: 'created_at desc',
  },
  { label: 'Delivery', labels: 'Deliveries' },
)
export type WebhookDelivery = Row<typeof webhookDelivery>

export const attempt = z.object({
  id: z.int(),
  attempted_at: z.string(),
  status: z.int().nullable(),
  duration_ms: z.int(),
  error: z.string().nullable(),
  /** The beginning of the response. */
  response: z.string().nullable(),
})
export type WebhookAttempt = z.infer<typeof attempt>
