/** The layouts of a bank profile: for each format the ready-made one, or a version of the profile's own. */
import { z } from 'zod'
import { call } from '../kernel/call.ts'
import { editableFormats, layoutFaults } from '../payment-files/layout-faults.ts'
import { fileFormats, layout } from '../payment-files/layout.ts'

/** Maximum versions of one layout. */
export const layoutVersionsMax = 500

const version = z.object({
  version: z.int(),
  created_at: z.string(),
  created_by_name: z.string().nullable(),
  /** Files that were written with it. */
  file_count: z.int(),
})

const profileLayout = z.object({
  format: z.enum(fileFormats),
  label: z.string(),
  /** The name of the ready-made layout, or 'Own layout, version 2'. */
  in_force: z.string(),
  /** Null if the ready-made layout is in force. */
  version: z.int().nullable(),
  /** The number of the newest version; 0 if there is none. A save names it, so that nobody overwrites what they have not seen. */
  newest_version: z.int(),
  /** Null for NACHA records, which no profile can change. */
  layout: layout.nullable(),
  /** Says why the layout cannot be edited; null if it can. */
  fixed_because: z.string().nullable(),
  versions: z.array(version),
})
export type ProfileLayout = z.infer<typeof profileLayout>

const draft = z
  .strictObject({
    format: z.enum(editableFormats, { error: 'Format must be one whose layout can be edited' }),
    /** Null takes the ready-made layout again. */
    layout: layout.nullable(),
    newest_version: z.int('newest_version must be a whole number').min(0, 'newest_version must not be negative'),
  })
  .superRefine(({ format, layout: own }, context) => {
    for (const { path, message } of own === null ? [] : layoutFaults(format, own))
      context.addIssue({ code: 'custom', path: ['layout', ...path], message })
  })
export type ProfileLayoutDraft = z.infer<typeof draft>

const path = '/originating_profiles/:id/layouts'

export const profileLayoutCalls = {
  list: call({
    name: 'profile_layouts.list',
    method: 'GET',
    path,
    may: 'global_batch.read',
    summary: 'The layout of each format of a bank profile, with all versions of its own ones',
    reply: z.object({
      profile: z.object({ id: z.int(), name: z.string(), client_name: z.string() }),
      profile_layouts: z.array(profileLayout),
    }),
  }),
  save: call({
    name: 'profile_layouts.save',
    method: 'POST',
    path,
    may: 'global_batch.update',
    summary: 'Stores the next version of a layout and puts it in force; without a layout, the ready-made one is in force again',
    body: z.strictObject({ profile_layout: draft }),
    reply: z.object({ success: z.boolean(), message: z.string(), version: z.int().nullable() }),
  }),
}
