import { useQuery } from '@tanstack/react-query'
import { ledgerAccount, ledgerAccountCalls, ledgerValueMax, type LedgerAccount } from '#contract/ledger/ledger-account.ts'
import { childrenOf, textOf, type ChildValues } from '../kernel/forms/child-rows.tsx'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import type { FormValues } from '../kernel/forms/form-values.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { UiLink } from '../ui/link.tsx'
import styles from './ledger.module.css'
import { LedgerTabs } from './ledger-tabs.tsx'
import { useLedgerFields } from './use-ledger-fields.ts'

export function NewLedgerAccount() {
  return <LedgerAccountForm />
}

export function EditLedgerAccount() {
  const params = { client_id: usePathId('client_id'), id: usePathId('ledger_account_id') }
  const asked = useQuery(apiQuery(ledgerAccountCalls.get, { params }))
  return <RecordGate asked={asked}>{(found) => <LedgerAccountForm row={found.ledger_account} />}</RecordGate>
}

const attributes = 'ledger_account_fields_attributes'
const sections: readonly FormSection[] = [{ fields: ['name', 'active'] }, { title: 'Ledger Fields', fields: [attributes] }]
const noValues: FormValues = { [attributes]: [] }

function LedgerAccountForm({ row }: { row?: LedgerAccount }) {
  const client_id = usePathId('client_id')
  const list = `/clients/${client_id}/ledger_accounts`
  return (
    <>
      <LedgerTabs clientId={client_id} record={row?.name ?? 'New'} />
      <EntityForm
        entity={ledgerAccount}
        row={row}
        {...formCalls(ledgerAccountCalls, 'ledger_account', { client_id })}
        sections={sections}
        slots={{ [attributes]: (slot) => <LedgerValues slot={slot} clientId={client_id} /> }}
        start={noValues}
        startOf={valuesOf}
        backHref={list}
      />
    </>
  )
}

function valuesOf({ ledger_account_fields: values }: LedgerAccount): FormValues {
  return { [attributes]: values.map(({ id, ledger_field_id, value }) => ({ id, ledger_field_id, value })) }
}

/** One input per ledger field of the client; an emptied value is removed. */
function LedgerValues({ slot, clientId }: { slot: SlotProps; clientId: number }) {
  const { fields, loading, missing, retry } = useLedgerFields(clientId)
  const values = childrenOf(slot.value)
  if (loading) return null
  if (missing)
    return (
      <p className={styles.note} role="alert" data-wide>
        The ledger fields could not be loaded. <Button onClick={retry}>Try again</Button>
      </p>
    )
  if (fields.length === 0)
    return (
      <p className={styles.note} data-wide>
        This client has no ledger fields yet. <UiLink href={`/clients/${clientId}/ledger_fields`}>Go to its ledger fields</UiLink>
      </p>
    )
  return (
    <div className={styles.values} role="group" aria-label="Ledger Fields" data-wide>
      {fields.map(({ id, name, description }) => {
        const at = values.findIndex((child) => child['ledger_field_id'] === id)
        return (
          <TextField
            key={id}
            label={name}
            hint={description}
            maxLength={ledgerValueMax}
            value={textOf(values[at] ?? {}, 'value')}
            error={slot.errors[`${attributes}.${at}.value`]}
            disabled={slot.disabled}
            onChange={(value) => slot.onChange(withValue(values, id, value))}
          />
        )
      })}
      {slot.error !== undefined && (
        <p role="alert" className={styles.problem}>
          {slot.error}
        </p>
      )}
    </div>
  )
}

function withValue(values: readonly ChildValues[], fieldId: number, value: string): ChildValues[] {
  const isThere = values.some((child) => child['ledger_field_id'] === fieldId)
  if (!isThere) return [...values, { ledger_field_id: fieldId, value }]
  return values.map((child) => (child['ledger_field_id'] === fieldId ? { ...child, value } : child))
}
