/** The ledger accounts on which a service's charges are booked: its shares, and for a supply service those of the supplied service. */
import { evenRatios } from '#contract/kernel/decimal.ts'
import type { Service } from '#contract/services/service.ts'
import { ChildRows, childrenOf, idOf, liveChildren, textOf, type ChildValues } from '../kernel/forms/child-rows.tsx'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { EntityPicker, type OptionSource } from '../kernel/forms/picker.tsx'
import { Button } from '../ui/button.tsx'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { NumberField } from '../ui/fields/number-field.tsx'
import { withoutIdleZeros } from '../ui/status.tsx'
import styles from './services.module.css'

const newShare: ChildValues = { ledger_account_id: null, share_ratio: '' }
/** The step by which the arrow keys change a ratio. */
const ratioStep = { by: '0.01', min: '0', max: '1' }

export function SharedAccounts({ slot, ledgers }: { slot: SlotProps; ledgers: OptionSource }) {
  const live = liveChildren(slot.value)
  const spread = () => {
    const ratios = evenRatios(live.length)
    const removed = childrenOf(slot.value).filter((child) => !live.includes(child))
    slot.onChange([...removed, ...live.map((share, at) => ({ ...share, share_ratio: ratios[at] }))])
  }
  return (
    <ChildRows
      {...slot}
      name="shared_accounts_attributes"
      title="Shared Accounts"
      addLabel="Add Shared Account"
      note="Splits the charges among ledger accounts. The ratios add up to 1."
      blank={newShare}
      tools={
        live.length > 1 && (
          <Button small kind="quiet" onClick={spread}>
            Spread evenly
          </Button>
        )
      }
    >
      {({ child, set, error }) => (
        <>
          <EntityPicker
            label="Ledger Account"
            required
            source={ledgers}
            value={idOf(child, 'ledger_account_id')}
            error={error('ledger_account_id')}
            onChange={(ledger_account_id) => set({ ledger_account_id })}
          />
          <NumberField
            label="Share Ratio"
            required
            scale={4}
            step={ratioStep}
            value={textOf(child, 'share_ratio')}
            error={error('share_ratio')}
            onChange={(share_ratio) => set({ share_ratio })}
          />
        </>
      )}
    </ChildRows>
  )
}

/** Only supply services have this field. Its effect is shown for the service as stored. */
export function BillableLedgers({ slot, row }: { slot: SlotProps; row: Service | undefined }) {
  return (
    <div className={styles.billableLedgers}>
      <CheckboxField
        name="billable_ledgers"
        label="Billable Ledgers"
        hint="Books the charges on the ledger account and shares of the billable service that this one supplies."
        checked={slot.value === true}
        error={slot.error}
        disabled={slot.disabled}
        onChange={slot.onChange}
      />
      {row && (
        <dl className={styles.facts}>
          <div>
            <dt>Linked services</dt>
            <dd>
              {row.linked_services.length === 0
                ? 'None of this utility service. Link them on the account’s form.'
                : row.linked_services.map(meterWords).join(', ')}
            </dd>
          </div>
          <div>
            <dt>Booked on</dt>
            <dd>{row.effective_ledgers.length === 0 ? 'No ledger account yet.' : row.effective_ledgers.map(ledgerWords).join(', ')}</dd>
          </div>
        </dl>
      )}
    </div>
  )
}

function meterWords({ meter_number, account_number }: Service['linked_services'][number]): string {
  return `${meter_number} of account ${account_number}`
}

function ledgerWords({ ledger_account_name, share_ratio }: Service['effective_ledgers'][number]): string {
  return `${ledger_account_name} ${withoutIdleZeros(share_ratio)}`
}
