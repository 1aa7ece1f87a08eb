/** A ledger account of a client, to which charges are booked, with one value for each ledger field of the client. */
import { z } from 'zod'
import { crudCalls, optionsCall } from '../kernel/call.ts'
import { children } from '../kernel/children.ts'
import { boolean, defaulted, derived, entity, list, ref, text, type Draft, type Row, isStorable, unstorable } from '../kernel/entity.ts'
import { ledgerFieldsMax } from './ledger-field.ts'

/** Maximum length of one value. */
export const ledgerValueMax = 255

/** An account's value of a field. Fields without a value are left out. */
export const ledgerAccountField = z.object({ id: z.int(), ledger_field_id: z.int(), ledger_field_name: z.string(), value: z.string() })
export type LedgerAccountField = z.infer<typeof ledgerAccountField>

const valueShape = {
  ledger_field_id: z.int('Ledger Field is required').positive('Ledger Field is required'),
  value: z
    .string({ error: 'Value must be text' })
    .transform((value) => value.trim().normalize('NFC'))
    .refine((value) => value.length <= ledgerValueMax, `Value must have at most ${ledgerValueMax} characters`)
    .refine(isStorable, unstorable('Value')),
}

export const ledgerAccount = entity(
  'ledger_account',
  'ledger_accounts',
  {
    name: text('Name'),
    active: defaulted(boolean('Active'), true),
    ledger_account_fields: derived(list('Ledger Fields', z.array(ledgerAccountField))),
    ledger_account_fields_attributes: children('Ledger Fields', valueShape, ledgerFieldsMax),
    client_id: derived(ref('Client', 'clients')),
  },
  { filter: ['id', 'name', 'active'], sort: ['name', 'active', 'id'], defaultSort: 'name asc' },
)
export type LedgerAccount = Row<typeof ledgerAccount>
export type LedgerAccountDraft = Draft<typeof ledgerAccount>

export const ledgerAccountCalls = {
  ...crudCalls(ledgerAccount, '/clients/:client_id/ledger_accounts', {
    read: 'ledger_account.read',
    create: 'ledger_account.create',
    update: 'ledger_account.update',
    destroy: 'ledger_account.destroy',
  }),
  selectOptions: optionsCall(
    'ledger_accounts',
    '/clients/:client_id/ledger_accounts/select_options',
    'ledger_account.read',
    z.object({ id: z.int(), name: z.string() }),
  ),
}
