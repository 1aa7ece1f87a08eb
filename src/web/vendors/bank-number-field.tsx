import { routingNumberDoubt } from '#contract/vendors/routing-number.ts'
import { vendor, type Vendor } from '#contract/vendors/vendor.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { SecretField } from '../ui/fields/secret-field.tsx'
import type { useFullNumbers } from './use-full-numbers.ts'

export type BankNumberProps = {
  name: 'po_box' | 'payment_identifier'
  slot: SlotProps
  row: Vendor | undefined
  numbers: ReturnType<typeof useFullNumbers>
}

/** One of the two bank numbers: its last four digits, all digits on an audited click, and a warning while a doubtful number is typed. */
export function BankNumberField({ name, slot, row, numbers }: BankNumberProps) {
  const { label } = vendor.fields[name]
  const typed = typeof slot.value === 'string' ? slot.value : undefined
  const stored = row?.[name]?.replace(/^•+/, '')
  const doubt = name === 'po_box' && typed !== undefined && typed.trim() !== '' ? routingNumberDoubt(typed) : null
  return (
    <SecretField
      name={name}
      label={label}
      value={typed}
      onChange={slot.onChange}
      error={slot.error}
      warning={doubt === null ? undefined : `${doubt} It can be saved all the same.`}
      lastFour={stored}
      onReveal={numbers.may ? numbers.show : undefined}
      revealed={numbers.shown?.[name] ?? undefined}
    />
  )
}
