import { useEffect, useState } from 'react'
import type { BillDetail } from '#contract/bill-detail.ts'
import type { BillEntry } from '#contract/bill-form.ts'
import { whenIdle } from '../../kernel/use-idle.ts'
import type { BillValues } from './bill-values.ts'
import { auditForm, type FormFinding } from './read-bill.ts'

/** The audits run this long (ms) after the last key, and then when the browser has nothing else to do: typing never waits for them. */
const AUDIT_PAUSE_MS = 200

/** What the audits say of the form as it stood a moment ago. */
export function useLiveFindings(values: BillValues, entry: BillEntry, stored: BillDetail | null): readonly FormFinding[] {
  const [findings, setFindings] = useState<readonly FormFinding[]>([])
  useEffect(() => {
    let giveUp: () => void = () => undefined
    const timer = setTimeout(() => {
      giveUp = whenIdle(() => setFindings(auditForm(values, entry, stored)))
    }, AUDIT_PAUSE_MS)
    return () => {
      clearTimeout(timer)
      giveUp()
    }
  }, [values, entry, stored])
  return findings
}
