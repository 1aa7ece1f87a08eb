/**
 * Requests changes of bank details. They wait for a second user, and the vendor keeps its current details. A vendor has at most one waiting
 * change. A new one replaces it; if the same user requests again, it includes their earlier request.
 */
import { routingNumberDoubt } from '#contract/vendors/routing-number.ts'
import { bankKeys, type BankKey } from '#contract/vendors/vendor-bank-change.ts'
import { sql } from 'kysely'
import { secretMarker, type AuditEntry } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, typedInFull } from '../kernel/problem.ts'
import { fingerprintOf, isMasked, maskPrefix, openSecret, secretColumns } from '../kernel/secret.ts'
import { endBankChanges } from './end-bank-changes.ts'
import { tellApprovers, tellRequesters } from './tell-of-bank-changes.ts'

export type BankDraft = { readonly [K in BankKey]?: string | null | undefined }
export interface BankRequest {
  readonly vendorId: number
  readonly draft: BankDraft
}

interface State {
  readonly id: number
  readonly name: string
  readonly po_box_last4: string | null
  readonly po_box_fingerprint: Buffer | null
  readonly payment_identifier_last4: string | null
  readonly payment_identifier_fingerprint: Buffer | null
  readonly account_type: string
  readonly account_holder: string | null
  readonly waiting_id: number | null
  readonly waiting_by: number | null
  readonly waiting_changed: BankKey[] | null
  readonly waiting_po_box: Buffer | null
  readonly waiting_payment_identifier: Buffer | null
  readonly waiting_account_type: string | null
  readonly waiting_account_holder: string | null
}

type Wanted = { readonly [K in BankKey]?: string | null }
interface Planned {
  readonly state: State
  readonly wanted: Wanted
}

/**
 * Stores the requests. Throws 422 for a mask that is not the vendor's own.
 * @returns the ids of the changes that now wait.
 */
export async function requestBankChanges(
  context: Context,
  requests: readonly BankRequest[],
  importId: number | null = null,
): Promise<number[]> {
  const asking = requests.filter(({ draft }) => bankKeys.some((key) => draft[key] !== undefined))
  if (asking.length === 0) return []
  const states = new Map((await lockedStates(context, asking)).map((state) => [state.id, state]))
  const planned = asking.flatMap(({ vendorId, draft }): Planned[] => {
    const state = states.get(vendorId)
    const wanted = state ? wantedOf(context, state, draft) : null
    return state && wanted ? [{ state, wanted }] : []
  })
  if (planned.length === 0) return []
  const replaced = planned.flatMap(({ state }) => (state.waiting_id === null ? [] : [state.waiting_id]))
  if (replaced.length > 0) await endBankChanges(context, sql`change.id = any(${replaced}::bigint[])`, 'replaced')
  const ids = await storeChanges(context, planned, importId)
  await tellApprovers(
    context,
    planned.map(({ state }, at) => ({ id: ids[at] ?? 0, vendorName: state.name })),
  )
  await tellRequesters(
    context,
    planned.flatMap(({ state: { waiting_id: id, waiting_by: requestedBy, name: vendorName } }) =>
      id === null || requestedBy === null ? [] : [{ id, vendorName, requestedBy, word: 'replaced' as const }],
    ),
  )
  return ids
}

/** Locks in id order, vendors before their changes, as every decision does. */
async function lockedStates({ tx }: Context, asking: readonly BankRequest[]): Promise<State[]> {
  const ids = asking.map(({ vendorId }) => vendorId)
  await sql`select id from vendors where id = any(${ids}::bigint[]) order by id for update`.execute(tx)
  const { rows } = await sql<State>`
    select vendors.id, vendors.name, vendors.po_box_last4, vendors.po_box_fingerprint, vendors.payment_identifier_last4, vendors.payment_identifier_fingerprint,
      vendors.account_type, vendors.account_holder, waiting.id as waiting_id, waiting.requested_by as waiting_by, waiting.changed as waiting_changed,
      waiting.po_box_encrypted as waiting_po_box, waiting.payment_identifier_encrypted as waiting_payment_identifier,
      waiting.account_type as waiting_account_type, waiting.account_holder as waiting_account_holder
    from vendors left join vendor_bank_changes waiting on waiting.vendor_id = vendors.id and waiting.state = 'waiting'
    where vendors.id = any(${ids}::bigint[])`.execute(tx)
  return rows
}

