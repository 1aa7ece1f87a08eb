/** Ledger accounts of a client, to which charges are booked, with the values of the client's ledger fields. */
import { ledgerAccountImport } from '#contract/ledger/import-ledger.ts'
import { clientKind, type HeadingRecord } from '#contract/kernel/import.ts'
import { ledgerAccount, ledgerAccountCalls, type LedgerAccount, type LedgerAccountDraft } from '#contract/ledger/ledger-account.ts'
import { sql } from 'kysely'
import { ledgerAccountScope } from '../estate/estate.ts'
import { childrenAfter, mergeChildren, storeChildren } from '../kernel/lists/children.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { Asked, ExportedText } from '../kernel/lists/list.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { askedBy, crudHandlers, destroyRow, mustReach, optionsHandler, resource } from '../kernel/lists/resource.ts'
import { ledgerFields } from '../ledger-fields/ledger-fields.ts'
import { ledgerAccountTarget } from './ledger-account-import.ts'

export const ledgerAccounts = resource({
  entity: ledgerAccount,
  table: 'ledger_accounts',
  scope: ledgerAccountScope,
  columns: {
    ledger_account_fields: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', own.id, 'ledger_field_id', own.ledger_field_id, 'ledger_field_name', field.name, 'value', own.value)
          order by field."order", field.id), '[]')
        from ledger_account_fields own join ledger_fields field on field.client_id = own.client_id and field.id = own.ledger_field_id
        where own.client_id = ledger_accounts.client_id and own.ledger_account_id = ledger_accounts.id)`,
    },
  },
  further: valueColumns,
  search: ['name'],
  check: isOneOfItsName,
})

export const ledgerAccountImportTarget = ledgerAccountTarget(ledgerAccounts)

export const ledgerAccountHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(ledgerAccountCalls, ledgerAccounts, { children: saveValues }),
  destroy: handle(ledgerAccountCalls.destroy, async (context, { params }) => {
    await refuseUsed(context, params)
    await destroyRow(context, ledgerAccounts, params.id, askedBy(context, params))
    return { success: true, message: 'Ledger Account deleted' }
  }),
  selectOptions: optionsHandler(ledgerAccountCalls.selectOptions, ledgerAccounts, ['id', 'name']),
})

/** Returns a column for each ledger field of the client, with the heading that its import expects. */
async function valueColumns(tx: Tx, { clientId }: Asked): Promise<ExportedText[]> {
  const { rows } =
    await sql<HeadingRecord>`select id, name from ledger_fields where client_id = ${clientId ?? 0} order by "order", id`.execute(tx)
  return clientKind(ledgerAccountImport, rows).columns.flatMap(({ name, of }) =>
    of === undefined
      ? []
      : [
          {
            header: name,
            sql: sql`(select own.value from ledger_account_fields own where own.client_id = ledger_accounts.client_id
              and own.ledger_account_id = ledger_accounts.id and own.ledger_field_id = ${sql.lit(of)})`,
          },
        ],
  )
}

/** Services and files refer to an account by name, so names are unique, ignoring case. */
async function isOneOfItsName(
  { tx }: Context,
  { name }: Partial<LedgerAccountDraft>,
  before: LedgerAccount | null,
  clientId: number,
): Promise<void> {
  if (name === undefined) return
  const { rows } = await sql`select 1 from ledger_accounts where client_id = ${clientId} and lower(name) = lower(${name})
    and id is distinct from ${before?.id ?? null}::bigint`.execute(tx)
  if (rows.length > 0) throw invalid({ name: [`A ledger account of this client is called ${name} already`] })
}

/** An account has one value per field: a new value replaces the old one, an empty one removes it. */
async function saveValues(
  context: Context,
  { ledger_account_fields_attributes: drafts }: Partial<LedgerAccountDraft>,
  { id, client_id: clientId }: { readonly id: number; readonly client_id: number },
): Promise<void> {
  if (drafts === undefined || drafts.length === 0) return
  const field = 'ledger_account_fields_attributes'
  const child = {
    table: 'ledger_account_fields',
    parent: { client_id: clientId, ledger_account_id: id },
    columns: ['ledger_field_id', 'value'],
    field,
  }
  const stored = (await mergeChildren(context.tx, child, [])).untouched
  const known = new Map(stored.map((row) => [row['ledger_field_id'], row.id]))
  const named = drafts.flatMap(({ ledger_field_id: one, _destroy }) => (_destroy || one === undefined || known.has(one) ? [] : [one]))
  await mustReach(context, ledgerFields, named, field, clientId)
  const meant = drafts.map((draft) => (draft.id === undefined ? { ...draft, id: known.get(draft.ledger_field_id) } : draft))
  const merged = await mergeChildren(
    context.tx,
    child,
    meant.flatMap((draft) => (draft.value !== '' ? [draft] : draft.id === undefined ? [] : [{ id: draft.id, _destroy: true }])),
  )
  const fields = childrenAfter(merged).map((row) => row['ledger_field_id'])
  if (new Set(fields).size !== fields.length) throw invalid({ [field]: ['An account has one value of each ledger field'] })
  await storeChildren(context.tx, child, merged)
}

/** Rejects deleting an account that is booked on: it can be made inactive and is then no longer offered. */
async function refuseUsed({ tx }: Context, { client_id: clientId, id }: { client_id: number; id: number }): Promise<void> {
  const { rows } = await sql<{ services: number; settings: boolean; booked: boolean }>`select
    (select count(*)::int from services where client_id = ${clientId} and (ledger_account_id = ${id}
      or exists (select from shared_accounts share where share.client_id = services.client_id and share.service_id = services.id and share.ledger_account_id = ${id}))) as services,
    exists (select from client_ledger_settings where client_id = ${clientId}
      and ${id} in (prior_balance_ledger_account_id, late_fee_ledger_account_id, payable_ledger_account_id)) as settings,
    exists (select from gl_lines where client_id = ${clientId} and ledger_account_id = ${id}) as booked`.execute(tx)
  const { services = 0, settings = false, booked = false } = rows[0] ?? {}
  const reasons = [
    ...(services > 0 ? [`${services.toLocaleString('en-US')} ${services === 1 ? 'service is' : 'services are'} booked on it`] : []),
    ...(settings ? ['the client’s settings name it'] : []),
    ...(booked ? ['bills have been booked on it'] : []),
  ]
  if (reasons.length > 0) throw refused(`This ledger account cannot be deleted: ${reasons.join(', ')}. Set it to inactive instead.`)
}
