import { useQuery } from '@tanstack/react-query'
import { ledgerField, ledgerFieldCalls, type LedgerField } from '#contract/ledger/ledger-field.ts'
import { EntityForm } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { LedgerTabs } from './ledger-tabs.tsx'

export function NewLedgerField() {
  return <LedgerFieldForm />
}

export function EditLedgerField() {
  const params = { client_id: usePathId('client_id'), id: usePathId('ledger_field_id') }
  const asked = useQuery(apiQuery(ledgerFieldCalls.get, { params }))
  return <RecordGate asked={asked}>{(found) => <LedgerFieldForm row={found.ledger_field} />}</RecordGate>
}

function LedgerFieldForm({ row }: { row?: LedgerField }) {
  const client_id = usePathId('client_id')
  const list = `/clients/${client_id}/ledger_fields`
  return (
    <>
      <LedgerTabs clientId={client_id} record={row?.name ?? 'New'} />
      <EntityForm
        entity={ledgerField}
        row={row}
        {...formCalls(ledgerFieldCalls, 'ledger_field', { client_id })}
        // Ledger accounts show the fields as columns.
        refreshes={['ledger_fields', 'ledger_accounts']}
        backHref={list}
      />
    </>
  )
}
