/** The findings of a bill, resolved by a single key or by mouse; resolved ones are folded below. */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type FocusEvent, type RefObject } from 'react'
import { authCalls } from '#contract/access/auth.ts'
import { isFlag } from '#contract/bill-audits/flags.ts'
import type { BillDetail, BillFinding } from '#contract/bills/bill-detail.ts'
import { findingReasons } from '#contract/bill-audits/finding-reasons.ts'
import { FindingItem, type PanelMode, useFindingActs } from '../bill-findings/bill-findings.ts'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { useShortcuts } from '../ui/shortcuts.ts'
import styles from './bill-findings.module.css'

export function BillFindings({ bill }: { bill: BillDetail }) {
  const open = bill.findings.filter((finding) => finding.resolved_at === null)
  const settled = bill.findings.filter((finding) => finding.resolved_at !== null)
  const missing = bill.missing_fields.length
  const root = useRef<HTMLElement>(null)
  const desk = useFindingDesk(bill, open, root)
  if (bill.findings.length === 0 && missing === 0) return null
  const item = (finding: BillFinding) => <FindingItem key={finding.id} finding={finding} bill={bill} {...desk.of(finding)} />
  return (
    <section aria-label="Findings" className={styles.section} ref={root} onFocus={desk.onFocus}>
      <h2 className={styles.heading} tabIndex={-1}>
        Findings <span className={styles.quiet}>{openWords(open)}</span>
      </h2>
      {missing > 0 && (
        <p className={styles.draft}>
          This bill is a draft: {missing === 1 ? 'a required field is' : `${missing} required fields are`} empty.
        </p>
      )}
      <ul className={styles.findings}>{open.map(item)}</ul>
      {settled.length > 0 && (
        <details className={styles.settled}>
          <summary>{settled.length === 1 ? '1 settled finding' : `${settled.length} settled findings`}</summary>
          <ul className={styles.findings}>{settled.map(item)}</ul>
        </details>
      )}
    </section>
  )
}

/** Counts flags as lists do, and informational findings separately. */
function openWords(open: readonly BillFinding[]): string {
  const flags = open.filter(isFlag).length
  const notes = open.length - flags
  return [flags === 0 ? 'none open' : `${flags} open`, ...(notes > 0 ? [`${notes} for information`] : [])].join(', ')
}

/** Keeps the finding that the shortcuts apply to, which is the first open one initially, and the open panel. */
function useFindingDesk(bill: BillDetail, open: readonly BillFinding[], root: RefObject<HTMLElement | null>) {
  const mayChange = useCan('bill.update')
  const { data } = useQuery({ ...apiQuery(authCalls.profile, {}), enabled: mayChange })
  const [chosen, choose] = useState<number | null>(null)
  const [panel, setPanel] = useState<{ id: number; mode: PanelMode } | null>(null)
  const [looked, setLooked] = useState<ReadonlyMap<number, boolean>>(new Map())
  const current = open.find(({ id }) => id === chosen) ?? open[0]
  const acts = useFindingActs(bill.client_id, current?.id ?? 0)
  const isOpen = (id: number) => looked.get(id) ?? id === open[0]?.id
  /** A resolved finding disappears from the list, so the focus moves to the next one. */
  const close = (id: number, done: boolean) => {
    const isSettling = panel?.mode === 'resolve'
    setPanel(null)
    const at = open.findIndex((one) => one.id === id)
    const next = done && isSettling ? (open[at + 1] ?? open[at - 1]) : open[at]
    const target = root.current?.querySelector(next === undefined ? 'h2' : `[data-finding="${next.id}"] button`)
    if (target instanceof HTMLElement) target.focus()
  }
  const settle = async (place: number) => {
    const reason = findingReasons[place]?.value
    if (!current || !reason || panel?.id !== current.id || panel.mode !== 'resolve' || acts.attempt.busy) return
    close(current.id, await acts.resolve(reason, ''))
  }
  const keys = (mode: PanelMode) => () => current && setPanel({ id: current.id, mode })
  useShortcuts(
    mayChange && current
      ? [
          { keys: 'r', label: 'Resolve the finding', group: 'Findings', run: keys('resolve') },
          { keys: 'a', label: 'Assign the finding', group: 'Findings', run: keys('assign') },
          { keys: 'c', label: 'Comment on the finding', group: 'Findings', run: keys('comment') },
          ...(panel ? [{ keys: 'escape', label: 'Close', group: 'Findings', whileTyping: true, run: () => close(panel.id, false) }] : []),
          ...(panel?.mode === 'resolve'
            ? findingReasons.map(({ label }, place) => ({
                keys: String(place + 1),
                label,
                group: 'Findings',
                run: () => void settle(place),
              }))
            : []),
        ]
      : [],
  )
  return {
    onFocus: ({ target }: FocusEvent) => {
      const item = target.closest('[data-finding]')
      if (item) choose(Number(item.getAttribute('data-finding')))
    },
    of: ({ id }: BillFinding) => ({
      mayChange,
      userId: data?.user.id,
      isCurrent: mayChange && id === current?.id,
      isOpen: isOpen(id),
      mode: panel?.id === id ? panel.mode : null,
      onToggle: () => setLooked(new Map(looked).set(id, !isOpen(id))),
      onMode: (mode: PanelMode | null, done = false) => {
        if (mode === null) close(id, done)
        else {
          choose(id)
          setPanel({ id, mode })
        }
      },
    }),
  }
}
