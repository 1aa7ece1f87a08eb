import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ledgerAccountCalls } from '#contract/ledger/ledger-account.ts'
import { ledgerSetting, ledgerSettingCalls, type LedgerSetting } from '#contract/ledger/ledger-setting.ts'
import { callApi } from '../kernel/api.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { LedgerTabs } from './ledger-tabs.tsx'

/**
 * The accounts on which a client's balances, late fees and payables are booked, the bills that its batches accept, and the texts of its
 * invoices.
 */
export function LedgerSettings() {
  const params = { client_id: usePathId('client_id') }
  const asked = useQuery(apiQuery(ledgerSettingCalls.get, { params }))
  return (
    <RecordGate asked={asked}>{(found) => <SettingsForm key={found.ledger_setting.lock_version} row={found.ledger_setting} />}</RecordGate>
  )
}

const accountKeys = ['payable_ledger_account_id', 'prior_balance_ledger_account_id', 'late_fee_ledger_account_id'] as const
const sections: readonly FormSection[] = [
  { title: 'Ledger Accounts', fields: accountKeys },
  { title: 'Client Batches', fields: ['spread_by', 'batch_flagged_bills', 'batch_code_pattern'] },
  { title: 'Invoices', fields: ['service_fee', 'service_fee_by', 'remit_instructions'] },
]
const readOnly = 'Your role may read the ledger settings and not change them.'

function SettingsForm({ row }: { row: LedgerSetting }) {
  const go = useGo()
  const client_id = usePathId('client_id')
  const mayEdit = useCan('ledger_account.update')
  const pickers = useMemo(() => {
    const source = optionsOf('ledger_accounts', ledgerAccountCalls.selectOptions, { client_id })
    return Object.fromEntries(accountKeys.map((key) => [key, source]))
  }, [client_id])
  const at = `/clients/${client_id}/ledger_settings`
  const locked = mayEdit ? undefined : Object.fromEntries(sections.flatMap(({ fields }) => fields.map((key) => [key, readOnly])))
  return (
    <>
      <LedgerTabs clientId={client_id} />
      <EntityForm
        entity={ledgerSetting}
        row={row}
        params={{ client_id }}
        update={(_, body) =>
          callApi(ledgerSettingCalls.update, { params: { client_id }, body: ledgerSettingCalls.update.schemas.body.parse(body) })
        }
        load={async () => (await callApi(ledgerSettingCalls.get, { params: { client_id } })).ledger_setting}
        sections={sections}
        pickers={pickers}
        locked={locked}
        title="Ledger Settings"
        history={false}
        backHref={`/clients/${client_id}/ledger_accounts`}
        onSaved={() => go(at)}
      />
    </>
  )
}
