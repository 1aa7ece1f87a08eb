/**
 * Writes the files of an export in the transaction that pays its batches. Each file has its own identity; its bytes, read back by the builder's
 * checker, are sealed and hashed, and the content of every entry is stored.
 */
import { createHash } from 'node:crypto'
import type { FileType } from '#contract/global-batches/global-batch-file.ts'
import { wireOf, sumCents } from '#contract/kernel/money.ts'
import { buildFile, firstTraceAfter, modifierAt, modifiersAreUsedUp, planFiles } from '#contract/payment-files/payment-files.ts'
import type { BuiltFile, ExportInput, FileEntry, FileIdentity, PlannedFile } from '#contract/payment-files/payment-file.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { refused } from '../kernel/problem.ts'
import { sealBytes } from '../kernel/secret.ts'

export interface StoredFile {
  readonly id: number
  readonly file_name: string
  readonly batch_file_url: string
  readonly payment_count: number
  readonly total: string
}

interface FilesToStore {
  readonly input: ExportInput
  readonly export_type: FileType
  readonly purpose: 'payment' | 'companion' | 'accounting' | 'test'
  /** The client whose bank profile a test file names; 0 is the provider. */
  readonly testClient?: number
  /** The same for all files of one export, different for every other export. */
  readonly exportKey: string
  /** Total of the batches in cents. */
  readonly total: number
  /** Vendors that an ACH export pays for the first time since their bank details changed. */
  readonly firstVendors?: readonly number[]
  /** Who asked for the export, where somebody else released it, and the request. */
  readonly made?: { readonly by: number; readonly release: number | null }
}

/**
 * Stores the files. The input must be free of faults. Throws 409 if the bank accepts no further file today.
 * @returns the files, and the amount that each entry pays.
 */
export async function storeFiles(
  context: Context,
  { total, ...sent }: FilesToStore,
): Promise<{ files: StoredFile[]; entries: FileEntry[] }> {
  const { input } = sent
  const plans = planFiles(input)
  if (sumCents(plans.map((plan) => plan.total)) !== total) throw new Error('the files do not come to what their batches come to')
  const identities = await allocate(context, plans, input)
  const files: StoredFile[] = []
  const entries: FileEntry[] = []
  for (const plan of plans) {
    const identity = identities.get(plan)
    if (!identity) throw new Error('a file has no identity')
    const built = buildFile(input, plan, identity)
    await storeFile(context, { built, identity, ...sent })
    files.push({
      id: identity.sequence,
      file_name: built.name,
      batch_file_url: fileUrl(identity.sequence),
      payment_count: plan.payment_count,
      total: wireOf(plan.total),
    })
    entries.push(...built.entries)
  }
  return { files, entries }
}

export const fileUrl = (id: number): string => `/api/v5/global_batch_files/${id}/download`

/** Counters are always taken in the same order, so that two exports never deadlock. */
async function allocate({ tx }: Context, plans: readonly PlannedFile[], input: ExportInput): Promise<Map<PlannedFile, FileIdentity>> {
  const places = plans.toSorted((a, b) => compare(keyOf(a), keyOf(b)) || a.place - b.place)
  const modifiers = new Map<PlannedFile, string | null>()
  for (const plan of places) modifiers.set(plan, await nextModifier(tx, plan, input))
  const traces = new Map<PlannedFile, number | null>()
  for (const plan of plans.toSorted((a, b) => compare(a.odfi ?? '', b.odfi ?? '') || a.place - b.place))
    traces.set(plan, await nextTrace(tx, plan))
  const { rows: ids } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('global_batch_files', 'id'))::bigint as id
    from generate_series(1, ${plans.length}::int)`.execute(tx)
  return new Map(
    plans.map((plan, at) => [
      plan,
      { modifier: modifiers.get(plan) ?? null, first_trace: traces.get(plan) ?? null, sequence: ids[at]?.id ?? 0 },
    ]),
  )
}

const keyOf = ({ immediate_destination, immediate_origin }: PlannedFile): string =>
  `${immediate_destination ?? ''} ${immediate_origin ?? ''}`
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

async function nextModifier(
  tx: Context['tx'],
  { immediate_destination, immediate_origin }: PlannedFile,
  { moment: { date: day }, is_test }: ExportInput,
): Promise<string | null> {
  if (immediate_destination === null || immediate_origin === null) return null
  const counter = sql`destination = ${immediate_destination} and origin = ${immediate_origin} and day = ${day}::date and is_test = ${is_test}`
  await sql`insert into payment_file_counters (destination, origin, day, is_test)
    values (${immediate_destination}, ${immediate_origin}, ${day}::date, ${is_test}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ used: number }>`select used from payment_file_counters where ${counter} for update`.execute(tx)
  const modifier = modifierAt(rows[0]?.used ?? 0)
  if (modifier === null) throw refused(modifiersAreUsedUp)
  await sql`update payment_file_counters set used = used + 1 where ${counter}`.execute(tx)
  return modifier
}

