/** The effect of other thresholds on recent bills in words, and the button of an account or a service that requests it. */
import { useState } from 'react'
import { auditName } from '#contract/bill-audits/rule-names.ts'
import { auditSettingsCalls, type TriedSettings as Tried } from '#contract/bill-audits/audit-settings.ts'
import { auditSettingsPatch } from '#contract/bill-audits/bill-audits.ts'
import type { AccountType } from '#contract/bills/bill.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice } from '../kernel/notices/notices.ts'
import { Button } from '../ui/button.tsx'
import styles from './audit-settings.module.css'

/** The account or service whose bills are sampled. */
export type TriedOn = { readonly account_type: AccountType; readonly account_id: number } | { readonly service_id: number }

interface TrySettingsProps {
  clientId: number
  on: TriedOn
  settings: unknown
  auditsOff: unknown
}

export function TrySettings({ clientId, on, settings, auditsOff }: TrySettingsProps) {
  const [answer, setAnswer] = useState<{ of: string; tried: Tried } | null>(null)
  const [busy, setBusy] = useState(false)
  const asked = { audit_settings: settings ?? {}, audits_off: auditsOff === true }
  const of = JSON.stringify(asked)
  const checked = auditSettingsPatch.safeParse(asked.audit_settings)
  const ask = async () => {
    if (!checked.success) return
    setBusy(true)
    try {
      const body = { ...on, audit_settings: checked.data, audits_off: asked.audits_off }
      setAnswer({ of, tried: await callApi(auditSettingsCalls.tryOfClient, { params: { client_id: clientId }, body }) })
    } catch (error) {
      problemNotice(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.try}>
      <Button small busy={busy} disabledReason={checked.success ? undefined : 'A value cannot be read'} onClick={() => void ask()}>
        See what would change
      </Button>
      {/* An answer to earlier settings is not shown. */}
      <span aria-live="polite">{answer?.of === of && <TriedWords tried={answer.tried} />}</span>
    </div>
  )
}

export function TriedWords({ tried }: { tried: Tried }) {
  const { accounts, bills, raised, gone, rules, is_sample } = tried
  const where = is_sample
    ? `the ${figure(accounts)} accounts billed last`
    : `${figure(accounts)} ${accounts === 1 ? 'account' : 'accounts'}`
  return (
    <>
      <strong>
        {raised + gone === 0 ? 'No finding would come or go' : `${figure(raised)} findings would come, ${figure(gone)} would go`}
      </strong>
      <span className={styles.tried}>
        {` on ${figure(bills)} bills of ${where}`}
        {rules.length > 0 && `: ${rules.map((rule) => `${auditName(rule.code)} +${figure(rule.raised)} −${figure(rule.gone)}`).join(', ')}`}
      </span>
    </>
  )
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}