/** Returns the change to store, merged with the same user's waiting one; null if nothing is new. */
function wantedOf(context: Context, state: State, draft: BankDraft): Wanted | null {
  const asked = Object.fromEntries(
    bankKeys.flatMap((key) => {
      const value = draft[key]
      return value === undefined || isInForce(context, state, key, value) ? [] : [[key, value] as const]
    }),
  )
  if (Object.keys(asked).length === 0) return null
  const waiting = waitingValues(context, state)
  const sameAsWaiting =
    waiting !== null && Object.entries(asked).every(([key, value]) => key in waiting && Reflect.get(waiting, key) === value)
  const mine = state.waiting_by === context.principal.user_id
  const isAll = waiting !== null && Object.keys(asked).length === Object.keys(waiting).length
  if (sameAsWaiting && (mine || isAll)) return null
  return mine ? { ...waiting, ...asked } : asked
}

function isInForce({ machinery }: Context, state: State, key: BankKey, value: string | null): boolean {
  if (key === 'account_type') return value === state.account_type
  if (key === 'account_holder') return value === state.account_holder
  const last4 = state[`${key}_last4`]
  const stored = state[`${key}_fingerprint`]
  if (value === null) return stored === null
  if (last4 !== null && value === maskPrefix + last4) return true
  if (isMasked(value)) throw invalid({ [key]: [typedInFull(labels[key])] })
  return stored !== null && fingerprintOf(machinery.settings.secretKey, key, value).equals(stored)
}

const labels = { po_box: 'Routing Number', payment_identifier: 'Accounting Number' } as const

function waitingValues(context: Context, state: State): Wanted | null {
  const id = state.waiting_id
  if (id === null) return null
  const opened = (column: 'po_box' | 'payment_identifier', sealed: Buffer | null) =>
    sealed === null ? null : openSecret(context.machinery.settings.secretKey, { table: 'vendor_bank_changes', column, id }, sealed)
  const values = {
    po_box: opened('po_box', state.waiting_po_box),
    payment_identifier: opened('payment_identifier', state.waiting_payment_identifier),
    account_type: state.waiting_account_type,
    account_holder: state.waiting_account_holder,
  }
  return Object.fromEntries((state.waiting_changed ?? []).map((key) => [key, values[key]]))
}

async function storeChanges(context: Context, planned: readonly Planned[], importId: number | null): Promise<number[]> {
  const { tx, principal, machinery, audit } = context
  const { rows: taken } = await sql<{
    id: number
  }>`select nextval(pg_get_serial_sequence('vendor_bank_changes', 'id')) as id from generate_series(1, ${planned.length})`.execute(tx)
  const rows = planned.map(({ state, wanted }, at) => {
    const id = taken[at]?.id ?? 0
    const sealed = (column: 'po_box' | 'payment_identifier') =>
      secretColumns(machinery.settings.secretKey, { table: 'vendor_bank_changes', column, id }, wanted[column] ?? null)
    const columns = Object.entries({ ...sealed('po_box'), ...sealed('payment_identifier') })
    return {
      id,
      vendor_id: state.id,
      changed: bankKeys.filter((key) => wanted[key] !== undefined),
      account_type: wanted.account_type ?? null,
      account_holder: wanted.account_holder ?? null,
      routing_is_doubtful: typeof wanted.po_box === 'string' && routingNumberDoubt(wanted.po_box) !== null,
      ...Object.fromEntries(columns.map(([column, value]) => [column, Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value])),
    }
  })
  await sql`insert into vendor_bank_changes (id, vendor_id, changed, po_box_encrypted, po_box_last4, po_box_fingerprint,
      payment_identifier_encrypted, payment_identifier_last4, payment_identifier_fingerprint, account_type, account_holder, routing_is_doubtful, requested_by, import_id)
    select id, vendor_id, changed, po_box_encrypted, po_box_last4, po_box_fingerprint,
      payment_identifier_encrypted, payment_identifier_last4, payment_identifier_fingerprint, account_type, account_holder, routing_is_doubtful, ${principal.user_id}::bigint, ${importId}::bigint
    from jsonb_populate_recordset(null::vendor_bank_changes, ${JSON.stringify(rows)}::jsonb)`.execute(tx)
  await audit.many(planned.map(({ state, wanted }, at) => requested(taken[at]?.id ?? 0, state.id, wanted)))
  return taken.map(({ id }) => id)
}

function requested(id: number, vendorId: number, wanted: Wanted): AuditEntry {
  const told = bankKeys.flatMap((key) => {
    const value = wanted[key]
    if (value === undefined) return []
    const isSecret = key === 'po_box' || key === 'payment_identifier'
    return [[key, { from: null, to: isSecret && value !== null ? secretMarker : value }] as const]
  })
  const changes = { vendor_id: { from: null, to: vendorId }, state: { from: null, to: 'waiting' }, ...Object.fromEntries(told) }
  return { event: 'create', item_type: 'vendor_bank_change', item_id: id, client_id: 0, changes }
}
