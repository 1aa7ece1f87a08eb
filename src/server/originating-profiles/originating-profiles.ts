/**
 * Bank profiles: the paying account, and the file formats of its bank. The account number is stored sealed and shown by its last four digits.
 */
import {
  accountNumberPattern,
  chosenFormats,
  originatingProfile,
  originatingProfileCalls,
  ownLayout,
  type OriginatingProfile,
  type OriginatingProfileDraft,
} from '#contract/originating-profiles/originating-profile.ts'
import { profileLayoutCalls } from '#contract/originating-profiles/profile-layout.ts'
import { presetsOf } from '#contract/payment-files/layout-presets.ts'
import { presetNames } from '#contract/payment-files/layout.ts'
import { profileGaps } from '#contract/payment-files/profile-gaps.ts'
import { sql } from 'kysely'
import { handleProven } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import type { Column } from '../kernel/lists/list.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { invalid } from '../kernel/problem.ts'
import { isMasked } from '../kernel/secret.ts'
import {
  answerWrite,
  askedBy,
  createRow,
  crudHandlers,
  destroyRow,
  presented,
  readRow,
  resource,
  updateRow,
  type Saving,
} from '../kernel/lists/resource.ts'
import { newestVersion, readChoices, type StoredChoices } from './own-layouts.ts'
import { listLayouts, saveLayout } from './profile-layouts.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { mayDelete, mustKeepRules, refuseNegative } from './release-rules.ts'

export { ownLayoutsOf, layoutChoicesOf } from './own-layouts.ts'

const layoutColumn = (format: (typeof chosenFormats)[number]): Column => ({
  sql: sql<string>`case when originating_profiles.layouts -> ${sql.lit(format)} ? 'version' then ${sql.lit(ownLayout)}
    else coalesce(originating_profiles.layouts -> ${sql.lit(format)} ->> 'preset', ${sql.lit(presetsOf(format)[0])}) end`,
  isStoredApart: true,
})

export const originatingProfiles = resource({
  entity: originatingProfile,
  table: 'originating_profiles',
  scope: { client: sql.ref('originating_profiles.client_id'), levels: {} },
  joins: { client: sql`left join clients client on client.id = originating_profiles.client_id` },
  columns: {
    client_id: { sql: sql`nullif(originating_profiles.client_id, 0)`, isStoredApart: true },
    client_name: { sql: sql`coalesce(client.name, 'Provider')`, joins: ['client'] },
    standard_layout: layoutColumn('standard'),
    nacha_plus_layout: layoutColumn('nacha_plus'),
    ach_2_layout: layoutColumn('ach_2'),
    ach_bank_layout: layoutColumn('ach_bank'),
    positive_pay_layout: layoutColumn('positive_pay'),
    gaps: { sql: sql`null::json` },
  },
  search: ['client_name', 'name', 'bank_name'],
  check: isSound,
  present: (_, rows) => Promise.resolve(rows.map((row) => ({ ...row, gaps: gapsOf(row) }))),
})

const saving: Saving<(typeof originatingProfile)['fields']> = { added: layoutsOf }

export const originatingProfileHandlers: readonly Handler[] = [
  handle(profileLayoutCalls.list, async (context, { params }) =>
    listLayouts(context, await storedRow(context, originatingProfiles, params.id, askedBy(context, {}))),
  ),
  handleProven(profileLayoutCalls.save, async (context, { params, body }) =>
    saveLayout(context, await storedRow(context, originatingProfiles, params.id, askedBy(context, {}), true), body.profile_layout),
  ),
  ...Object.values({
    ...crudHandlers(originatingProfileCalls, originatingProfiles),
    create: handleProven(originatingProfileCalls.create, async (context, { body }) => {
      const clientId = body.originating_profile.client_id ?? 0
      const row = await createRow(context, originatingProfiles, body.originating_profile, clientId, saving)
      return answerWrite(originatingProfile, 'created', await presented(context, originatingProfiles, row))
    }),
    update: handleProven(originatingProfileCalls.update, async (context, { params, body }) => {
      const row = await updateRow(context, originatingProfiles, params.id, body.originating_profile, askedBy(context, params), saving)
      return answerWrite(originatingProfile, 'updated', await presented(context, originatingProfiles, row))
    }),
    destroy: handleProven(originatingProfileCalls.destroy, async (context, { params }) => {
      mayDelete(context, await readRow(context, originatingProfiles, params.id, askedBy(context, params)))
      await destroyRow(context, originatingProfiles, params.id, askedBy(context, params))
      return { success: true, message: `${originatingProfile.label} deleted` }
    }),
  }),
]

function gapsOf(row: OriginatingProfile) {
  return profileGaps({ ...row, client_id: row.client_id ?? 0 }).map(({ field, sentence }) => ({ field, sentence }))
}

/** The choices are stored in one column, by format; a format with its first layout is left out. */
async function layoutsOf(context: Context, draft: Partial<OriginatingProfileDraft>, before: OriginatingProfile | null) {
  const layouts: StoredChoices =
    before === null ? {} : { ...(await readChoices(context, { client_id: before.client_id ?? 0, id: before.id })) }
  for (const format of chosenFormats) {
    const chosen = draft[`${format}_layout`]
    if (chosen === undefined || chosen === before?.[`${format}_layout`]) continue
    const preset = presetNames.find((name) => name === chosen)
    if (chosen === ownLayout) layouts[format] = await newestOwn(context, before, format)
    else if (preset === undefined || preset === presetsOf(format)[0]) delete layouts[format]
    else layouts[format] = { preset }
  }
  return { layouts }
}

/** Throws 422 if the profile has no layout of its own for the format. */
async function newestOwn(
  context: Context,
  before: OriginatingProfile | null,
  format: (typeof chosenFormats)[number],
): Promise<{ version: number }> {
  const version = before === null ? 0 : await newestVersion(context, { client_id: before.client_id ?? 0, id: before.id }, format)
  if (version === 0)
    throw invalid({ [`${format}_layout`]: ['This profile has no layout of its own for this format. Write it under Layouts first'] })
  return { version }
}

async function isSound(
  context: Context,
  draft: Partial<OriginatingProfileDraft>,
  before: OriginatingProfile | null,
  clientId: number,
): Promise<void> {
  if (before !== null && draft.client_id !== undefined && draft.client_id !== before.client_id)
    throw invalid({ client_id: ['The client of a bank profile stays as it is'] })
  const { account_number: account } = draft
  if (typeof account === 'string' && !isMasked(account) && !accountNumberPattern.test(account))
    throw invalid({ account_number: ['Account Number has 4 to 17 letters, digits and hyphens'] })
  for (const key of ['entry_limit', 'file_limit'] as const) refuseNegative(key, draft[key])
  await mustKeepRules(context, draft, before, clientId)
  await isOnlyDefault(context, draft, before, clientId)
}

/** Gives a readable error for what the unique index guarantees: a payer has one default profile. */
async function isOnlyDefault(
  { tx }: Context,
  draft: Partial<OriginatingProfileDraft>,
  before: OriginatingProfile | null,
  clientId: number,
): Promise<void> {
  const will = { active: draft.active ?? before?.active ?? true, is_default: draft.is_default ?? before?.is_default ?? true }
  if (!will.active || !will.is_default) return
  const { rows } = await sql<{ name: string }>`select name from originating_profiles
    where client_id = ${clientId} and is_default and active and id is distinct from ${before?.id ?? null}::bigint for update`.execute(tx)
  if (rows[0]) throw invalid({ is_default: [`${rows[0].name} is the default already: take that away first`] })
}
