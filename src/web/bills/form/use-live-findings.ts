import { useEffect, useState } from 'react'
import type { BillDetail } from '#contract/bill-detail.ts'
import type { BillEntry } from '#contract/bill-form.ts'
import { whenIdle } from '../../kernel/use-idle.ts'
import type { FormFinding } from './audit-form.ts'
import type { BillValues } from './bill-values.ts'
import { same } from './same.ts'

/** The audits run this long (ms) after the last key, and then when the browser has nothing else to do: typing never waits for them. */
const AUDIT_PAUSE_MS = 200

/** What the audits say of the form as it stood a moment ago. Their rules are loaded once the form stands there. */
export function useLiveFindings(values: BillValues, base: BillValues, entry: BillEntry, stored: BillDetail | null): readonly FormFinding[] {
  const [findings, setFindings] = useState<readonly FormFinding[]>([])
  useEffect(() => {
    let isOver = false
    let giveUp: () => void = () => undefined
    const audit = async () => {
      const [{ auditForm }] = await Promise.all([import('./audit-form.ts'), import('./finding-items.tsx')])
      const found = auditForm(values, base, entry, stored)
      // What is found again is the very same, and nothing that shows it is drawn anew.
      if (!isOver) setFindings((before) => (same(before, found) ? before : found))
    }
    const timer = setTimeout(() => {
      // Without its rules the form goes on as it is: the server audits all the same, and the next key tries again.
      giveUp = whenIdle(() => void audit().catch(() => undefined))
    }, AUDIT_PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      giveUp()
    }
  }, [values, base, entry, stored])
  return findings
}
