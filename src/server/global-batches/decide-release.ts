/**
 * Releases, refuses and withdraws an export that waits for a second person. A release writes the files in its own transaction, as an export does,
 * and once: it holds the batches first, and then the request.
 */
import type { ReleaseDecision } from '#contract/global-batches/export-release.ts'
import { confirmedVendor } from '#contract/global-batches/first-payment.ts'
import { typeName } from '#contract/global-batches/global-batch.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { fileFormats } from '#contract/payment-files/layout.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { loadPrincipal, mustBeProven, ownTransaction } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { mayIn } from '../kernel/principal.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { chooseBatches, type ChosenBatch } from './chosen-batches.ts'
import { holdExport, inputOf, mustBePayable, writeFiles, type ReadyExport, type Way } from './pay-by-files.ts'
import { whyNotRelease } from './release-duties.ts'
import { changeBetween, fingerprintsOf, releaseFingerprints } from './release-fingerprints.ts'
import { endRelease } from './release-requests.ts'
import { weighExport, type Weighed } from './release-rules.ts'
import { askedReleases, exportReleases } from './release-source.ts'
import type { StoredFile } from './store-files.ts'
import { tellAsker } from './tell-of-releases.ts'

const requestRow = z.object({
  id: z.int(),
  state: z.string(),
  apart: z.boolean(),
  requested_by: z.int(),
  total: z.string(),
  pay_method: typeName,
  format: z.enum(fileFormats),
  vendor_name: z.string().nullable(),
  confirmed_vendors: z.array(confirmedVendor),
  fingerprints: releaseFingerprints,
})
export type Request = z.infer<typeof requestRow>

interface Decided {
  readonly success: boolean
  readonly message: string
  readonly files: StoredFile[]
}

export async function decideRelease(context: Context, id: number, { act, note }: ReleaseDecision): Promise<Decided> {
  await mustMayStill(context)
  await storedRow(context, exportReleases, id, askedReleases(context))
  if (act === 'release') return release(context, id, note?.trim() || null)
  const request = await heldRequest(context, id)
  const isOwn = request.requested_by === context.principal.user_id
  if (act === 'withdraw') {
    if (!isOwn) throw refused('Only who asked for an export may withdraw it.')
    await endRelease(context, { id, state: 'withdrawn', note: note?.trim() || null })
    return { success: true, message: 'Request withdrawn', files: [] }
  }
  if (isOwn) throw refused('You asked for this export yourself: withdraw it instead.')
  await endRelease(context, { id, state: 'refused', note: note?.trim() ?? '' })
  await tellAsker(context, { ...request, state: 'refused', note: note ?? null })
  return { success: true, message: 'Export refused', files: [] }
}

async function release(context: Context, id: number, note: string | null): Promise<Decided> {
  mustWait(await readRequest(context, id))
  const batches = await chooseBatches(context, await batchIdsOf(context, id))
  const request = await heldRequest(context, id)
  const why = await whyNotRelease(context, request)
  if (why !== null) throw await recordedRefusal(context, id, why)
  await mustBeProven(context)
  const ready = await holdExport(context, batches, wayOf(request))
  const weighed = await weighExport(context, ready.input, request.requested_by, true)
  const changed = await changeSince(context, request, ready.input, weighed)
  if (changed !== null) {
    await endRelease(context, { id, state: 'void', note: changed })
    await tellAsker(context, { ...request, state: 'void', note: changed })
    return { success: false, message: `The request is void. ${changed}`, files: [] }
  }
  return written(context, batches, { request, ready, weighed, note })
}

interface Releasing {
  readonly request: Request
  readonly ready: ReadyExport
  readonly weighed: Weighed
  readonly note: string | null
}

/** The export counts to who asked for it, on the day of the release. */
async function written(context: Context, batches: readonly ChosenBatch[], { request, ready, weighed, note }: Releasing): Promise<Decided> {
  const { id, requested_by: asker } = request
  await mustBePayable(context, batches, ready, { confirmed: request.confirmed_vendors })
  const files = await writeFiles(context, batches, ready, { key: `release ${id}`, weighed, asker, release: id })
  await endRelease(context, { id, state: 'released', note })
  await tellAsker(context, { ...request, state: 'released', note })
  return { success: true, message: `Export of ${formatMoney(request.total)} released`, files }
}

/** Returns what has changed since the request, as the page of the request shows it; null if nothing has. Nothing is locked. */
export async function changeOf(context: Context, request: Request): Promise<string | null> {
  const batches = await chooseBatches(context, await batchIdsOf(context, request.id), false)
  const input = await inputOf(context, batches, wayOf(request))
  return changeSince(context, request, input, await weighExport(context, input, request.requested_by, false))
}

async function changeSince(context: Context, request: Request, input: ReadyExport['input'], weighed: Weighed): Promise<string | null> {
  return changeBetween(request.fingerprints, await fingerprintsOf(context, input, weighed), input)
}

const wayOf = ({ pay_method: type, format, vendor_name }: Request): Way => ({ type, format, vendor_name })

/** Reads rights again inside the transaction: a cached session may be older than a demotion. */
async function mustMayStill({ tx, principal }: Context): Promise<void> {
  const person = await loadPrincipal(tx, principal.user_id)
  if (!person || !mayIn(person, 'global_batch.update')) throw forbidden()
}

export async function readRequest({ tx }: Context, id: number, lock = false): Promise<Request> {
  const { rows } = await sql`select id, state, apart, requested_by, total, pay_method, format, vendor_name, confirmed_vendors, fingerprints
    from export_releases where id = ${id} ${lock ? sql`for update` : sql``}`.execute(tx)
  return requestRow.parse(rows[0])
}

async function heldRequest(context: Context, id: number): Promise<Request> {
  const request = await readRequest(context, id, true)
  mustWait(request)
  return request
}

function mustWait({ state, id }: Request): void {
  if (state !== 'waiting') throw refused(`This export does not wait any more: it is ${state}.`, id)
}

async function batchIdsOf({ tx }: Context, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select payment_batch_id as id from export_release_batches where export_release_id = ${id}
    order by client_id, payment_batch_id`.execute(tx)
  return rows.map((row) => row.id)
}

/** The refusal stays in the trail although the request of the person changes nothing else. */
async function recordedRefusal(context: Context, id: number, why: string) {
  await ownTransaction(context, async () => ({
    principal: context.principal,
    work: (inside) => inside.audit.updated('export_release', id, 0, { release_refused: { from: null, to: why } }),
  }))
  return forbidden(why)
}
