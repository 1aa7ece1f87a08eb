/**
 * Saves a group account: its own fields are saved as the account's; its subaccounts are rows that refer to it. Subaccounts that the caller does
 * not see stay unchanged, because a form must not drop what it did not show.
 */
import type { GroupAccount } from '#contract/accounts/group-account.ts'
import type { Fields } from '#contract/kernel/entity.ts'
import { sql } from 'kysely'
import { linkAccounts } from '../bills/bills.ts'
import { accountTables } from '../estate/estate.ts'
import { changesBetween } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { readOne, scopeCondition, type Asked, type Source } from '../kernel/lists/list.ts'
import { invalid, notFound, unknownRecords } from '../kernel/problem.ts'
import { everything } from '../kernel/lists/resource.ts'
import { refuseStale } from '../kernel/lists/save.ts'
import { readableOf, type GroupKind } from './group-kinds.ts'

/** The sent values: the version that the form was filled from, the subaccounts, and the account's own fields. */
export interface GroupPatch {
  readonly lock_version?: number | undefined
  readonly subaccount_ids?: readonly number[] | undefined
}

interface Saving {
  readonly kind: GroupKind
  readonly of: Source & { readonly entity: { readonly fields: Fields; readonly label: string } }
  readonly asked: Asked & { readonly clientId?: number | undefined }
  /** Saves the account's own fields under its own name, which raises its version. */
  readonly saveOwn?: (own: object) => Promise<unknown>
}

/**
 * Applies a patch to a group account in reach.
 * @returns the stored row.
 */
export async function saveGroup(context: Context, id: number, patch: GroupPatch, saving: Saving): Promise<GroupAccount> {
  const { kind, of, asked, saveOwn } = saving
  const before = await readOne<GroupAccount>(context.tx, of, id, asked, true)
  if (!before) throw notFound(`${of.entity.label} not found.`)
  const readable = await readableOf(context, kind, before.subaccount_ids)
  const { lock_version: version, ...draft } = patch
  const shown = { ...before, subaccount_ids: before.subaccount_ids.filter((one) => readable.has(one)) }
  refuseStale(of.entity, shown, version, draft)
  const { subaccount_ids: wanted, ...own } = draft
  if (saveOwn && Object.keys(own).length > 0) await saveOwn(own)
  else await raiseVersion(context, kind, before)
  if (wanted) await chooseSubaccounts(context, kind, { before, readable, wanted })
  const after = await readOne<GroupAccount>(context.tx, of, id, { reach: everything, clientId: before.client_id })
  if (!after) throw notFound(`${of.entity.label} not found.`)
  await context.audit.updated(kind.name, id, before.client_id, changesBetween({ ...before }, { ...after }, ['subaccount_ids']))
  return after
}

/** Raises the version also if only the subaccounts change, so that users with the old form notice. */
async function raiseVersion({ tx }: Context, { account }: GroupKind, { id, client_id }: GroupAccount): Promise<void> {
  await sql`update ${sql.table(accountTables[account].table)} set lock_version = lock_version + 1, updated_at = now()
    where client_id = ${client_id} and id = ${id}`.execute(tx)
}

interface Choice {
  readonly before: GroupAccount
  /** The subaccounts of the group that the caller may read. */
  readonly readable: ReadonlySet<number>
  readonly wanted: readonly number[]
}

/** Adds and removes subaccounts by comparing with those that the caller sees; each account gets its own row in the trail. */
async function chooseSubaccounts(context: Context, kind: GroupKind, { before, readable, wanted }: Choice): Promise<void> {
  const { id: groupId, client_id: clientId } = before
  // An id in the group but outside the caller's reach is treated like one that does not exist.
  const taken = wanted.filter((id) => !readable.has(id))
  const left = before.subaccount_ids.filter((id) => readable.has(id) && !wanted.includes(id))
  if (taken.length + left.length === 0) return
  if (taken.includes(groupId)) throw invalid({ subaccount_ids: ['A group account cannot be its own subaccount'] })
  const accounts = await lockAccounts(context, kind, clientId, [...taken, ...left])
  await refuseTaken(context, kind, taken, accounts)
  refuseLeft(left, accounts)
  const { table, group } = accountTables[kind.account]
  await sql`update ${sql.table(table)} set ${sql.ref(group)} = case when id = any(${taken}::bigint[]) then ${groupId}::bigint end,
      lock_version = lock_version + 1, updated_at = now()
    where client_id = ${clientId} and id = any(${[...taken, ...left]}::bigint[])`.execute(context.tx)
  const moved = (id: number, from: number | null, to: number | null) => ({
    event: 'update' as const,
    item_type: kind.account,
    item_id: id,
    client_id: clientId,
    changes: { [group]: { from, to } },
  })
  await context.audit.many([...taken.map((id) => moved(id, null, groupId)), ...left.map((id) => moved(id, groupId, null))])
  await linkAccounts(context, clientId, kind.account === 'billable_account' ? 'BillableAccount' : 'SupplyAccount', taken)
}

interface Account {
  readonly id: number
  readonly name: string
  readonly account_number: string
  readonly is_group_account: boolean
  readonly group_id: number | null
}

/** Locks the accounts that the caller may change in id order, so that two saves never deadlock. */
async function lockAccounts(
  context: Context,
  { account, scope }: GroupKind,
  clientId: number,
  ids: readonly number[],
): Promise<Map<number, Account>> {
  const { table, group } = accountTables[account]
  const inside = scopeCondition({ scope }, { reach: context.reach, clientId })
  const { rows } =
    await sql<Account>`select id, name, account_number, is_group_account, ${sql.ref(group)} as group_id from ${sql.table(table)}
    where ${inside} and id = any(${ids}::bigint[]) order by id for no key update`.execute(context.tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Throws 422 that names the first account that cannot be added, and the reason. */
async function refuseTaken(
  context: Context,
  kind: GroupKind,
  taken: readonly number[],
  accounts: ReadonlyMap<number, Account>,
): Promise<void> {
  for (const id of taken) {
    const account = accounts.get(id)
    if (!account) throw unknownRecords('subaccount_ids', taken.length)
    if (account.is_group_account) throw invalid({ subaccount_ids: [`${nameOf(account)} is a group account itself`] })
    if (account.group_id !== null) throw invalid({ subaccount_ids: [await otherGroup(context, kind, account, account.group_id)] })
  }
}

/** Names the other group account if the caller may see it. */
async function otherGroup(context: Context, kind: GroupKind, account: Account, groupId: number): Promise<string> {
  const said = `${nameOf(account)} is a subaccount of`
  if (!(await readableOf(context, kind, [groupId])).has(groupId)) return `${said} another group account`
  const { rows } = await sql<
    Pick<Account, 'name' | 'account_number'>
  >`select name, account_number from ${sql.table(accountTables[kind.account].table)}
    where id = ${groupId}`.execute(context.tx)
  const [group] = rows
  return group ? `${said} ${nameOf(group)}` : `${said} another group account`
}

/** An account that the caller may see but not change cannot be removed from a group. */
function refuseLeft(left: readonly number[], accounts: ReadonlyMap<number, Account>): void {
  if (left.some((id) => !accounts.has(id)))
    throw invalid({ subaccount_ids: ['You may not take an account out of the group that you may not change'] })
}

function nameOf({ account_number, name }: Pick<Account, 'account_number' | 'name'>): string {
  return `${account_number} (${name})`
}
