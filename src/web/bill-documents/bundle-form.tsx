import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { authCalls } from '#contract/access/auth.ts'
import { assignableTypes, billDocument, type BillDocument } from '#contract/bill-documents/bill-document.ts'
import { billDocumentCalls } from '#contract/bill-documents/bill-document-calls.ts'
import { divisionCalls } from '#contract/clients/division.ts'
import { BillTabs } from '../bill-tabs/bill-tabs.tsx'
import { callWith } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { EntityForm, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { EntityPicker, LONG_LOOKUP, optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { BundleFilterFields } from './bundle-filter-fields.tsx'
import { useRequestErrors } from './use-request-errors.ts'

export function NewBundle() {
  return <BundleForm />
}

export function EditBundle() {
  const params = { client_id: usePathId('client_id'), id: usePathId('bill_document_id') }
  const asked = useQuery(apiQuery(billDocumentCalls.get, { params }))
  useRequestErrors()
  return <RecordGate asked={asked}>{(found) => <BundleForm row={found.bill_document} />}</RecordGate>
}

const sections = [
  { fields: ['name'], columns: 1 },
  { title: 'Assigned to', fields: ['assignable_type', 'assignable_id'] },
  { title: 'Bills in the bundle', fields: ['form_data'] },
] as const

function BundleForm({ row }: { row?: BillDocument }) {
  const client_id = usePathId('client_id')
  const list = `/clients/${client_id}/bills/bill_document_repository`
  const { create, update, get } = billDocumentCalls
  const withWindow = (body: object) => ({ ...body, connection_id: connectionId })
  return (
    <>
      <BillTabs clientId={client_id} />
      <EntityForm
        entity={billDocument}
        row={row}
        params={{ client_id }}
        create={(body, intent) => callWith(create, { params: { client_id }, body: create.schemas.body.parse(withWindow(body)), intent })}
        update={(id, body) => callWith(update, { params: { client_id, id }, body: update.schemas.body.parse(withWindow(body)) })}
        load={async (id) => (await callWith(get, { params: { client_id, id } })).bill_document}
        sections={sections}
        slots={{
          assignable_type: (slot) => <AssigneeType {...slot} clientId={client_id} row={row} />,
          assignable_id: (slot) => <Assignee {...slot} clientId={client_id} row={row} />,
          form_data: (slot) => <BundleFilterFields {...slot} clientId={client_id} />,
        }}
        submitLabel={row ? 'Save and make the file again' : 'Save and make the file'}
        backHref={list}
      />
    </>
  )
}

type AssigneeProps = SlotProps & { clientId: number; row: BillDocument | undefined }

/** The client and the user are one record each, so choosing the type chooses them; there are many divisions to choose from. */
function AssigneeType({ value, error, disabled, setValues, clientId }: AssigneeProps) {
  const { data } = useQuery(apiQuery(authCalls.profile, {}))
  const only = new Map<string, number | null>([
    ['Client', clientId],
    ['User', data?.user.id ?? null],
  ])
  return (
    <SelectField
      label="Assignee Type"
      name="assignable_type"
      required
      value={typeof value === 'string' ? value : ''}
      onChange={(type) => setValues({ assignable_type: type === '' ? null : type, assignable_id: only.get(type) ?? null })}
      options={assignableTypes}
      emptyLabel=""
      error={error}
      disabled={disabled || data === undefined}
    />
  )
}

function Assignee({ value, onChange, error, disabled, values, clientId, row }: AssigneeProps) {
  const source = useMemo(
    () => optionsOf('divisions', divisionCalls.selectOptions, { client_id: clientId }, { per: LONG_LOOKUP }),
    [clientId],
  )
  const type = values['assignable_type']
  const common = { label: 'Assignee', name: 'assignable_id', required: true, error }
  if (type === 'Division')
    return (
      <EntityPicker {...common} source={source} value={typeof value === 'number' ? value : null} onChange={onChange} disabled={disabled} />
    )
  const known = row?.assignable_type === type && row?.assignable_id === value ? row?.assignable_name : null
  const words = type === 'Client' ? (known ?? 'This client') : type === 'User' ? 'Me' : ''
  return <TextField {...common} value={words} onChange={() => undefined} disabled hint={type ? undefined : 'Choose the type first'} />
}
