/** Two people of whom one made or changed the user of the other, or a third both, and who acted on the same money soon after. */
import { call, exportOf, listReply } from '../kernel/call.ts'
import { choice, derived, entity, instant, integer, optional, ref, text, type Row } from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'

/** Days after a tie in which what the two do is reported. The guards keep them apart for a shorter time. */
export const tiedPairDaysMax = 90

/** What both acted on. */
export const tiedSubjects = [
  { value: 'payment_batch', label: 'Vendor Batch' },
  { value: 'global_batch', label: 'Global Batch' },
  { value: 'export_release', label: 'Release of an Export' },
  { value: 'vendor_bank_change', label: 'Bank Details' },
] as const

export const tiedPair = entity(
  'tied_pair',
  'tied_pairs',
  {
    last_acted_at: derived(instant('Last Acted')),
    subject: derived(choice('Money', tiedSubjects)),
    record_id: derived(integer('Number')),
    client_id: derived(optional(ref('Client Id', 'clients'))),
    client_name: derived(optional(text('Client'))),
    /** The person who made or changed the user of the other; where a third did so to both, the one with the lower id. */
    person_id: derived(ref('Person Id', 'users')),
    person: derived(text('Person')),
    person_acts: derived(text('Did', 500)),
    other_id: derived(ref('Other Person Id', 'users')),
    other: derived(text('Other Person')),
    other_acts: derived(text('Other Did', 500)),
    tie: derived(text('Tie', 300)),
    /** The third person, where neither made or changed the user of the other. */
    through: derived(optional(text('Through'))),
    tied_at: derived(instant('Tied')),
    /** Whole days from the tie to the last act. */
    days: derived(integer('Days After')),
  },
  {
    filter: [
      'id',
      'last_acted_at',
      'subject',
      'record_id',
      'client_id',
      'client_name',
      'person_id',
      'person',
      'person_acts',
      'other_id',
      'other',
      'other_acts',
      'tie',
      'through',
      'tied_at',
      'days',
    ],
    sort: ['last_acted_at', 'subject', 'record_id', 'client_name', 'person', 'other', 'tie', 'through', 'tied_at', 'days', 'id'],
    defaultSort: 'last_acted_at desc',
  },
  { label: 'Pair of Tied People', labels: 'Tied People' },
)
export type TiedPair = Row<typeof tiedPair>

const list = call({
  name: 'tied_pairs.list',
  method: 'GET',
  path: '/tied_pairs',
  may: 'user.update',
  summary:
    'Who could have been two persons at once: pairs of people of whom one made or changed the user of the other, and who acted on the same money within 90 days; for whoever manages the people of every client',
  query: listInput,
  reply: listReply('tied_pairs', tiedPair.row),
})

export const tiedPairCalls = { list, exportCsv: exportOf(list, 'the tied people') }
