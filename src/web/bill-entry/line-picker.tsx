/** Chooses a supply account's line by its bill, or any line by its id. */
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { ServiceBill } from '#contract/bills/service-bill.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { supplyAccountCalls } from '#contract/accounts/supply-account.ts'
import { EntityPicker, optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { NumberField } from '../ui/fields/number-field.tsx'
import { figureText } from '../ui/status.tsx'
import billEntry from './bill-entry.module.css'
import styles from './linked-lines.module.css'
import type { LinkedValues } from './bill-values.ts'
import { useFormPlace } from './form-context.ts'

export function LinePicker({ onAdd, onClose }: { onAdd: (line: LinkedValues) => void; onClose: () => void }) {
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
      <div className={billEntry.grid}>
        <div className={billEntry.wide}>
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
        <div className={billEntry.buttons}>
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
      {bills.data?.previous_bills.length === 0 && <p className={billEntry.quiet}>This supply account has no bill yet.</p>}
      {accountId !== null && bill.data && <BillLineChoices lines={bill.data.bill.service_bills} billId={bill.data.bill.id} onAdd={onAdd} />}
    </div>
  )
}

function BillLineChoices({ lines, billId, onAdd }: { lines: readonly ServiceBill[]; billId: number; onAdd: (line: LinkedValues) => void }) {
  const { linked } = useFormPlace()
  if (lines.length === 0) return <p className={billEntry.quiet}>This bill has no lines.</p>
  return (
    <ul className={cx(styles.plainList, 'num')}>
      {lines.map((line) => {
        const isLinked = linked.some((one) => one.service_bill_id === line.id)
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
