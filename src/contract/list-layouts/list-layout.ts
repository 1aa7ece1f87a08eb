/** A user's settings of a list: its columns, and named views (filters, sort and columns). */
import { z } from 'zod'
import { call, result, type Result } from '../kernel/call.ts'

/** Maximum length of a layout as JSON. */
export const layoutLengthMax = 20_000
/** Maximum views of one user for one list. */
export const viewsPerListMax = 100

/** Columns, widths, density: the console's own keys, stored as they are. */
const layout = z
  .record(z.string().max(100), z.unknown(), { error: 'Layout must be an object' })
  .refine((value) => JSON.stringify(value).length <= layoutLengthMax, 'Layout is too large')
const listName = z.string().regex(/^[a-z][a-z0-9_-]{0,99}$/, 'List must be a name like bills')
const listParam = z.object({ list: listName })

export const savedView = z.object({
  id: z.int(),
  list: z.string(),
  name: z.string(),
  /** A shared view is seen by those whom `shared_with` names; only its owner changes it. */
  shared: z.boolean(),
  shared_with: z.object({ kind: z.enum(['client', 'channel_partner', 'staff']), id: z.int().nullable(), name: z.string() }).nullable(),
  own: z.boolean(),
  owner_name: z.string(),
  /** The list's address without `?`: filters, search and sort as the console writes them. */
  query: z.string(),
  layout: z.record(z.string(), z.unknown()),
  lock_version: z.int(),
})
export type SavedView = z.infer<typeof savedView>

/**
 * The client whose people see a shared view. Without it, the people of the sharer's partner or only client see it; a view of staff who reach
 * every client is then seen by the staff.
 */
const sharedClient = z.int().positive('Client must be an id').optional()

const viewDraft = z.strictObject({
  list: listName,
  name: z.string({ error: 'Name is required' }).trim().min(1, 'Name is required').max(100, 'Name must have at most 100 characters'),
  shared: z.boolean().optional(),
  client_id: sharedClient,
  query: z.string().max(4_000, 'The filters are too long to keep').optional(),
  layout: layout.optional(),
})
const viewPatch = z.strictObject({
  name: viewDraft.shape.name.optional(),
  shared: z.boolean().optional(),
  client_id: sharedClient,
  query: viewDraft.shape.query,
  layout: layout.optional(),
  lock_version: z.int().min(0).optional(),
})
const viewReply: z.ZodType<Result & { saved_view: SavedView }> = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.int().optional(),
  saved_view: savedView,
})

export const listLayoutCalls = {
  get: call({
    name: 'list_layouts.get',
    method: 'GET',
    path: '/list_layouts/:list',
    may: 'signed_in',
    summary: 'The signed-in user’s layout of a list; null where none is kept',
    params: listParam,
    reply: z.object({ layout: z.record(z.string(), z.unknown()).nullable() }),
  }),
  put: call({
    name: 'list_layouts.put',
    method: 'PUT',
    path: '/list_layouts/:list',
    may: 'signed_in',
    summary: 'Keeps a layout; null goes back to the list’s own',
    params: listParam,
    body: z.strictObject({ layout: layout.nullable() }),
  }),
  destroy: call({
    name: 'list_layouts.destroy',
    method: 'DELETE',
    path: '/list_layouts/:list',
    may: 'signed_in',
    summary: 'Back to the list’s own layout',
    params: listParam,
    reply: result,
  }),
}

export const savedViewCalls = {
  list: call({
    name: 'saved_views.list',
    method: 'GET',
    path: '/saved_views',
    may: 'signed_in',
    summary: 'The views of a list: one’s own and those shared with one; with `client_id`, of those shared with clients that one’s only',
    query: z.strictObject({
      list: listName,
      client_id: z
        .string()
        .regex(/^[1-9]\d{0,14}$/, 'must be an id')
        .optional(),
    }),
    reply: z.object({ saved_views: z.array(savedView) }),
  }),
  create: call({
    name: 'saved_views.create',
    method: 'POST',
    path: '/saved_views',
    may: 'signed_in',
    summary: 'Keeps a view',
    body: z.strictObject({ saved_view: viewDraft }),
    reply: viewReply,
  }),
  get: call({
    name: 'saved_views.get',
    method: 'GET',
    path: '/saved_views/:id',
    may: 'signed_in',
    summary: 'One view: one’s own, or a shared one',
    reply: z.object({ saved_view: savedView }),
  }),
  update: call({
    name: 'saved_views.update',
    method: 'PATCH',
    path: '/saved_views/:id',
    may: 'signed_in',
    summary: 'Changes one’s own view',
    body: z.strictObject({ saved_view: viewPatch }),
    reply: viewReply,
  }),
  destroy: call({
    name: 'saved_views.destroy',
    method: 'DELETE',
    path: '/saved_views/:id',
    may: 'signed_in',
    summary: 'Deletes one’s own view',
  }),
}