async function nextTrace(tx: Context['tx'], { odfi, trace_count }: PlannedFile): Promise<number | null> {
  if (odfi === null) return null
  await sql`insert into payment_trace_counters (odfi) values (${odfi}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{
    last: number
  }>`select last_sequence as last from payment_trace_counters where odfi = ${odfi} for update`.execute(tx)
  const first = firstTraceAfter(rows[0]?.last ?? 0, trace_count)
  await sql`update payment_trace_counters set last_sequence = ${first + trace_count - 1} where odfi = ${odfi}`.execute(tx)
  return first
}

interface FileToStore extends Omit<FilesToStore, 'total'> {
  readonly built: BuiltFile
  readonly identity: FileIdentity
}

async function storeFile(
  context: Context,
  { built, identity, input, export_type, purpose, testClient, exportKey, firstVendors = [], made }: FileToStore,
): Promise<void> {
  const { plan, control, bytes } = built
  const { tx, machinery, principal } = context
  const id = identity.sequence
  const sealed = sealBytes(machinery.settings.secretKey, { table: 'global_batch_files', column: 'content', id }, bytes)
  const sha256 = createHash('sha256').update(bytes).digest()
  const [effective_date = null] = plan.effective_dates
  const kept = { ...control, bank_name: plan.bank_name, effective_date, payers: plan.payer_count }
  const batches = [...new Map(built.entries.map((entry) => [entry.payment_batch_id, entry.client_id]))]
  await sql`insert into global_batch_files (id, file_name, export_type, format, purpose, export_key, content_encrypted, content_type, byte_size, sha256,
      immediate_destination, immediate_origin, creation_date, creation_time, file_id_modifier, trace_odfi, first_trace, last_trace, batch_count,
      payment_count, bill_count, total, control, created_by, export_release_id, test_client_id,
      layout_client_id, layout_version_id, created_at)
    values (${id}, ${built.name}, ${export_type}, ${input.format}, ${purpose}, ${exportKey}, ${sealed}, ${built.content_type}, ${bytes.length}, ${sha256},
      ${plan.immediate_destination}, ${plan.immediate_origin}, ${input.moment.date}, ${input.moment.time}, ${identity.modifier}, ${plan.odfi},
      ${identity.first_trace}, ${built.last_trace}, ${batches.length}, ${plan.payment_count}, ${plan.bill_count}, ${wireOf(plan.total)},
      ${JSON.stringify(kept)}::jsonb, ${made?.by ?? principal.user_id}, ${made?.release ?? null}::bigint,
      ${testClient ?? null}::bigint, ${plan.layout_version?.client_id ?? null}::bigint, ${plan.layout_version?.id ?? null}::bigint, ${now()})`.execute(
    tx,
  )
  if (purpose !== 'test')
    await storePaid(context, id, { built, batches, purpose, usesBank: export_type === 'ACH' && purpose === 'payment', firstVendors })
  await context.audit.created('global_batch_file', id, 0, {
    file_name: built.name,
    export_type,
    total: wireOf(plan.total),
    payment_count: plan.payment_count,
    sha256: sha256.toString('hex'),
  })
}

interface PaidBy extends OfBank {
  readonly built: BuiltFile
  /** Batches with their clients. */
  readonly batches: readonly (readonly [batch: number, client: number])[]
  readonly purpose: FilesToStore['purpose']
}

/** Stores the batches and payments of a file. A test file has invented ones, which are no records. */
async function storePaid(context: Context, id: number, { built, batches, purpose, ...ofBank }: PaidBy): Promise<void> {
  await sql`insert into global_batch_file_batches (client_id, global_batch_file_id, payment_batch_id, purpose)
    select client_id, ${id}, batch_id, ${purpose} from jsonb_to_recordset(${JSON.stringify(
      batches.map(([batch_id, client_id]) => ({ batch_id, client_id })),
    )}::jsonb) as one(client_id bigint, batch_id bigint)`.execute(context.tx)
  await storeEntries(context, id, built.entries, ofBank)
}

interface OfBank {
  /** Whether the payments go to the vendors' bank details. */
  readonly usesBank: boolean
  readonly firstVendors: readonly number[]
}

/** Stores what each entry pays, and of a bank payment which state of the vendor's bank details it goes to. */
async function storeEntries(
  { tx }: Context,
  fileId: number,
  entries: readonly FileEntry[],
  { usesBank, firstVendors }: OfBank,
): Promise<void> {
  const rows = entries.map((entry, place) => ({ ...entry, place, amount: wireOf(entry.amount) }))
  await sql`insert into global_batch_file_payments (client_id, global_batch_file_id, vendor_payment_id, bill_id, trace_number, routing_last4,
      account_last4, amount, bank_changed_at, bank_changed_by, is_first_payment)
    select one.client_id, ${fileId}, one.vendor_payment_id, one.bill_id, one.trace_number, one.routing_last4, one.account_last4, one.amount,
      vendor.bank_changed_at, vendor.bank_changed_by, coalesce(vendor.id = any(${firstVendors}::bigint[]), false)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(place int, client_id bigint, vendor_payment_id bigint, bill_id bigint, trace_number text,
      routing_last4 text, account_last4 text, amount numeric(14,2))
    left join vendor_payments payment on ${usesBank}::boolean and payment.client_id = one.client_id and payment.id = one.vendor_payment_id
    left join vendors vendor on vendor.id = payment.vendor_id order by one.place`.execute(tx)
}
