/** The inputs of one level, the preview of the change on recent bills, and the save button. */
import { useState, type SubmitEvent } from 'react'
import type { TriedSettings } from '#contract/bill-audits/audit-settings.ts'
import { auditSettingsPatch, type AuditSettings, type AuditSettingsPatch } from '#contract/bill-audits/bill-audits.ts'
import type { Result } from '#contract/kernel/call.ts'
import { findingGroups } from '../bill-findings/bill-findings.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { useUnsavedGuard } from '../kernel/forms/use-unsaved-guard.ts'
import { Button } from '../ui/button.tsx'
import { Thresholds, withSetting } from './audit-settings-field.tsx'
import styles from './audit-settings.module.css'
import { TriedWords } from './tried-settings.tsx'

export interface AuditSettingsFormProps {
  readonly about: string
  readonly stored: AuditSettingsPatch
  readonly inherited: AuditSettings
  readonly mayChange: boolean
  /** Returns the effect of these settings without changing anything. */
  readonly attempt: (settings: AuditSettingsPatch) => Promise<TriedSettings>
  readonly save: (settings: AuditSettingsPatch) => Promise<Result>
}

export function AuditSettingsForm({ about, stored, inherited, mayChange, attempt, save }: AuditSettingsFormProps) {
  const [own, setOwn] = useState<Record<string, unknown>>(() => ({ ...stored }))
  const [tried, setTried] = useState<TriedSettings | null>(null)
  const attempts = { try: useAttempt(), save: useAttempt() }
  const checked = auditSettingsPatch.safeParse(own)
  const dirty = JSON.stringify(ordered(own)) !== JSON.stringify(ordered(stored))
  const guard = useUnsavedGuard(dirty, () => setOwn({ ...stored }))
  const act = async (which: 'try' | 'save', work: (settings: AuditSettingsPatch) => Promise<void>) => {
    if (!checked.success) return
    await attempts[which].run(() => work(checked.data))
  }
  const store = () =>
    void act('save', async (settings) => {
      resultNotice(await save(settings))
      guard.release()
      refresh(...findingGroups)
    })
  const tryOut = () => void act('try', async (settings) => setTried(await attempt(settings)))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    store()
  }
  const lack = dirty ? (checked.success ? undefined : 'A value cannot be read') : 'Nothing is changed'
  return (
    <form className={styles.page} aria-label="Thresholds" onSubmit={submit}>
      <h2 className={styles.heading}>Thresholds</h2>
      <p className={styles.note}>{about}</p>
      <Thresholds
        errors={errorsOf(checked.success ? [] : checked.error.issues)}
        disabled={!mayChange}
        own={new Map(Object.entries(own))}
        inherited={inherited}
        set={(key, value) => {
          setTried(null)
          setOwn(withSetting(new Map(Object.entries(own)), key, value))
        }}
      />
      {mayChange && (
        <div className={styles.bar}>
          <div aria-live="polite">{tried && <TriedWords tried={tried} />}</div>
          <FailedAttempt attempt={attempts.try} again={tryOut} what="Not tried" />
          <FailedAttempt attempt={attempts.save} again={store} />
          <Button busy={attempts.try.busy} disabledReason={lack} reasonHidden onClick={tryOut}>
            See what would change
          </Button>
          <Button kind="primary" type="submit" busy={attempts.save.busy} disabledReason={lack} reasonHidden>
            Save
          </Button>
        </div>
      )}
    </form>
  )
}

function ordered(settings: object): [string, unknown][] {
  return Object.entries(settings).toSorted(([one], [other]) => one.localeCompare(other))
}

function errorsOf(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): Record<string, string> {
  return Object.fromEntries(issues.map(({ path, message }) => [`audit_settings.${String(path[0])}`, message]))
}
