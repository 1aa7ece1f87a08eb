/** Ledger fields of a client: the parts of its account string, each a column of its ledger accounts. */
import { ledgerField, ledgerFieldCalls, ledgerFieldsMax, type LedgerField, type LedgerFieldDraft } from '#contract/ledger/ledger-field.ts'
import { sql } from 'kysely'
import { ledgerFieldScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { askedBy, crudHandlers, destroyRow, listAnswer, optionsHandler, resource } from '../kernel/lists/resource.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { ledgerFieldTarget } from './ledger-field-import.ts'

export const ledgerFields = resource({
  entity: ledgerField,
  table: 'ledger_fields',
  scope: ledgerFieldScope,
  search: ['name', 'description'],
  check: checkField,
})

export const ledgerFieldImportTarget = ledgerFieldTarget(ledgerFields)

export const ledgerFieldHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(ledgerFieldCalls, ledgerFields),
  list: handle(ledgerFieldCalls.list, async (context, { params, query }) => ({
    success: true,
    message: 'Ledger Fields',
    ...(await listAnswer(context, ledgerFields, query, askedBy(context, params))),
  })),
  destroy: handle(ledgerFieldCalls.destroy, async (context, { params }) => {
    await refuseUsed(context, params)
    await destroyRow(context, ledgerFields, params.id, askedBy(context, params))
    return { success: true, message: 'Ledger Field deleted' }
  }),
  selectOptions: optionsHandler(ledgerFieldCalls.selectOptions, ledgerFields, ['id', 'name']),
})

/** Files use the names as column headings, so names are unique, ignoring case. */
async function checkField(
  { tx }: Context,
  { name }: Partial<LedgerFieldDraft>,
  before: LedgerField | null,
  clientId: number,
): Promise<void> {
  if (name === undefined) return
  const { rows } = await sql<{
    taken: boolean
    fields: number
  }>`select coalesce(bool_or(lower(name) = lower(${name}) and id is distinct from ${before?.id ?? null}::bigint), false) as taken,
    count(*)::int as fields from ledger_fields where client_id = ${clientId}`.execute(tx)
  if (rows[0]?.taken) throw invalid({ name: [`A ledger field of this client is called ${name} already`] })
  if (before === null && (rows[0]?.fields ?? 0) >= ledgerFieldsMax)
    throw invalid({ name: [`A client has at most ${ledgerFieldsMax} ledger fields`] })
}

/** Rejects deleting a field with values: they would be lost, and nobody could restore them. */
async function refuseUsed({ tx }: Context, { client_id: clientId, id }: { client_id: number; id: number }): Promise<void> {
  const { rows } = await sql<{ accounts: number; first: string | null }>`select count(*)::int as accounts, min(account.name) as first
    from ledger_account_fields own join ledger_accounts account on account.client_id = own.client_id and account.id = own.ledger_account_id
    where own.client_id = ${clientId} and own.ledger_field_id = ${id}`.execute(tx)
  const { accounts = 0, first } = rows[0] ?? { first: null }
  if (accounts === 0) return refuseWritten(tx, clientId, id)
  const others = accounts > 1 ? ` and ${(accounts - 1).toLocaleString('en-US')} more` : ''
  throw refused(`Ledger accounts have values of this field: ${first}${others}. Empty them first.`)
}

/** Rejects deleting a field that frozen lines or export profiles name: the files of closed months would lose its column. */
async function refuseWritten(tx: Tx, clientId: number, id: number): Promise<void> {
  const { rows } = await sql<{ profile: string | null; booked: boolean }>`select
    (select min(name) from export_profiles where client_id = ${clientId}
      and layout -> 'columns' @> ${JSON.stringify([{ source: 'ledger_field', field_id: id }])}::jsonb) as profile,
    exists (select 1 from gl_lines where client_id = ${clientId} and ledger_values @> ${JSON.stringify([{ id }])}::jsonb) as booked`.execute(
    tx,
  )
  const { profile = null, booked = false } = rows[0] ?? {}
  if (profile !== null) throw refused(`The export profile ${profile} has a column of this field. Take the column out first.`)
  if (booked) throw refused('Bills of closed client batches have been booked with values of this field, so it is kept.')
}
