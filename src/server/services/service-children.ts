/** Data stored besides a service's own row: its links, its entry fields, its shares, and dependent data. */
import {
  purchasedOnly,
  sharesAreWhole,
  shareRatioError,
  type Service,
  type service,
  type ServiceDraft,
} from '#contract/services/service.ts'
import { sql } from 'kysely'
import { reauditOfServiceIfChanged } from '../bill-audits/bill-audits.ts'
import { refreshFacts } from '../month-facts/month-facts.ts'
import { startEntryFields } from '../estate/estate.ts'
import { childrenAfter, mergeChildren, saveChildren, saveLinks, storeChildren, type ChildTable } from '../kernel/lists/children.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { invalid } from '../kernel/problem.ts'
import { mustReach, type Saving } from '../kernel/lists/resource.ts'
import { ledgerAccounts } from '../ledger-accounts/ledger-accounts.ts'

export const saving: Saving<typeof service.fields> = {
  added: (_context, { audit_settings }) =>
    Promise.resolve(audit_settings === undefined ? {} : { audit_settings: JSON.stringify(audit_settings) }),
  children: saveChildrenOf,
}

async function saveChildrenOf(
  context: Context,
  draft: Partial<ServiceDraft>,
  { id, client_id }: { readonly id: number; readonly client_id: number },
  before: Service | null,
): Promise<void> {
  const { tx } = context
  const parent = { client_id, service_id: id }
  await saveLinks(tx, { table: 'service_usage_factors', parent, column: 'usage_factor_id' }, draft.usage_factor_ids)
  await saveLinks(tx, { table: 'service_entry_fields', parent, column: 'entry_field_id' }, draft.entry_field_ids)
  const own = {
    table: 'additional_entry_fields',
    parent,
    columns: ['name', 'active'],
    field: 'additional_entry_fields_attributes',
    initial: { active: true },
  }
  await saveChildren(tx, own, draft.additional_entry_fields_attributes)
  if (before === null) await startEntryFields(tx, client_id, sql`select ${id}::bigint`)
  await saveShares(context, draft, parent)
  await saveSupplierFactors(context, draft, parent)
  await reauditOfServiceIfChanged(context, client_id, id, draft, before)
  // Dashboards read stored months, which depend on how a service's usage and emissions are counted.
  const counted = ['utility_service_id', 'emissions_factor', 'supply', 'metered'] as const
  if (before && counted.some((key) => draft[key] !== undefined && draft[key] !== before[key])) await refreshFacts(tx, client_id, [id])
}

/** Only purchased energy has a market: other scopes count their own emissions. A year has one factor. */
async function saveSupplierFactors(
  { tx }: Context,
  { supplier_factors_attributes: drafts }: Partial<ServiceDraft>,
  parent: { client_id: number; service_id: number },
): Promise<void> {
  if (drafts === undefined || drafts.length === 0) return
  const field = 'supplier_factors_attributes'
  const child: ChildTable = { table: 'service_supplier_factors', parent, columns: ['year', 'value', 'source'], field }
  const merged = await mergeChildren(tx, child, drafts)
  const years = childrenAfter(merged).map(({ year }) => Number(year))
  const twice = years.find((year, at) => years.indexOf(year) !== at)
  if (twice !== undefined) throw invalid({ [field]: [`There is a supplier factor of ${twice} already`] })
  if (years.length > 0 && !(await isPurchased(tx, parent))) throw invalid({ [field]: [purchasedOnly] })
  await storeChildren(tx, child, merged)
}

async function isPurchased(tx: Tx, { client_id, service_id }: { client_id: number; service_id: number }): Promise<boolean> {
  const { rows } = await sql`select from services join utility_services kind on kind.id = services.utility_service_id
    where services.client_id = ${client_id} and services.id = ${service_id} and kind.emissions_scope = 2`.execute(tx)
  return rows.length > 0
}

async function saveShares(
  context: Context,
  { shared_accounts_attributes: drafts }: Partial<ServiceDraft>,
  parent: { client_id: number; service_id: number },
): Promise<void> {
  if (drafts === undefined || drafts.length === 0) return
  const child: ChildTable = {
    table: 'shared_accounts',
    parent,
    columns: ['ledger_account_id', 'share_ratio'],
    field: 'shared_accounts_attributes',
    initial: { position: 0 },
  }
  const before = (await mergeChildren(context.tx, child, [])).untouched.map((share) => share['ledger_account_id'])
  const named = drafts.flatMap(({ ledger_account_id, _destroy }) =>
    _destroy || ledger_account_id === undefined || before.includes(ledger_account_id) ? [] : [ledger_account_id],
  )
  await mustReach(context, ledgerAccounts, named, 'shared_accounts_attributes', parent.client_id)
  const merged = await mergeChildren(context.tx, child, drafts)
  if (!sharesAreWhole(childrenAfter(merged).map((share) => String(share['share_ratio']))))
    throw invalid({ shared_accounts_attributes: [shareRatioError.message] })
  await storeChildren(context.tx, child, merged)
}
