/** The history of one record. Readers of the record may read it, limited to the fields that the record's own response shows. */
import { auditPageSize, historyCalls, type HistoryVersion } from '#contract/audit-log/audit-log.ts'
import { sql, type SqlBool } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { handle, type Asking, type Handler } from '../kernel/handler.ts'
import { mayIn, reachOf, wholeReach, type Reach } from '../kernel/principal.ts'
import { forbidden, notFound } from '../kernel/problem.ts'
import { registered } from '../kernel/lists/sources.ts'
import { and, keysHiddenIn, or, type Condition } from '../kernel/lists/list.ts'
import { countVersions, readVersions, type Paging } from './read-versions.ts'
import { roleVersionsOf } from './role-versions.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

interface Named {
  readonly item_type: string
  readonly id: number
  readonly client_id?: number
}

/** A group account is an account under a second name, with the same rights and id: the history of both shows changes from either form. */
const sameRecord: Readonly<Record<string, readonly string[]>> = {
  group_account: ['billable_account'],
  billable_account: ['group_account'],
  group_supply_account: ['supply_account'],
  supply_account: ['group_supply_account'],
}

/** `records` are the product's handlers: the handler that returns a record decides who may read its history. */
export function historyHandlers(records: readonly Handler[]): Handler[] {
  const readers = new Map(records.map((handler) => [handler.call.name, handler]))
  const answer = async (context: Context, named: Named, paging: Paging, http: Asking<unknown, unknown, unknown>['http']) => {
    const shown = await readRecord(context, readers, named, http)
    const { item_type, id } = named
    const names = [item_type, ...(sameRecord[item_type] ?? [])]
    const itself = and([
      ownersOf(named, shown),
      sql<SqlBool>`audit_records.item_type = any(${names}::text[]) and audit_records.item_id = ${id}`,
    ])
    const roles = item_type === 'user' ? await roleVersionsOf(context, id) : null
    const conditions = [roles ? or([itself, roles.condition]) : itself]
    const versions = await readVersions(context.tx, conditions, paging, auditPageSize, wholeReach(context.principal))
    const people = await peopleOf(
      context,
      versions.flatMap(({ user_id: userId }) => (userId === null ? [] : [userId])),
    )
    return {
      history: versions.map((version) => {
        if (version.item_type === item_type) return ofReader(version, hiddenKeys(item_type, shown, wholeReach(context.principal)), people)
        return ofReader({ ...version, item_name: roles ? roles.nameOf(version) : version.item_name }, [], people)
      }),
      total: await countVersions(context.tx, conditions),
    }
  }
  return [
    handle(historyCalls.ofRecord, (context, { params, query, http }) => answer(context, params, query, http)),
    handle(historyCalls.ofClientRecord, (context, { params, query, http }) => answer(context, params, query, http)),
  ]
}

/** Calls the record's own handler, with its right and reach. Throws what that throws; a kind without such a call has no history. */
async function readRecord(
  context: Context,
  readers: ReadonlyMap<string, Handler>,
  { item_type, id, client_id }: Named,
  http: Asking<unknown, unknown, unknown>['http'],
): Promise<object> {
  const place = item_type === 'service' && client_id !== undefined ? await accountOf(context, client_id, id) : null
  const reader = readers.get(place?.call ?? `${pluralOf(item_type)}.get`)
  // A client's record is read under its client; a record of no client is not.
  if (!reader || reader.call.path.startsWith('/clients/:client_id/') !== (client_id !== undefined)) throw notFound()
  const { may } = reader.call
  if (!mayIn(context.principal, may, client_id)) throw forbidden()
  const reach = may === 'signed_in' ? wholeReach(context.principal) : reachOf(context.principal, may)
  const asked = { ...context, principal: context.principal, visitor: context.visitor, reach }
  const params = { id: String(id), ...(client_id === undefined ? {} : { client_id: String(client_id) }), ...place?.params }
  const answer = await reader.run(asked, { params, query: {}, body: undefined, http })
  const record: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, item_type) : undefined
  if (typeof record !== 'object' || record === null) throw notFound()
  return record
}

/** A service is returned under its account, of either kind. */
async function accountOf({ tx }: Context, clientId: number, id: number) {
  const { rows } = await sql<{
    billable: number | null
    supply: number | null
  }>`select billable_account_id as billable, supply_account_id as supply
    from services where client_id = ${clientId} and id = ${id}`.execute(tx)
  const [found] = rows
  if (!found) throw notFound()
  return found.billable === null
    ? { call: 'supply_account_services.get', params: { supply_account_id: String(found.supply) } }
    : { call: 'services.get', params: { billable_account_id: String(found.billable) } }
}

function pluralOf(itemType: string): string {
  return [...registered.values()].find(({ entity }) => entity.name === itemType)?.entity.plural ?? `${itemType}s`
}

/** The trail's index begins with the client: a client's own record is stored under its own id, records of no client under 0. */
function ownersOf({ item_type, id, client_id }: Named, shown: object): Condition {
  const own: unknown = Reflect.get(shown, 'client_id')
  const further = [item_type === 'client' ? id : null, typeof own === 'number' ? own : null].filter((one) => one !== null)
  const clients = client_id === undefined ? [0, ...further] : [client_id]
  return sql<SqlBool>`audit_records.client_id = any(${clients}::bigint[])`
}

/**
 * Returns the fields of the kind that this reader's response does not contain, or shows as empty to who does not reach the whole client. Changes that are no field, such as a password, have their own
 * marker.
 */
function hiddenKeys(itemType: string, shown: object, reach: Reach): readonly string[] {
  const source = [...registered.values()].find(({ entity }) => entity.name === itemType)
  if (!source) return []
  const absent = Object.keys(source.entity.fields).filter((key) => !Object.hasOwn(shown, key))
  return [...absent, ...keysHiddenIn(source, shown, reach)]
}

function ofReader(version: HistoryVersion, hidden: readonly string[], people: ReadonlyMap<number, string>): HistoryVersion {
  const { id, event, item_type, item_label, item_id, item_name, client_id, created_at, object_changes, changes, user_id, user } = version
  return {
    id,
    event,
    item_type,
    item_label,
    item_id,
    item_name,
    client_id,
    created_at,
    user_id,
    object_changes: Object.fromEntries(Object.entries(object_changes).filter(([key]) => !hidden.includes(key))),
    changes: changes.filter(({ key }) => !hidden.includes(key)),
    user: (user_id === null ? undefined : people.get(user_id)) ?? user,
  }
}

/** Returns users' names, not their email addresses: those of colleagues at other clients are private. */
async function peopleOf(context: Context, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    id: number
    name: string
  }>`select id, ${nameOfUser('users', 'username')} as name
    from users where id = any(${[...new Set(ids)]}::bigint[])`.execute(context.tx)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
