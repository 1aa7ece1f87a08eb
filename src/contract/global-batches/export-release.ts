/** An export that waits for a second person: why it waits, who asked for it, and what became of it. */
import { z } from 'zod'
import { call, crudCalls, result } from '../kernel/call.ts'
import { choice, derived, entity, instant, integer, longText, money, optional, text, type Row } from '../kernel/entity.ts'
import { formatMoney, wireOf, type Cents } from '../kernel/money.ts'
import { sum } from '../payment-batches/payment-bill.ts'
import { globalPageSizes } from './global-bill.ts'

export const releaseNoteMax = 500

export const releaseStates = [
  { value: 'waiting', label: 'Waits' },
  { value: 'released', label: 'Released' },
  { value: 'refused', label: 'Refused' },
  { value: 'withdrawn', label: 'Withdrawn' },
  { value: 'void', label: 'Void' },
] as const

/** When exports of a bank profile wait for a second person. A limit that is null limits nothing. */
export interface ReleaseRules {
  readonly release_always: boolean
  /** Most cents to one vendor, in one export, and of one person on one New York day. */
  readonly release_vendor_limit: Cents | null
  readonly release_export_limit: Cents | null
  readonly release_day_limit: Cents | null
}

/** The payments of an export by one bank profile. */
export interface ExportOfProfile {
  readonly profile_name: string
  readonly rules: ReleaseRules
  /** Cents that the person has exported by this profile on this day before. */
  readonly before: Cents
  readonly vendors: readonly { readonly name: string; readonly amount: Cents }[]
}

/** Returns why these exports wait for a second person, as sentences without their stop; none if they don't. An amount equal to its limit passes. */
export function reasonsToWait(exports: readonly ExportOfProfile[]): string[] {
  const isOne = exports.length === 1
  return exports.flatMap((one) => reasonsOf(one).map((reason) => (isOne ? reason : `${reason} (${one.profile_name})`)))
}

function reasonsOf({ profile_name, rules, before, vendors }: ExportOfProfile): string[] {
  const total = vendors.reduce((cents, { amount }) => cents + amount, 0)
  return [
    ...(rules.release_always ? [`the bank profile ${profile_name} asks for it at each export`] : []),
    ...vendors.flatMap(({ name, amount }) => above(amount, rules.release_vendor_limit, 'for one vendor', ` to ${name}`)),
    ...above(total, rules.release_export_limit, 'for one export'),
    ...above(before + total, rules.release_day_limit, 'for one person and day'),
  ]
}

function above(amount: Cents, limit: Cents | null, whose: string, to = ''): string[] {
  if (limit === null || amount <= limit) return []
  const [paid, most, more] = [amount, limit, amount - limit].map((cents) => formatMoney(wireOf(cents)))
  return [`${paid}${to} is above the limit of ${most} ${whose}, by ${more}`]
}

/** 'This export waits for a release by a second person: $120,000.00 is above the limit of $100,000.00 for one export, by $20,000.00.' */
export const waitsText = (reasons: readonly string[]): string =>
  `This export waits for a release by a second person: ${reasons.join('; ')}.`

export const exportRelease = entity(
  'export_release',
  'export_releases',
  {
    state: derived(choice('State', releaseStates)),
    payer_names: derived(longText('Payers', 100_000)),
    pay_method: derived(text('Pay Type')),
    total: derived(money('Total')),
    batch_count: derived(integer('Batches')),
    payment_count: derived(integer('Payments')),
    reasons: derived(longText('Why It Waits', 100_000)),
    requested_by_name: derived(text('Asked By')),
    requested_at: derived(instant('Asked')),
    decided_by_name: derived(optional(text('Decided By'))),
    decided_at: derived(optional(instant('Decided'))),
    note: derived(optional(longText('Note', releaseNoteMax))),
  },
  {
    filter: [
      'id',
      'state',
      'payer_names',
      'pay_method',
      'total',
      'batch_count',
      'payment_count',
      'reasons',
      'requested_by_name',
      'requested_at',
      'decided_by_name',
      'decided_at',
      'note',
    ],
    sort: [
      'requested_at',
      'state',
      'payer_names',
      'pay_method',
      'total',
      'batch_count',
      'payment_count',
      'reasons',
      'requested_by_name',
      'decided_by_name',
      'decided_at',
      'note',
      'id',
    ],
    defaultSort: 'requested_at desc',
    sizes: globalPageSizes,
  },
  { label: 'Export Release', labels: 'Releases' },
)
export type ExportRelease = Row<typeof exportRelease>

/** A batch of a request, as it is now. */
const releaseBatch = z.object({ id: z.int(), client_id: z.int(), payer_name: z.string(), batch_total: sum, bill_count: z.int() })
const releaseFile = z.object({ id: z.int(), file_name: z.string(), batch_file_url: z.string() })

const releaseDetail = z.intersection(
  exportRelease.row,
  z.object({
    batches: z.array(releaseBatch),
    /** The files that the release wrote. */
    files: z.array(releaseFile),
    /** Why the reader does not release it; null if they may. */
    why_not: z.string().nullable(),
    /** Whether the reader asked for it, and so withdraws it instead of refusing it. */
    is_own: z.boolean(),
    /** The change since the request that makes it void; null if nothing has changed. */
    changed: z.string().nullable(),
  }),
)
export type ReleaseDetail = z.infer<typeof releaseDetail>

export const releaseDecision = z
  .strictObject({
    act: z.enum(['release', 'refuse', 'withdraw'], { error: () => 'Act must be one of release, refuse, withdraw' }),
    note: text('Note', releaseNoteMax).schema.nullable().optional(),
  })
  .refine(({ act, note }) => act !== 'refuse' || (note ?? '').trim() !== '', { path: ['note'], error: 'Note is required' })
export type ReleaseDecision = z.infer<typeof releaseDecision>

const path = '/export_releases'
const one = `${path}/:id` as const
const { list, exportCsv } = crudCalls(exportRelease, path, {
  read: 'global_batch.read',
  create: 'global_batch.create',
  update: 'global_batch.update',
  destroy: 'global_batch.destroy',
})

export const exportReleaseCalls = {
  list,
  exportCsv,
  get: call({
    name: 'export_releases.get',
    method: 'GET',
    path: one,
    may: 'global_batch.read',
    summary: 'Reads an export that waits for a second person, with its batches, and whether the reader may release it',
    reply: z.object({ export_release: releaseDetail }),
  }),
  decide: call({
    name: 'export_releases.decide',
    method: 'POST',
    path: `${one}/decide`,
    may: 'global_batch.update',
    summary: 'Releases an export, which writes its files; or refuses it with a note; or withdraws what one asked for',
    heavy: true,
    body: z.strictObject({ decision: releaseDecision }),
    reply: z.intersection(result, z.object({ files: z.array(releaseFile) })),
  }),
}
