/** Finds the account of a bill by number, name, alias, street, meter or vendor, among billable and supply accounts. */
import { useEffect, useRef } from 'react'
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import type { AccountType } from '#contract/bills/bill.ts'
import { supplyAccountCalls } from '#contract/accounts/supply-account.ts'
import { callApi } from '../kernel/api.ts'
import { useGo } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { WITHIN_CLIENT } from '../kernel/forms/picker.tsx'
import { ComboboxField } from '../ui/combobox/combobox-field.tsx'
import type { OptionQuery, PickerOption } from '../ui/combobox/option-types.ts'
import type { AccountSearchProps, ChosenAccount } from './chosen-account.ts'

/** Short, because people who enter one bill after the other should not wait a second for each account. */
const PAUSE_MS = 200
const PER_KIND = 10

export function AccountSearch({ clientId, chosen, onChoose, autoFocus }: AccountSearchProps) {
  const [billable, supply] = [useCan('billable_account.read'), useCan('supply_account.read')]
  const makes = useCan('billable_account.create')
  const go = useGo()
  const box = useRef<HTMLDivElement>(null)
  // The input's code may load after the page, so the focus is set when this component mounts.
  useEffect(() => {
    if (autoFocus) box.current?.querySelector('input')?.focus()
  }, [autoFocus])
  const params = { client_id: clientId }
  const search = async ({ term, page }: OptionQuery, signal: AbortSignal) => {
    const query = { search_term: term, page, per: PER_KIND }
    const [ofUtilities, ofSuppliers] = await Promise.all([
      billable ? callApi(billableAccountCalls.clientSearch, { params, query, signal }) : undefined,
      supply ? callApi(supplyAccountCalls.clientSearch, { params, query, signal }) : undefined,
    ])
    const options = [
      ...(ofUtilities?.billable_accounts ?? []).map((account) => optionOf('BillableAccount', account)),
      ...(ofSuppliers?.supply_accounts ?? []).map((account) => optionOf('SupplyAccount', account)),
    ]
    return { options, total: (ofUtilities?.total ?? 0) + (ofSuppliers?.total ?? 0) }
  }
  return (
    <div ref={box}>
      <ComboboxField<string>
        label="Account"
        required
        placeholder="Number, name, street, meter or vendor"
        autoFocus={autoFocus}
        debounceMs={PAUSE_MS}
        source={{ search, within: WITHIN_CLIENT }}
        value={chosen ? { id: `${chosen.type} ${chosen.id}`, label: chosen.label } : null}
        onChange={(option) => onChoose(option ? accountOf(option) : null)}
        acts={() =>
          makes ? [{ id: 'add', label: 'Add a billable account…', run: () => go(`/clients/${clientId}/billable_accounts/new`) }] : []
        }
      />
    </div>
  )
}

interface FoundAccount {
  readonly id: number
  readonly name: string
  readonly account_number: string
  readonly vendor_name: string | null
  readonly street_address_1?: string | null | undefined
}

function optionOf(type: AccountType, account: FoundAccount): PickerOption<string> {
  const kind = type === 'SupplyAccount' ? 'supply' : null
  return {
    id: `${type} ${account.id}`,
    label: `${account.account_number} ${account.name}`,
    hint: [account.vendor_name, account.street_address_1, kind].filter(Boolean).join(' · '),
  }
}

function accountOf(option: PickerOption<string>): ChosenAccount | null {
  const [type, id] = option.id.split(' ')
  if (type !== 'BillableAccount' && type !== 'SupplyAccount') return null
  return { type, id: Number(id), label: option.label }
}
