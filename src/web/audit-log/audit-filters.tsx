import { useEffect, useEffectEvent, useState } from 'react'
import { auditItemTypes } from '#contract/audit-log/audit-item-types.ts'
import { auditEvents } from '#contract/audit-log/audit-log.ts'
import { titleCase } from '#contract/kernel/entity.ts'
import { EntityMultiPicker, EntityPicker } from '../kernel/forms/picker.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { auditSources, placeSources } from './audit-sources.ts'
import { placeFilters, type AuditLogState } from './audit-log-state.ts'
import styles from './audit-log.module.css'

/** Pause (ms) in typing after which the list is updated. */
const TYPING_PAUSE_MS = 400

/** The filters of the audit log, in two lines. */
export function AuditFilterFields({ state }: { state: AuditLogState }) {
  const { texts, setFilters } = state
  const clientId = idOf(texts.client_id)
  const withoutPlaces = Object.fromEntries(placeFilters.map((name) => [name, undefined]))
  return (
    <div className={styles.filters} role="group" aria-label="Filters">
      <EntityMultiPicker
        label="Users"
        source={auditSources.users}
        value={idsOf(texts.users)}
        placeholder="Anybody"
        onChange={(ids) => setFilters({ users: ids.join(',') })}
      />
      <DateField label="From" value={texts.from ?? ''} max={texts.to} onChange={(from) => setFilters({ from })} />
      <DateField label="To" value={texts.to ?? ''} min={texts.from} onChange={(to) => setFilters({ to })} />
      <SelectField
        label="Event"
        value={texts.event ?? ''}
        emptyLabel="Any"
        options={auditEvents.map(({ value, label }) => ({ value, label }))}
        onChange={(event) => setFilters({ event })}
      />
      <SelectField
        label="Item Type"
        value={texts.item_type ?? ''}
        emptyLabel="Any"
        options={itemTypes(texts.item_type)}
        onChange={(item_type) => setFilters({ item_type })}
      />
      <EntityPicker
        label="Client"
        source={auditSources.clients}
        value={clientId}
        placeholder="Any"
        onChange={(id) => setFilters({ ...withoutPlaces, client_id: id === null ? '' : String(id) })}
      />
      <PlaceFilters key={clientId} state={state} clientId={clientId} />
      <TypedFilter label="Changed Field" value={texts.key ?? ''} placeholder="such as name" onChange={(key) => setFilters({ key })} />
      <TypedFilter label="Old or New Value" value={texts.value ?? ''} placeholder="contains" onChange={(value) => setFilters({ value })} />
    </div>
  )
}

/** These filters search within the chosen client, so they need one. */
function PlaceFilters({ state: { texts, setFilters }, clientId }: { state: AuditLogState; clientId: number | null }) {
  const [sources] = useState(() => placeSources(clientId ?? 0))
  return (
    <>
      {sources.map(({ name, label, source }) => (
        <EntityPicker
          key={name}
          label={label}
          source={source}
          value={clientId === null ? null : idOf(texts[name])}
          placeholder={clientId === null ? 'Choose a client first' : 'Any'}
          disabled={clientId === null}
          onChange={(id) => setFilters({ [name]: id === null ? '' : String(id) })}
        />
      ))}
    </>
  )
}

/** Returns all record types of versions, and the one in the address. */
function itemTypes(chosen: string | undefined) {
  const all = new Set<string>([...auditItemTypes, ...(chosen === undefined ? [] : [chosen])])
  return [...all].toSorted().map((value) => ({ value, label: titleCase(value) }))
}

interface TypedFilterProps {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly onChange: (value: string) => void
}

/** A text filter that is applied once typing has paused; a change of the address meanwhile wins. */
function TypedFilter({ label, value, placeholder, onChange }: TypedFilterProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const settle = useEffectEvent((text: string) => {
    setTyped(null)
    onChange(text.trim())
  })
  useEffect(() => {
    if (typed === null) return undefined
    const timer = setTimeout(() => settle(typed), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return <TextField label={label} value={typed ?? value} placeholder={placeholder} onChange={setTyped} />
}

function idsOf(text: string | undefined): number[] {
  return (text ?? '')
    .split(',')
    .filter((part) => /^[1-9]\d{0,15}$/.test(part))
    .map(Number)
}

function idOf(text: string | undefined): number | null {
  return idsOf(text)[0] ?? null
}
