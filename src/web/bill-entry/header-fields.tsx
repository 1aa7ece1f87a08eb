/** The head of the bill: its dates and amounts. */
import { lazy } from 'react'
import { BillComputed, BillDate, BillMoney, BillText } from './bill-fields.tsx'
import styles from './bill-entry.module.css'
import { dueByParts, dueOfBill, dueUntil, type BillValues } from './bill-values.ts'
import { Fold } from './fold.tsx'
import { useFormPlace, useFormValues } from './form-context.ts'

const MoreOfBill = lazy(() => import('./more-of-bill.tsx').then((module) => ({ default: module.MoreOfBill })))

export function HeaderFields() {
  const { set, entry } = useFormPlace()
  const values = useFormValues()
  const put = (changes: Partial<BillValues>) => set((before) => ({ ...before, ...changes }))
  // A changed part makes a new sum, even where the old one was typed over (G-AMOUNT-DUE).
  const part = (changes: Partial<BillValues>) => put({ ...changes, amount_due: '' })
  const { last_bill: last } = entry
  return (
    <section aria-label="Bill" className={styles.grid}>
      <BillDate path="date" value={values.date} onChange={(date) => put({ date })} required />
      <BillDate
        path="due_date"
        value={values.due_date}
        onChange={(due_date) => put({ due_date })}
        from={values.date}
        until={dueUntil(values.date)}
        required
      />
      <BillText
        path="invoice_number"
        value={values.invoice_number}
        onChange={(invoice_number) => put({ invoice_number })}
        maxLength={100}
      />
      <BillMoney
        path="balance_forward"
        value={values.balance_forward}
        onChange={(balance_forward) => part({ balance_forward })}
        last={last?.balance_forward}
        required
      />
      <BillMoney
        path="current_charges"
        value={values.current_charges}
        onChange={(current_charges) => part({ current_charges })}
        last={last?.current_charges}
        required
      />
      <BillMoney path="late_fee" value={values.late_fee} onChange={(late_fee) => part({ late_fee })} last={last?.late_fee} />
      <BillComputed
        path="amount_due"
        value={dueOfBill(values)}
        typed={values.amount_due}
        computed={dueByParts(values)}
        onChange={(amount_due) => put({ amount_due })}
        takeBack={() => put({ amount_due: '' })}
        scale={2}
        money
        last={last?.amount_due}
        required
      />
    </section>
  )
}

/** Fields that most bills leave unchanged; folded, so that the way to the lines is short. */
export function FurtherFields({ open }: { open: boolean }) {
  return (
    <Fold open={open} summary="More bill fields" what="fiscal month, next read, previous and group bill, rebill, QC, parked, notes">
      {(opened) => <MoreOfBill opened={opened} />}
    </Fold>
  )
}
