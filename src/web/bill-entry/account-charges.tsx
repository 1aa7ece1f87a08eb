/** Charges that belong to the account as a whole and not to a meter. */
import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { linesDifference } from '#contract/bill-figures/bill-totals.ts'
import { parseMoney, wireOf } from '#contract/kernel/money.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { figureText } from '../ui/status.tsx'
import { BillMoney, BillText } from './bill-fields.tsx'
import styles from './account-charges.module.css'
import type { ChargeValues } from './bill-values.ts'
import { useFormPlace, useFormValues } from './form-context.ts'
import { typedCharges } from './typed-charges.ts'

export function AccountCharges() {
  const { set, locks } = useFormPlace()
  const values = useFormValues()
  const list = useRef<HTMLDivElement>(null)
  const added = useRef(false)
  const count = values.charges.length
  useEffect(() => {
    if (!added.current) return
    added.current = false
    list.current?.querySelectorAll<HTMLElement>('[data-charge]')[count - 1]?.querySelector('input')?.focus()
  }, [count])
  const put = (key: string, changes: Partial<ChargeValues>) =>
    set((before) => ({ ...before, charges: before.charges.map((one) => (one.key === key ? { ...one, ...changes } : one)) }))
  const remove = (key: string) => set((before) => ({ ...before, charges: before.charges.filter((one) => one.key !== key) }))
  const add = () => {
    added.current = true
    set((before) => ({ ...before, charges: [...before.charges, { key: `x${crypto.randomUUID()}`, id: null, name: '', amount: '' }] }))
  }
  const locked = locks('charges') !== null
  return (
    <section aria-label="Account charges" ref={list} className={styles.charges} data-filled={count > 0 ? '' : undefined}>
      {values.charges.map((charge) => (
        <div key={charge.key} className={styles.charge} data-charge={charge.key}>
          <BillText
            path={`charges.${charge.key}.name`}
            value={charge.name}
            onChange={(name) => put(charge.key, { name })}
            maxLength={500}
            required
          />
          <BillMoney
            path={`charges.${charge.key}.amount`}
            value={charge.amount}
            onChange={(amount) => put(charge.key, { amount })}
            required
          />
          {!locked && (
            <IconButton
              tabIndex={-1}
              label={`Remove account charge ${charge.name}`}
              icon={<X size={14} aria-hidden="true" />}
              onClick={() => remove(charge.key)}
            />
          )}
        </div>
      ))}
      <div className={styles.tools}>
        {!locked && (
          <Button small kind="quiet" onClick={add}>
            <Plus size={14} aria-hidden="true" />
            Add account charge
          </Button>
        )}
      </div>
    </section>
  )
}

/** Shows whether lines and account charges add up to the current charges of the head. */
export function ChargesBalance() {
  const values = useFormValues()
  if (parseMoney(values.current_charges) === null) return null
  const difference = wireOf(linesDifference(typedCharges(values)))
  return (
    <output className={cx(styles.balance, 'num')} aria-label="Lines against current charges">
      {difference === '0.00'
        ? 'Lines and charges add up'
        : `Lines and charges are ${figureText(difference.replace('-', ''), 2, true)} ${difference.startsWith('-') ? 'below' : 'above'} the current charges`}
    </output>
  )
}
