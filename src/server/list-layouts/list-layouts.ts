/** Users' settings of lists: columns, and named views. */
import { listLayoutCalls, savedViewCalls, viewsPerListMax, type SavedView } from '#contract/list-layouts/list-layout.ts'
import { sql } from 'kysely'
import { changesBetween } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { forbidden, refused, stale, noSuch } from '../kernel/problem.ts'
import { administersPartner, audienceOf, isSeen, reachesClient, mustStillShare, type Audience } from './shared-views.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

type Layout = Record<string, unknown>

export const listLayoutHandlers: Handler[] = [
  handle(listLayoutCalls.get, async (context, { params }) => {
    const { rows } = await sql<{
      layout: Layout
    }>`select layout from list_layouts where user_id = ${context.principal.user_id} and list = ${params.list}`.execute(context.tx)
    return { layout: rows[0]?.layout ?? null }
  }),
  handle(listLayoutCalls.put, async (context, { params, body }) => {
    if (body.layout === null) return forgetLayout(context, params.list)
    await sql`insert into list_layouts (user_id, list, layout) values (${context.principal.user_id}, ${params.list}, ${JSON.stringify(body.layout)}::jsonb)
      on conflict (user_id, list) do update set layout = excluded.layout, updated_at = now()`.execute(context.tx)
    return { success: true, message: 'Layout saved' }
  }),
  handle(listLayoutCalls.destroy, (context, { params }) => forgetLayout(context, params.list)),
]

async function forgetLayout(context: Context, list: string) {
  await sql`delete from list_layouts where user_id = ${context.principal.user_id} and list = ${list}`.execute(context.tx)
  return { success: true, message: 'Layout reset' }
}

export const savedViewHandlers: Handler[] = [
  handle(savedViewCalls.list, async (context, { query }) => {
    const { rows } = await sql<SavedView>`${viewsOf(context)} where view.list = ${query.list}
        and ${isSeen(context, query.client_id === undefined ? undefined : Number(query.client_id))}
      order by lower(view.name), view.id limit 1000`.execute(context.tx)
    return { saved_views: rows }
  }),
  handle(savedViewCalls.create, async (context, { body }) => {
    const { list, name, client_id: clientId, query = '', layout = {} } = body.saved_view
    // A view that names a client is shared with that client's people.
    const shared = body.saved_view.shared ?? clientId !== undefined
    await refuseTooMany(context, list)
    const audience = shared ? await audienceOf(context, clientId) : null
    const { rows } = await sql<{
      id: number
    }>`insert into saved_views (user_id, list, name, shared, shared_client_id, shared_partner_id, query, layout)
      values (${context.principal.user_id}, ${list}, ${name}, ${shared}, ${audience?.clientId ?? null}::bigint, ${audience?.partnerId ?? null}::bigint,
        ${query}, ${JSON.stringify(layout)}::jsonb) returning id`.execute(context.tx)
    const view = await readView(context, rows[0]?.id ?? 0)
    return { success: true, message: 'View saved', id: view.id, saved_view: view }
  }),
  handle(savedViewCalls.get, async (context, { params }) => ({ saved_view: await readView(context, params.id) })),
  handle(savedViewCalls.update, async (context, { params, body }) => {
    const before = await lockOwnView(context, params.id)
    const { lock_version: version, client_id: clientId, ...patch } = body.saved_view
    if (version !== undefined && version !== before.lock_version) throw stale(changesBetween({ ...before }, patch, Object.keys(patch)))
    const { name, query, layout } = { ...before, ...given(patch) }
    const shared = patch.shared ?? (clientId !== undefined || before.shared)
    const audience = shared ? await audienceAfter(context, before, clientId) : null
    await sql`update saved_views set name = ${name}, shared = ${shared}, shared_client_id = ${audience?.clientId ?? null}::bigint,
      shared_partner_id = ${audience?.partnerId ?? null}::bigint, query = ${query}, layout = ${JSON.stringify(layout)}::jsonb, lock_version = lock_version + 1, updated_at = now()
      where id = ${params.id}`.execute(context.tx)
    return { success: true, message: 'View saved', id: params.id, saved_view: await readView(context, params.id) }
  }),
  handle(savedViewCalls.destroy, async (context, { params }) => {
    await lockOwnView(context, params.id)
    await sql`delete from saved_views where id = ${params.id}`.execute(context.tx)
    return { success: true, message: 'View deleted' }
  }),
]

/** A view that was shared stays with its people unless another client is named. */
async function audienceAfter(context: Context, { shared, shared_with }: SavedView, clientId: number | undefined): Promise<Audience> {
  if (!shared || !shared_with || clientId !== undefined) return audienceOf(context, clientId)
  const { kind, id } = shared_with
  const kept = { clientId: kind === 'client' ? id : null, partnerId: kind === 'channel_partner' ? id : null }
  await mustStillShare(context, kept)
  return kept
}

function viewsOf(context: Context) {
  return sql`select view.id, view.list, view.name, view.shared, view.user_id = ${context.principal.user_id} as own,
    coalesce(${nameOfUser('users')}, '') as owner_name, view.query, view.layout, view.lock_version,
    case when not view.shared then null
      when view.shared_client_id is not null then json_build_object('kind', 'client', 'id', view.shared_client_id, 'name', case when ${reachesClient(context)} then clients.name else '' end)
      when view.shared_partner_id is not null then json_build_object('kind', 'channel_partner', 'id', view.shared_partner_id, 'name', case when ${administersPartner(context)} then channel_partners.name else '' end)
      else json_build_object('kind', 'staff', 'id', null, 'name', 'Staff') end as shared_with
    from saved_views view left join users on users.id = view.user_id left join clients on clients.id = view.shared_client_id
    left join channel_partners on channel_partners.id = view.shared_partner_id`
}

async function refuseTooMany(context: Context, list: string): Promise<void> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from saved_views where user_id = ${context.principal.user_id} and list = ${list}`.execute(context.tx)
  if ((rows[0]?.count ?? 0) >= viewsPerListMax) throw refused(`At most ${viewsPerListMax} views are kept for a list.`)
}

async function readView(context: Context, id: number): Promise<SavedView> {
  const { rows } = await sql<SavedView>`${viewsOf(context)} where view.id = ${id} and ${isSeen(context)}`.execute(context.tx)
  if (!rows[0]) throw noSuch('View')
  return rows[0]
}

/** Locks the view until the end of the transaction. Shared views of other users are refused; their private views are not found. */
async function lockOwnView(context: Context, id: number): Promise<SavedView> {
  await sql`select id from saved_views where id = ${id} and user_id = ${context.principal.user_id} for update`.execute(context.tx)
  const view = await readView(context, id)
  if (!view.own) throw forbidden('Only its owner changes a view.')
  return view
}

/** Removes undefined keys, which would overwrite stored values. */
function given<P extends object>(patch: P): { [K in keyof P]?: Exclude<P[K], undefined> }
function given(patch: object): object {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}
