/** Shown above the form of a correction: the corrected bill, whether to replace it or add to it, and the change of each amount. */
import { paidWarning, proposedMode, replaceHeld, type ComparableBill, type ComparedGroup } from '#contract/bills/bill-compare.ts'
import { compareBills } from '#contract/bills/compare-values.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { addMoney } from '#contract/kernel/money.ts'
import { UiLink } from '../ui/link.tsx'
import { ComparedTable } from '../bills/bills.ts'
import styles from './rebill-panel.module.css'
import type { BillValues } from './bill-values.ts'
import { same } from './same.ts'
import { comparableValues, rebillValues, type RebillMode } from './rebill-values.ts'

export interface RebillPanelProps {
  readonly original: BillDetail
  readonly entry: BillEntry
  readonly values: BillValues
  readonly set: (change: (values: BillValues) => BillValues) => void
}

const modes = [
  { value: 'replace', label: 'Replaces it: the old bill becomes void and is kept' },
  { value: 'add', label: 'Adds to it: both count' },
] as const

export function RebillPanel({ original, entry, values, set }: RebillPanelProps) {
  const held = replaceHeld(original)
  const paid = values.rebill_mode === 'replace' ? paidWarning(original) : null
  const now = comparableValues(values, original, entry)
  const usual = proposedMode(original, now)
  const choose = (mode: RebillMode) => set((before) => withMode(before, mode, original, entry))
  return (
    <section className={styles.rebill} aria-label="Correction">
      <fieldset className={styles.choice}>
        <legend>
          Corrects{' '}
          <UiLink href={`/clients/${original.client_id}/bills/${original.id}`} target="_blank">
            bill {original.id} of {formatDate(original.date)}
          </UiLink>
        </legend>
        {modes.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name="rebill_mode"
              checked={values.rebill_mode === value}
              disabled={value === 'replace' && held !== null}
              onChange={() => choose(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {held !== null && <p className={styles.hint}>Replacing is not possible. {held}</p>}
      {paid !== null && <p role="note">{paid}</p>}
      {held === null && values.rebill_mode !== usual && (
        <p className={styles.hint}>
          {usual === 'add'
            ? 'These are other days than the original’s: a correction of that kind usually adds.'
            : 'These are the very days of the original: a correction of that kind usually replaces.'}
        </p>
      )}
      <ComparedTable
        label="What the correction changes"
        groups={changesOf(original, now, values.rebill_mode)}
        onlyDifferent
        left={`Bill ${original.id}`}
        right={values.rebill_mode === 'add' ? 'Both together' : 'This bill'}
      />
    </section>
  )
}

/** Returns only amounts and usage, since the rest is in the form. For an addition, the right side is the sum of both bills. */
function changesOf(original: BillDetail, now: ComparableBill, mode: RebillMode | null): ComparedGroup[] {
  const groups = compareBills(original, now)
  if (mode !== 'add')
    return groups.map((group) => ({ ...group, values: group.values.filter((value) => value.delta !== null || value.key === 'usage') }))
  return groups.map((group) => ({
    ...group,
    values: group.values.flatMap((value) => {
      if (value.kind !== 'money' || value.key === 'amount_paid' || value.right === null) return []
      const both = addMoney(value.left ?? '0.00', value.right)
      return [{ ...value, right: both, differs: value.right !== '0.00', delta: value.right }]
    }),
  }))
}

/** If nothing was typed, restarts the form in the other mode; typed values are kept. */
function withMode(values: BillValues, mode: RebillMode, original: BillDetail, entry: BillEntry): BillValues {
  if (values.rebill_mode === null || values.rebill_mode === mode) return { ...values, rebill_mode: mode }
  const isUntouched = same(values, rebillValues(original, entry, values.rebill_mode))
  return isUntouched ? rebillValues(original, entry, mode) : { ...values, rebill_mode: mode }
}
