/**
 * Validates the request for an import: rights, chosen statements, changes to them, and the owners of new accounts. Vendors and facilities
 * are created at once, so that an invalid one is refused where it was entered; the task creates accounts, services and bills.
 */
import { facility } from '#contract/clients/facility.ts'
import type { ImportBody } from '#contract/bill-retrieval/bill-retrieval.ts'
import type { ChosenRecord, NewAccounts } from '#contract/bill-retrieval/retrieval-choice.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import type { ListQuery } from '#contract/kernel/query.ts'
import { vendor } from '#contract/vendors/vendor.ts'
import { sql } from 'kysely'
import { facilities } from '../facilities/facilities.ts'
import type { Context } from '../kernel/context.ts'
import { readPage } from '../kernel/lists/list.ts'
import { mayIn } from '../kernel/principal.ts'
import { forbidden } from '../kernel/problem.ts'
import { createRow, mustReach } from '../kernel/lists/resource.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { startTask } from '../kernel/work/task.ts'
import { vendors } from '../vendors/vendors.ts'
import { providerOf } from './choose-provider.ts'
import { chooseStatements, type ChosenId } from './choose-statements.ts'
import { importKind, type ImportInput } from './import-statements.ts'
import type { AccountPlan } from './make-accounts.ts'
import { statementSource } from './statement-source.ts'
import { readKeys, recordOfRow, type ReadStatement } from './read-statement.ts'

/**
 * Starts the import. @returns its task and the number of its statements. Throws 403 if accounts, vendors or facilities may not be created.
 */
export async function startImport(context: Context, clientId: number, body: ImportBody): Promise<{ id: number; count: number }> {
  refuseForbidden(context, clientId, body)
  const fileIds = body.data?.map((record) => record.file_id)
  const chosen = await chooseStatements(
    context,
    clientId,
    { file_ids: fileIds, all_matching: body.all_matching, filter: body.filter },
    'data',
  )
  const input: ImportInput = {
    ids: chosen.map(({ id }) => id),
    changes: await changesOf(context, clientId, chosen, body.data ?? []),
    plans: await plansOf(context, clientId, body.new_accounts ?? []),
    missing_meters: body.missing_meters ?? 'leave',
  }
  const asked = body.connection_id === undefined ? context : { ...context, connectionId: body.connection_id }
  const { id } = await startTask(asked, { kind: importKind, clientId, input: { ...input }, total: input.ids.length })
  return { id, count: input.ids.length }
}

function refuseForbidden(context: Context, clientId: number, body: ImportBody): void {
  const plans = body.new_accounts ?? []
  const asked: [Permission, boolean, string][] = [
    ['billable_account.create', plans.length > 0, 'accounts'],
    ['service.create', plans.length > 0 || body.missing_meters === 'add', 'services'],
    ['facility.create', plans.some((plan) => plan.new_facility !== undefined), 'facilities'],
    ['vendor.create', plans.some((plan) => plan.new_vendor !== undefined), 'vendors'],
  ]
  for (const [permission, isAsked, what] of asked)
    if (isAsked && !mayIn(context.principal, permission, clientId)) throw forbidden(`You may not create ${what}.`)
}

/** Keeps only the differences between record and statement, so that a task stays small and later corrections of ours still apply. */
async function changesOf(
  context: Context,
  clientId: number,
  chosen: readonly ChosenId[],
  records: readonly ChosenRecord[],
): Promise<ImportInput['changes']> {
  const touched = new Map(records.filter((record) => Object.keys(record).length > 1).map((record) => [record.file_id, record]))
  const wanted = chosen.filter(({ file_id }) => touched.has(file_id)).map(({ id }) => id)
  if (wanted.length === 0) return []
  const query: ListQuery = {
    ...checkedQuery(statementSource, {}),
    page: 1,
    per: wanted.length,
    values: wanted,
    withTotal: false,
    withRows: true,
  }
  const { rows } = await readPage<ReadStatement>(context.tx, statementSource, query, { reach: context.reach, clientId }, readKeys)
  return rows.flatMap((row) => {
    const sent = touched.get(row.file_id)
    const listed: Readonly<Record<string, unknown>> = recordOfRow(row)
    if (!sent) return []
    const { file_id, ...rest } = sent
    const changed = Object.entries(rest).filter(
      ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(listed[key] ?? null),
    )
    return changed.length === 0 ? [] : [{ id: row.id, record: { file_id, ...Object.fromEntries(changed) } }]
  })
}

/** Replaces new names by ids. Chosen records must be in the caller's reach. */
async function plansOf(context: Context, clientId: number, wanted: readonly NewAccounts[]): Promise<AccountPlan[]> {
  if (wanted.length === 0) return []
  await mustReach(
    context,
    vendors,
    wanted.flatMap((one) => one.vendor_id ?? []),
    'new_accounts',
    undefined,
  )
  await mustReach(
    context,
    facilities,
    wanted.flatMap((one) => one.facility_id ?? []),
    'new_accounts',
    clientId,
  )
  const { provider } = await providerOf(context.machinery, context.tx, clientId)
  const plans: AccountPlan[] = []
  // One at a time: a new vendor or facility is checked against the preceding ones. There are as many as utilities, not as statements.
  for (const one of wanted) {
    const vendor_id = one.vendor_id ?? (await newVendor(context, one))
    const facility_id = one.facility_id ?? (await newFacility(context, clientId, one, plans, wanted))
    plans.push({ provider_name: one.provider_name, vendor_id, facility_id, ...(one.address === undefined ? {} : { address: one.address }) })
  }
  await sql`insert into retrieval_vendor_map (client_id, provider, provider_name, vendor_id, created_by)
    select ${clientId}::bigint, ${provider.id}::text, plan.provider_name, plan.vendor_id, ${context.principal.user_id}::bigint
    from jsonb_to_recordset(${JSON.stringify([...new Map(plans.map((plan) => [plan.provider_name, plan])).values()])}::jsonb) as plan(provider_name text, vendor_id bigint)
    on conflict (client_id, provider, provider_name) do update set vendor_id = excluded.vendor_id`.execute(context.tx)
  return plans
}

async function newVendor(context: Context, { new_vendor }: NewAccounts): Promise<number> {
  const made = await createRow(context, vendors, vendor.draft.parse(new_vendor), undefined)
  return made.id
}

/** Several utilities of one new building use the same name: it is created once. */
async function newFacility(
  context: Context,
  clientId: number,
  { new_facility }: NewAccounts,
  plans: readonly AccountPlan[],
  wanted: readonly NewAccounts[],
): Promise<number> {
  const same = wanted.findIndex((other) => JSON.stringify(other.new_facility) === JSON.stringify(new_facility))
  const known = plans[same]
  if (known) return known.facility_id
  const made = await createRow(context, facilities, facility.draft.parse(new_facility), clientId)
  return made.id
}
