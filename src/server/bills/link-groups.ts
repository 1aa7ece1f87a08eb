/**
 * Links the bills of subaccounts to the bill of their group account, whatever their origin and order. Every way of adding bills ends here:
 * it looks at the groups that the written bills touch, gives each child the one bill that fits (contract/bills/group-bill.ts), and records
 * it in the histories of both sides. User choices and settled links stay.
 */
import type { AccountType } from '#contract/bills/bill.ts'
import { carrierAmong, fittingParents } from '#contract/bills/group-bill.ts'
import { sql } from 'kysely'
import { refreshFactsOfBills } from '../month-facts/month-facts.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { accountColumn, accountTable } from './account-scope.ts'
import { auditGroups, type SavedBills } from './audit-groups.ts'
import { groupEntry } from './move-children.ts'
import { type GroupSpan, groupSpans, merged, parentBills, openChildren } from './group-spans.ts'

/** State of a group's bills before a write: the parent of each written bill, and their accounts and dates. */
interface GroupsBefore {
  readonly spans: readonly GroupSpan[]
  /** By child; a new bill is absent. */
  readonly parents: ReadonlyMap<number, number>
}

const noGroupsBefore: GroupsBefore = { spans: [], parents: new Map() }

/** Must be called before bills are changed or deleted. */
export async function groupsBefore(tx: Tx, clientId: number, billIds: readonly number[]): Promise<GroupsBefore> {
  const { rows } = await sql<Link>`select id, group_bill_id as parent from bills
    where client_id = ${clientId} and group_bill_id is not null and superseded_by_id is null
      and (id = any(${billIds}::bigint[]) or group_bill_id = any(${billIds}::bigint[]))`.execute(tx)
  return {
    spans: await groupSpans(tx, clientId, billIds),
    parents: new Map(rows.flatMap(({ id, parent }) => (parent === null ? [] : [[id, parent]]))),
  }
}

/**
 * Links again what the written bills touch. `before` is the result of `groupsBefore`, and includes what was deleted with them.
 * @returns the group bills whose children have changed, or that count differently because one of the written bills belongs to them.
 */
export async function linkGroups(
  context: Context,
  clientId: number,
  billIds: readonly number[],
  before: GroupsBefore = noGroupsBefore,
  saved?: SavedBills,
): Promise<number[]> {
  const { tx } = context
  const spans = merged([...before.spans, ...(await groupSpans(tx, clientId, billIds))])
  const { relinks: relinked, undecided } = await relinkSpans(context, clientId, spans, billIds)
  const now = await parentsOf(tx, clientId, [...billIds, ...before.parents.keys()])
  const written = [...new Set([...billIds, ...before.parents.keys()])].flatMap((id): Relink[] => {
    const [from, to] = [before.parents.get(id) ?? null, now.get(id) ?? null]
    return from === to || relinked.some((one) => one.id === id) ? [] : [{ id, from, to }]
  })
  await tellParents(context, clientId, [...relinked, ...written])
  const touched = [...relinked, ...written].flatMap(({ from, to }) => [from, to])
  const parents = [...new Set([...touched, ...billIds.map((id) => now.get(id) ?? null)])].filter((id) => id !== null)
  const looked = spans.length + parents.length === 0 ? [] : [...billIds, ...parents, ...undecided.keys(), ...relinked.map(({ id }) => id)]
  await auditGroups(context, clientId, [...new Set(looked)], undecided, saved)
  return parents
}

