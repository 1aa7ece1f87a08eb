/** The thresholds that a record overrides. An empty input shows the inherited value, and only filled ones are stored. */
import { useId, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { auditSettingsCalls } from '#contract/bill-audits/audit-settings.ts'
import { auditCodes, mergeAuditSettings, auditSettingsPatch, type AuditSettings } from '#contract/bill-audits/bill-audits.ts'
import { auditName } from '#contract/bill-audits/rule-names.ts'
import { auditSettingGroups, type SettingWords } from '#contract/bill-audits/setting-words.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { apiQuery } from '../kernel/query.ts'
import { valueText } from '../kernel/value-text.ts'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import styles from './audit-settings.module.css'
import { TrySettings, type TriedOn } from './tried-settings.tsx'

export interface AuditSettingsFieldProps {
  slot: SlotProps
  clientId: number
  /** The overrides of the levels between the client and this record, such as a service's account. */
  between?: unknown
  /** The stored record on whose bills a change is previewed; undefined for a new one. */
  on?: TriedOn | undefined
}

/** A slot of an EntityForm for the field `audit_settings`. */
export function AuditSettingsField({ slot, clientId, between, on }: AuditSettingsFieldProps) {
  const { data } = useQuery(apiQuery(auditSettingsCalls.ofClient, { params: { client_id: clientId } }))
  const [opened, setOpened] = useState(false)
  const own = new Map<string, unknown>(Object.entries(settingsOf(slot.value)))
  const inherited = data && mergeAuditSettings([data.audit_settings, readable(between)])
  const set = (key: string, value: unknown) => slot.onChange(withSetting(own, key, value))
  const hasErrors = Object.keys(slot.errors).some((path) => path.startsWith('audit_settings.'))
  const isOpen = opened || hasErrors
  return (
    <details className={styles.details} data-wide="" open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        Thresholds
        <span className={styles.count}>{own.size === 0 ? 'all as for the client' : `${own.size} set here`}</span>
      </summary>
      {/* Fifty inputs that most users never open are rendered only when opened. */}
      {isOpen && <Thresholds errors={slot.errors} disabled={slot.disabled} own={own} inherited={inherited} set={set} />}
      {isOpen && on && <TrySettings clientId={clientId} on={on} settings={slot.value} auditsOff={slot.values['audits_off']} />}
    </details>
  )
}

/** Returns the settings with this one changed, in a fixed order, so that equal settings have equal texts whatever was typed first. */
export function withSetting(own: ReadonlyMap<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  const others = [...own].filter(([name]) => name !== key)
  const all = value === undefined ? others : [...others, [key, value] as const]
  return Object.fromEntries(all.toSorted(([one], [other]) => one.localeCompare(other)))
}

interface ThresholdsProps {
  /** Errors by `audit_settings.` and the setting's name. */
  errors: Readonly<Record<string, string | undefined>>
  disabled: boolean
  own: ReadonlyMap<string, unknown>
  inherited: AuditSettings | undefined
  set: (key: string, value: unknown) => void
}

/** One input per threshold, empty where the level does not override it. */
export function Thresholds({ errors, disabled, own, inherited, set }: ThresholdsProps) {
  return (
    <>
      <p className={styles.note}>An empty box keeps the value that is shown in it.</p>
      {auditSettingGroups.map(({ title, settings }) => (
        <fieldset key={title} className={styles.group}>
          <legend>{title}</legend>
          {settings.map((words) => (
            <Threshold
              key={words.key}
              words={words}
              value={own.get(words.key)}
              inherited={inherited}
              error={errors[`audit_settings.${words.key}`]}
              disabled={disabled}
              onChange={(value) => set(words.key, value)}
            />
          ))}
        </fieldset>
      ))}
      <DisabledAudits
        value={own.get('disabled_codes')}
        inherited={inherited}
        disabled={disabled}
        onChange={(codes) => set('disabled_codes', codes)}
      />
    </>
  )
}

interface ThresholdProps {
  words: SettingWords
  value: unknown
  inherited: AuditSettings | undefined
  error: string | undefined
  disabled: boolean
  onChange: (value: unknown) => void
}

function Threshold({ words: { key, label, unit }, value, inherited, error, disabled, onChange }: ThresholdProps) {
  return (
    <TextField
      label={label}
      aside={value === undefined ? unit : [unit, 'set here'].filter(Boolean).join(' · ')}
      name={`audit_settings.${key}`}
      value={valueText(value)}
      placeholder={inherited ? valueText(inherited[key]) || 'none' : '…'}
      error={error}
      disabled={disabled}
      onChange={(typed) => onChange(valueOf(key, typed))}
    />
  )
}

/** Converts typed text to the setting's type: a number for a count, text with its decimals for an amount. */
function valueOf(key: SettingWords['key'], typed: string): unknown {
  const text = typed.trim()
  if (text === '') return undefined
  const asNumber = /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (auditSettingsPatch.safeParse({ [key]: asNumber }).success) return asNumber
  return /^\d+$/.test(text) && auditSettingsPatch.safeParse({ [key]: `${text}.00` }).success ? `${text}.00` : text
}

interface DisabledAuditsProps {
  value: unknown
  inherited: AuditSettings | undefined
  disabled: boolean
  onChange: (codes: string[] | undefined) => void
}

/** Audits that are switched off. A change here replaces the choice of the level above. */
function DisabledAudits({ value, inherited, disabled, onChange }: DisabledAuditsProps) {
  const id = useId()
  const own = Array.isArray(value) ? value.map(String) : undefined
  const off = own ?? inherited?.disabled_codes ?? []
  const toggle = (code: string, runs: boolean) => {
    const next = runs ? off.filter((one) => one !== code) : [...off, code].toSorted()
    onChange(sameCodes(next, inherited?.disabled_codes ?? []) ? undefined : next)
  }
  return (
    <div role="group" aria-labelledby={id} className={styles.group}>
      <span id={id} className={styles.title}>
        Audits that run
      </span>
      {auditCodes.map((code) => (
        <CheckboxField
          key={code}
          label={auditName(code)}
          checked={!off.includes(code)}
          disabled={disabled}
          onChange={(runs) => toggle(code, runs)}
        />
      ))}
    </div>
  )
}

function sameCodes(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((code) => other.includes(code))
}

function settingsOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

function readable(value: unknown) {
  const settings = auditSettingsPatch.safeParse(value ?? {})
  return settings.success ? settings.data : {}
}
