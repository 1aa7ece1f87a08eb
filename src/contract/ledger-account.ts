/** A ledger account of a client: what charges are booked to. */
import { z } from 'zod'
import { optionsCall } from './kernel/call.ts'
import { boolean, defaulted, derived, entity, ref, text, type Row } from './kernel/entity.ts'

export const ledgerAccount = entity(
  'ledger_account',
  'ledger_accounts',
  { name: text('Name'), active: defaulted(boolean('Active'), true), client_id: derived(ref('Client', 'clients')) },
  { filter: ['id', 'name', 'active'], sort: ['name', 'active', 'id'], defaultSort: 'name asc' },
)
export type LedgerAccount = Row<typeof ledgerAccount>

export const ledgerAccountCalls = {
  selectOptions: optionsCall(
    'ledger_accounts',
    '/clients/:client_id/ledger_accounts/select_options',
    'ledger_account.read',
    z.object({ id: z.int(), name: z.string() }),
  ),
}
