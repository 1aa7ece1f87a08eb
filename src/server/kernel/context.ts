/** Everything a handler can use: the transaction, the caller, the audit trail, and work that starts after the commit. Nothing else. */
import type { May, Model } from '#contract/kernel/permission.ts'
import { sql } from 'kysely'
import { changesBetween, writeAudit, type AuditEntry, type Changes } from './audit.ts'
import type { Tx } from './postgres/database.ts'
import { signedOut } from './problem.ts'
import { reachOf, type Principal, type Reach } from './principal.ts'
import type { Machinery } from './machinery.ts'

export interface Caller {
  readonly principal: Principal | null
  readonly ip: string | null
  readonly requestId: string
  /** Id of the browser window that sent the request, so that the live channel can answer it. */
  readonly connectionId: string | null
}

export interface Context extends Omit<Caller, 'principal'> {
  readonly tx: Tx
  /** Throws signed-out if nobody is signed in. */
  readonly principal: Principal
  readonly visitor: Principal | null
  /** Reach of the call's permission. Every query of a handler starts from it. */
  readonly reach: Reach
  readonly machinery: Machinery
  readonly audit: AuditTrail
  /** Marks the lists of this client (0: reference data) as changed, so that their cached totals expire. */
  touch(clientId: number): void
  /** Runs after the commit: cache invalidation, live messages. Work that must not be lost is a job instead. */
  afterCommit(act: () => void | Promise<void>): void
}

/** Returns the same context with the reach of another permission, for a call whose parts need different rights. */
export function withReachOf(context: Context, may: May): Context {
  const { principal } = context
  return { ...context, principal, reach: reachOf(principal, may) }
}

/** Audit trail of one transaction. Rows are written immediately; `touch` follows from them. */
export interface AuditTrail {
  created(
    item: Model | string,
    id: number,
    clientId: number,
    values: Readonly<Record<string, unknown>>,
    secrets?: readonly string[],
  ): Promise<void>
  updated(item: Model | string, id: number, clientId: number, changes: Changes): Promise<void>
  destroyed(item: Model | string, id: number, clientId: number, values: Readonly<Record<string, unknown>>): Promise<void>
  /** Records a sign-in, or the reading of something secret. */
  noted(event: 'login' | 'access', item: string, id: number | null, clientId: number, changes?: Changes): Promise<void>
  many(entries: readonly AuditEntry[]): Promise<void>
}

export interface Unit {
  readonly context: Context
  /** Raises the data versions. This is the last statement of the transaction, so that its row locks are short. */
  finish(): Promise<void>
  /** Runs what was registered with `afterCommit`. */
  committed(): Promise<void>
}

/** Creates the context of one unit of work: a request, or a job that acts for a user. */
export function unitOfWork(tx: Tx, caller: Caller, reach: Reach, machinery: Machinery): Unit {
  const touched = new Set<number>()
  const waiting: (() => void | Promise<void>)[] = []
  const actor = { user_id: caller.principal?.user_id ?? null, ip: caller.ip }
  const many = async (entries: readonly AuditEntry[]): Promise<void> => {
    for (const entry of entries) if (entry.event !== 'login' && entry.event !== 'access') touched.add(entry.client_id)
    await writeAudit(tx, actor, entries)
  }
  const one = (event: AuditEntry['event'], item_type: string, item_id: number | null, client_id: number, changes: Changes): Promise<void> =>
    many([{ event, item_type, item_id, client_id, changes }])
  const context: Context = {
    tx,
    get principal() {
      if (!caller.principal) throw signedOut()
      return caller.principal
    },
    visitor: caller.principal,
    reach,
    machinery,
    ip: caller.ip,
    requestId: caller.requestId,
    connectionId: caller.connectionId,
    audit: {
      created: (item, id, clientId, values, secrets = []) =>
        one('create', item, id, clientId, changesBetween({}, values, Object.keys(values), secrets)),
      updated: (item, id, clientId, changes) =>
        Object.keys(changes).length === 0 ? Promise.resolve() : one('update', item, id, clientId, changes),
      destroyed: (item, id, clientId, values) => one('destroy', item, id, clientId, changesBetween(values, {}, Object.keys(values))),
      noted: (event, item, id, clientId, changes = {}) => one(event, item, id, clientId, changes),
      many,
    },
    touch: (clientId) => void touched.add(clientId),
    afterCommit: (act) => void waiting.push(act),
  }
  return {
    context,
    finish: () => raiseVersions(tx, [...touched]),
    committed: async () => {
      for (const act of waiting) await act()
    },
  }
}

/** Notifies all caches of these clients that their content may have changed. Locks in id order, so that two writers never deadlock. */
export async function raiseVersions(tx: Tx, clientIds: readonly number[]): Promise<void> {
  if (clientIds.length === 0) return
  const ordered = clientIds.toSorted((a, b) => a - b)
  await sql`insert into data_versions (client_id, version) select id, 1 from unnest(${ordered}::bigint[]) as id order by id
    on conflict (client_id) do update set version = data_versions.version + 1`.execute(tx)
}
