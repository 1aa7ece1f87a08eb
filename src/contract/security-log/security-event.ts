/** A security event: what was refused, or an act that an auditor asks about. Events are read and exported, and never changed. */
import { call, exportOf, listReply } from '../kernel/call.ts'
import { choice, derived, entity, instant, integer, optional, ref, text, type Row } from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'
import { securityKinds, severities } from './security-kinds.ts'

export const securityEventOutcomes = [
  { value: 'refused', label: 'Refused' },
  { value: 'done', label: 'Done' },
] as const

export const securityEvent = entity(
  'security_event',
  'security_events',
  {
    created_at: derived(instant('Time')),
    kind: derived(choice('Event', securityKinds)),
    severity: derived(choice('Severity', severities)),
    outcome: derived(choice('Outcome', securityEventOutcomes)),
    user_id: derived(optional(ref('User Id', 'users'))),
    /** The name of the person, or User # and the id if the person is gone. */
    person: derived(optional(text('Person'))),
    /** The address that was tried, masked, if nobody has it. */
    account: derived(optional(text('Unknown Address'))),
    network: derived(optional(text('Network'))),
    ip_address: derived(optional(text('IP Address'))),
    client_id: derived(optional(ref('Client Id', 'clients'))),
    client_name: derived(optional(text('Client'))),
    route: derived(optional(text('Call', 300))),
    /** Equal events that this row counts. */
    times: derived(integer('Times')),
    detail: derived(optional(text('Detail', 1_000))),
    request_id: derived(optional(text('Request Id'))),
  },
  {
    filter: [
      'id',
      'created_at',
      'kind',
      'severity',
      'outcome',
      'user_id',
      'person',
      'account',
      'network',
      'ip_address',
      'client_id',
      'client_name',
      'route',
      'times',
      'detail',
      'request_id',
    ],
    sort: [
      'created_at',
      'kind',
      'severity',
      'outcome',
      'person',
      'account',
      'network',
      'ip_address',
      'client_name',
      'route',
      'times',
      'id',
    ],
    defaultSort: 'created_at desc',
  },
  { label: 'Security Event', labels: 'Security Events' },
)
export type SecurityEventRow = Row<typeof securityEvent>

/** A user with user.update reads the events of the people whom they manage and of their clients. */
const list = call({
  name: 'security_events.list',
  method: 'GET',
  path: '/security_events',
  may: 'user.update',
  summary:
    'What was refused, and acts that an auditor asks about, newest first: of the caller’s clients and of people who belong only to them',
  query: listInput,
  reply: listReply('security_events', securityEvent.row),
})

export const securityEventCalls = { list, exportCsv: exportOf(list, 'the security log') }
