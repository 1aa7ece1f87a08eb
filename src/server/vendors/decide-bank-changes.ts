/** Approves, refuses and withdraws waiting changes. It takes two users, happens once, and requires the current rights. */
import type { VendorBankChange } from '#contract/vendors/vendor-bank-change.ts'
import { sql } from 'kysely'
import { areTied, coolDownDays, loadPrincipal, mustBeProven } from '../access/access.ts'
import { secretMarker, type Changes } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { mayIn } from '../kernel/principal.ts'
import { forbidden, notApart, refused } from '../kernel/problem.ts'
import { everything, readRow } from '../kernel/lists/resource.ts'
import { openSecret, secretColumns } from '../kernel/secret.ts'
import { vendorBankChanges } from './bank-change-source.ts'
import { endBankChanges } from './end-bank-changes.ts'
import { tellRequesters } from './tell-of-bank-changes.ts'

/** Puts the change in force. Refuses the requester's own approval, and changes that are already decided. */
export async function approveChange(context: Context, id: number): Promise<VendorBankChange> {
  await mustMayStill(context)
  const change = await lockedWaiting(context, id)
  if (change.requested_by === context.principal.user_id) throw notApart('Somebody else has to approve what you asked for.')
  await mustBeTwo(context, change.requested_by)
  await mustBeProven(context)
  const numbers = await sealedNumbers(context, id)
  await endBankChanges(context, sql`change.id = ${id}`, 'approved')
  await putInForce(context, change, numbers)
  await tellRequesters(context, [{ id, vendorName: change.vendor_name, requestedBy: change.requested_by, word: 'approved' }])
  return readChange(context, id)
}

/** Refuses an approver whose account was lately made or changed by the requester, or the other way round: the two may be one person. */
async function mustBeTwo({ tx, principal }: Context, requestedBy: number): Promise<void> {
  if (await areTied(tx, principal.user_id, requestedBy))
    throw notApart(
      `A third person has to approve this: within ${coolDownDays} days, one of you was made, granted a role or given a password or an address by the other, or both by the same person.`,
    )
}

export async function refuseChange(context: Context, id: number, reason: string): Promise<VendorBankChange> {
  await mustMayStill(context)
  const change = await lockedWaiting(context, id)
  if (change.requested_by === context.principal.user_id) throw refused('This is what you asked for yourself: withdraw it instead.')
  await endBankChanges(context, sql`change.id = ${id}`, 'refused', reason)
  await tellRequesters(context, [{ id, vendorName: change.vendor_name, requestedBy: change.requested_by, word: 'refused', reason }])
  return readChange(context, id)
}

export async function withdrawChange(context: Context, id: number): Promise<VendorBankChange> {
  const change = await lockedWaiting(context, id)
  if (change.requested_by !== context.principal.user_id) throw refused('Only who asked for a change may withdraw it.')
  await endBankChanges(context, sql`change.id = ${id}`, 'withdrawn')
  return readChange(context, id)
}

/** Withdraws the undecided changes of an import together with the import. */
export function withdrawImported(context: Context, importId: number): Promise<void> {
  return endBankChanges(context, sql`change.import_id = ${importId}`, 'withdrawn')
}

/** Reads rights again inside the transaction: a cached session may be older than a demotion. */
async function mustMayStill(context: Context): Promise<void> {
  const person = await loadPrincipal(context.tx, context.principal.user_id)
  const needed = ['vendor.update', 'vendor_bank_detail.update'] as const
  if (!person || !needed.every((permission) => mayIn(person, permission))) throw forbidden()
}

/** Locks the vendor's row, which guards every decision about its bank details. */
async function lockedWaiting(context: Context, id: number): Promise<VendorBankChange> {
  const { vendor_id } = await readChange(context, id)
  await sql`select id from vendors where id = ${vendor_id} for update`.execute(context.tx)
  const change = await readChange(context, id)
  if (change.state === 'replaced') throw refused('A newer change has taken its place. Please look at that one.')
  if (change.state !== 'waiting')
    throw refused(`This change was ${change.state} already${change.decided_by_name ? ` by ${change.decided_by_name}` : ''}.`)
  return change
}

function readChange(context: Context, id: number): Promise<VendorBankChange> {
  return readRow(context, vendorBankChanges, id, { reach: everything })
}

interface Sealed {
  readonly po_box: Buffer | null
  readonly payment_identifier: Buffer | null
}

async function sealedNumbers({ tx }: Context, id: number): Promise<Sealed> {
  const { rows } =
    await sql<Sealed>`select po_box_encrypted as po_box, payment_identifier_encrypted as payment_identifier from vendor_bank_changes where id = ${id}`.execute(
      tx,
    )
  return rows[0] ?? { po_box: null, payment_identifier: null }
}

/** Copies the change into the vendor, each number sealed anew for its new place. A prenote of the old account is void. */
async function putInForce(context: Context, change: VendorBankChange, sealed: Sealed): Promise<void> {
  const { tx, principal, machinery } = context
  const columns = new Map<string, unknown>()
  const trail: Record<string, Changes[string]> = {}
  for (const column of ['po_box', 'payment_identifier'] as const) {
    if (!change.changed.includes(column)) continue
    const bytes = sealed[column]
    const key = machinery.settings.secretKey
    const value = bytes === null ? null : openSecret(key, { table: 'vendor_bank_changes', column, id: change.id }, bytes)
    const stored = secretColumns(key, { table: 'vendors', column, id: change.vendor_id }, value)
    for (const [name, part] of Object.entries(stored)) columns.set(name, part)
    trail[column] = { from: change[`${column}_before`] === null ? null : secretMarker, to: value === null ? null : secretMarker }
  }
  for (const column of ['account_type', 'account_holder'] as const) {
    if (!change.changed.includes(column)) continue
    columns.set(column, change[column])
    trail[column] = { from: change[`${column}_before`], to: change[column] }
  }
  const sets = [...columns].map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`update vendors set ${sql.join(sets)}, prenote_state = 'none', prenote_date = null, bank_changed_by = ${change.requested_by}, bank_changed_at = now(),
      bank_verified_by = ${principal.user_id}, bank_verified_at = now(), lock_version = lock_version + 1, updated_at = now() where id = ${change.vendor_id}`.execute(
    tx,
  )
  await context.audit.updated('vendor', change.vendor_id, 0, trail)
}
