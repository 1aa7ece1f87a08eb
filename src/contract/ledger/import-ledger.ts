/** The imports of a client's ledger fields and accounts. */
import { column, importKind } from '../kernel/import.ts'
import { ledgerAccount } from './ledger-account.ts'
import { ledgerField, ledgerFieldsMax } from './ledger-field.ts'

export const ledgerFieldImport = importKind({
  name: 'ledger_field',
  label: 'Ledger Field',
  labels: 'Ledger Fields',
  key: ['name'],
  passedOver: ['id', 'client'],
  columns: [
    column('name', ledgerField.fields.name, { meaning: 'The name of the field.', examples: ['Cost Center', 'Account'] }),
    column('description', ledgerField.fields.description, {
      meaning: 'What it is for.',
      examples: ['Who bears the cost', 'The account of the books'],
    }),
    column('order', ledgerField.fields.order, { meaning: 'Its place among the fields.', examples: ['1', '2'] }),
  ],
})

export const ledgerAccountImport = importKind({
  name: 'ledger_account',
  label: 'Ledger Account',
  labels: 'Ledger Accounts',
  key: ['name'],
  passedOver: ['id', 'client'],
  clientColumns: { of: 'ledger_fields', key: 'ledger_account_fields', label: 'Ledger Field', max: ledgerFieldsMax },
  notes: ['One more column for each ledger field of the client, headed by the name of the field.'],
  columns: [
    column('name', ledgerAccount.fields.name, { meaning: 'The name of the ledger account.', examples: ['6100 Electricity', '6110 Gas'] }),
    column('active', ledgerAccount.fields.active, { meaning: 'Whether it can be booked on.', examples: ['Y', 'Y'] }),
  ],
})
