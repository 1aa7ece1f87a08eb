/** Sends single requests in addition to the table, with the table's own recipes: a valid call of a row, which a test then spoils. */
import { sql } from 'kysely'
import type { Call } from '#contract/kernel/call.ts'
import type { Person } from '../support/app.ts'
import { recipeOf, urlOf, type Walk } from './walker.ts'
import { targetOf, type Asking } from './recipe.ts'
import type { Relation } from './rows.ts'

export interface Ready {
  readonly url: string
  readonly body: object
  /** Headers of the recipe besides the credentials. */
  readonly headers: Readonly<Record<string, string>>
}

/** Prepares a call about the own place as it would succeed, on its own record. */
export async function readyCall(walk: Walk, call: Call, who: Person, relation: Relation = 'own'): Promise<Ready> {
  const recipe = recipeOf(call.name, call.name)
  const target = targetOf(relation, walk.world)
  const asking: Asking = { app: walk.app, world: walk.world, relation, target, source: target, owner: who.id, who }
  return {
    url: await urlOf(call, recipe, asking, true),
    body: (await recipe.body?.(asking)) ?? {},
    headers: (await recipe.headers?.(asking)) ?? {},
  }
}

/**
 * Returns the same body with one value added or replaced: `path` leads there through objects and the first rows of lists, which are created if
 * missing.
 */
export function withValue(body: object, path: readonly string[], value: unknown): Record<string, unknown> {
  const [key = '', ...rest] = path
  const known: Record<string, unknown> = { ...body }
  if (rest.length === 0) return { ...known, [key]: value }
  const inner = known[key]
  if (rest[0] === '[]') return { ...known, [key]: [rest.length === 1 ? value : withValue(firstRow(inner), rest.slice(1), value)] }
  return { ...known, [key]: withValue(typeof inner === 'object' && inner !== null ? inner : {}, rest, value) }
}

function firstRow(list: unknown): object {
  const [row]: unknown[] = Array.isArray(list) ? list : []
  return typeof row === 'object' && row !== null ? row : {}
}

/** Returns the number of trail rows and a checksum of the records' owners, which must not change by itself. */
export async function ownershipOf({ world: { db } }: Walk): Promise<string> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(hashtextextended(line, 0)), 0)::text || ' ' || count(*) as sum from (
    select 'role ' || user_roles::text as line from user_roles
    union all select 'client ' || user_role_clients::text from user_role_clients
    union all select 'partner ' || id || ' ' || coalesce(channel_partner_id, 0) from clients where id in (select client_id from divisions)
    union all select 'status ' || id || status from users where id in (select user_id from user_roles)
    union all select 'bill ' || client_id || ' ' || id || paid || finalized || amount_due from bills) lines`.execute(db)
  return rows[0]?.sum ?? ''
}
