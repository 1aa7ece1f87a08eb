/** Lines of supply accounts' bills that are shown inside this bill (G-LINKED-BILLS): named by their id, or picked from an account's bills. */
import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { billDetailCalls, type ServiceBill } from '#contract/bill-detail.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { supplyAccountCalls } from '#contract/supply-account.ts'
import { EntityPicker, optionsOf } from '../../kernel/picker.tsx'
import { apiQuery } from '../../kernel/query.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { SelectField } from '../../ui/fields/choice-fields.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Figure, figureText } from '../../ui/status.tsx'
import styles from './bill-form.module.css'
import type { LinkedValues } from './bill-values.ts'
import { besideThePath } from './field-steps.ts'
import { useFormPlace } from './form-context.ts'

export function LinkedLines() {
  const { entry, values, set, locks, errors } = useFormPlace()
  const [adding, setAdding] = useState(false)
  const section = useRef<HTMLElement>(null)
  if (entry.account_type === 'SupplyAccount') return null
  const locked = locks('linked') !== null
  const add = (line: LinkedValues) =>
    set((before) => ({ ...before, linked: [...before.linked.filter((one) => one.service_bill_id !== line.service_bill_id), line] }))
  const remove = (id: number) => set((before) => ({ ...before, linked: before.linked.filter((one) => one.service_bill_id !== id) }))
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Linked supply lines"
      className={styles.linked}
      data-filled={adding || values.linked.length > 0 ? '' : undefined}
      {...besideThePath}
    >
      {values.linked.map((line) => (
        <LinkedLine key={line.service_bill_id} line={line} onRemove={locked ? undefined : () => remove(line.service_bill_id)} />
      ))}
      {errors['linked_service_bill_ids'] && (
        <p role="alert" className={styles.problem}>
          {errors['linked_service_bill_ids']}
        </p>
      )}
      {!locked && !adding && (
        <Button small kind="quiet" onClick={() => setAdding(true)}>
          Link supply lines
        </Button>
      )}
      {adding && (
        <LinePicker
          onAdd={add}
          onClose={() => {
            setAdding(false)
            section.current?.focus()
          }}
        />
      )}
    </section>
  )
}

/** What the id names; an unknown one says so in the specification's word (BILL-MSG-002). */
function LinkedLine({ line, onRemove }: { line: LinkedValues; onRemove: (() => void) | undefined }) {
  const { entry } = useFormPlace()
  const params = { client_id: entry.client_id, id: line.service_bill_id }
  const { data, error } = useQuery(apiQuery(billDetailCalls.serviceBill, { params }))
  const found = data?.service_bill
  return (
    <div className={styles.linkedLine}>
      {found && (
        <span>
          Supply line of {found.account_number}
          {found.vendor_name ? `, ${found.vendor_name}` : ''}, bill of {formatDate(found.date)}:{' '}
          {found.service_utility_service_name ?? 'Service'} {found.service_meter_number},{' '}
          {found.usage === null ? 'no usage' : `${figureText(found.usage)} ${found.unit_symbol ?? ''}`},{' '}
          <Figure value={found.charge} places={2} currency />
        </span>
      )}
      {!found && error && (
        <span role="alert" className={styles.problem}>
          <strong>ERROR</strong> <span className={styles.quiet}>There is no supply line {line.service_bill_id}.</span>
        </span>
      )}
      {!found && !error && <Skeleton width={240} />}
      {onRemove && (
        <IconButton small label={`Unlink line ${line.service_bill_id}`} icon={<X size={14} aria-hidden="true" />} onClick={onRemove} />
      )}
    </div>
  )
}

function LinePicker({ onAdd, onClose }: { onAdd: (line: LinkedValues) => void; onClose: () => void }) {
  const { entry } = useFormPlace()
  const params = { client_id: entry.client_id }
  const [accountId, setAccountId] = useState<number | null>(null)
  const [billId, setBillId] = useState('')
  const [id, setId] = useState('')
  const bills = useQuery({
    ...apiQuery(billDetailCalls.previousOfSupply, { params: { ...params, id: accountId ?? 0 }, query: {} }),
    enabled: accountId !== null,
  })
  const chosen = billId || String(bills.data?.previous_bills[0]?.id ?? '')
  const bill = useQuery({
    ...apiQuery(billDetailCalls.get, { params: { ...params, id: Number(chosen) } }),
    enabled: chosen !== '' && accountId !== null,
  })
  const source = optionsOf('supply_accounts', supplyAccountCalls.selectOptions, params, {
    label: (option) => `${option.account_number} ${option.name}`,
    hint: (option) => option.vendor_name ?? undefined,
  })
  return (
    <div className={styles.picker} role="group" aria-label="Choose supply lines">
      <div className={styles.grid}>
        <div className={styles.wide}>
          <EntityPicker
            label="Supply account"
            source={source}
            value={accountId}
            debounceMs={250}
            onChange={(next) => {
              setAccountId(next)
              setBillId('')
            }}
          />
        </div>
        {bills.data && bills.data.previous_bills.length > 0 && (
          <SelectField
            label="Bill"
            value={chosen}
            options={bills.data.previous_bills.map((one) => ({
              value: String(one.id),
              label: `${formatDate(one.date)} · ${figureText(one.amount_due, 2, true)}`,
            }))}
            onChange={setBillId}
          />
        )}
        <NumberField label="Or the line’s id" value={id} onChange={setId} />
        <div className={styles.buttons}>
          <Button
            small
            disabled={!/^[1-9]\d{0,14}$/.test(id)}
            onClick={() => {
              onAdd({ service_bill_id: Number(id), supply_bill_id: null })
              setId('')
            }}
          >
            Link this id
          </Button>
          <Button small kind="quiet" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
      {bills.data?.previous_bills.length === 0 && <p className={styles.quiet}>This supply account has no bill yet.</p>}
      {accountId !== null && bill.data && <BillLineChoices lines={bill.data.bill.service_bills} billId={bill.data.bill.id} onAdd={onAdd} />}
    </div>
  )
}

function BillLineChoices({ lines, billId, onAdd }: { lines: readonly ServiceBill[]; billId: number; onAdd: (line: LinkedValues) => void }) {
  const { values } = useFormPlace()
  if (lines.length === 0) return <p className={styles.quiet}>This bill has no lines.</p>
  return (
    <ul className={cx(styles.plainList, 'num')}>
      {lines.map((line) => {
        const isLinked = values.linked.some((one) => one.service_bill_id === line.id)
        const name = `${line.service_utility_service_name ?? 'Service'} ${line.service_meter_number}`
        return (
          <li key={line.id}>
            <Button
              small
              disabledReason={isLinked ? 'Linked already' : undefined}
              onClick={() => onAdd({ service_bill_id: line.id, supply_bill_id: billId })}
            >
              Link {name}
            </Button>{' '}
            {line.usage === null ? 'no usage' : `${figureText(line.usage)} ${line.unit_symbol ?? ''}`}, {figureText(line.charge, 2, true)}
          </li>
        )
      })}
    </ul>
  )
}