/** The same for all bills of accounts that have joined groups, whenever they were written. */
export async function linkAccounts(
  context: Context,
  clientId: number,
  accountType: AccountType,
  accountIds: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from bills where client_id = ${clientId} and superseded_by_id is null
    and ${sql.ref(accountColumn(accountType))} = any(${accountIds}::bigint[])`.execute(context.tx)
  const ids = rows.map((row) => row.id)
  const moved = await linkGroups(context, clientId, ids, await groupsBefore(context.tx, clientId, ids))
  await refreshFactsOfBills(context.tx, clientId, moved)
}

interface Link {
  readonly id: number
  readonly parent: number | null
}

interface Relink {
  /** Id of the child. */
  readonly id: number
  readonly from: number | null
  readonly to: number | null
}

async function parentsOf(tx: Tx, clientId: number, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } =
    await sql<Link>`select id, group_bill_id as parent from bills where client_id = ${clientId} and id = any(${ids}::bigint[])
    and group_bill_id is not null and superseded_by_id is null`.execute(tx)
  return new Map(rows.flatMap(({ id, parent }) => (parent === null ? [] : [[id, parent]])))
}

async function relinkSpans(
  context: Context,
  clientId: number,
  spans: readonly GroupSpan[],
  written: readonly number[],
): Promise<{ relinks: Relink[]; undecided: Map<number, readonly number[]> }> {
  const relinks: Relink[] = []
  const undecided = new Map<number, readonly number[]>()
  for (const type of ['BillableAccount', 'SupplyAccount'] as const) {
    const asked = spans.filter((span) => span.account_type === type)
    if (asked.length === 0) continue
    // Writers of a group's bills hold its account, so that two that write parent and child see each other's bills.
    await sql`select from ${accountTable(type)} where client_id = ${clientId} and id = any(${asked.map((span) => span.group_id)}::bigint[])
      order by id for no key update`.execute(context.tx)
    const parents = Map.groupBy(await parentBills(context.tx, clientId, type, asked), (parent) => parent.group_id)
    const children = await openChildren(context.tx, clientId, type, asked, written)
    for (const child of children) {
      const fitting = fittingParents(child, parents.get(child.group_id) ?? [])
      const { group_bill_id: from } = child
      const to = carrierAmong(from, fitting)
      if (from !== to) relinks.push({ id: child.id, from, to })
      if (to === null && fitting.length > 1) undecided.set(child.id, fitting)
    }
  }
  await storeLinks(context, clientId, relinks, written)
  return { relinks, undecided }
}

/** Bills created by this write keep their version: no one has seen another one. */
async function storeLinks(context: Context, clientId: number, relinks: readonly Relink[], written: readonly number[]): Promise<void> {
  if (relinks.length === 0) return
  await sql`update bills set group_bill_id = link."to", updated_at = now(),
      lock_version = lock_version + case when bills.id = any(${written}::bigint[]) then 0 else 1 end
    from jsonb_to_recordset(${JSON.stringify(relinks)}::jsonb) as link(id bigint, "to" bigint)
    where bills.client_id = ${clientId} and bills.id = link.id`.execute(context.tx)
  await context.audit.many(relinks.map(({ id, from, to }) => groupEntry(clientId, id, { group_bill_id: { from, to } })))
  context.touch(clientId)
}

/** Records in the history of a group's bill which bills were linked to it and which were unlinked. */
async function tellParents(context: Context, clientId: number, relinks: readonly Relink[]): Promise<void> {
  const parents = [...new Set(relinks.flatMap(({ from, to }) => [from, to]))].filter((id) => id !== null)
  const gone = new Set(await deletedOf(context.tx, clientId, parents))
  const entries = parents
    .filter((parent) => !gone.has(parent))
    .map((parent) => {
      const came = relinks.filter((one) => one.to === parent).map((one) => one.id)
      const went = relinks.filter((one) => one.from === parent).map((one) => one.id)
      return groupEntry(clientId, parent, { group_children: { from: went.join(', ') || null, to: came.join(', ') || null } })
    })
  await context.audit.many(entries)
}

async function deletedOf(tx: Tx, clientId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`select named.id from unnest(${ids}::bigint[]) as named(id)
    where not exists (select from bills where bills.client_id = ${clientId} and bills.id = named.id)`.execute(tx)
  return rows.map((row) => row.id)
}
