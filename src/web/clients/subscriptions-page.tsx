import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { clientCalls, subscriptionFields, type Client } from '#contract/clients/client.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ClientTabs } from './client-header.tsx'
import styles from './clients.module.css'

/** The subscriptions of a client. Users who may update clients can save them; the menus follow at once. */
export function SubscriptionsPage() {
  const id = usePathId('client_id')
  const asked = useQuery(apiQuery(clientCalls.get, { params: { id } }))
  return (
    <>
      <ClientTabs clientId={id} />
      <PageHeader title="Subscriptions" />
      <RecordGate asked={asked}>{(found) => <SubscriptionsForm key={found.client.lock_version} row={found.client} />}</RecordGate>
    </>
  )
}

/** Hints that name what each subscription adds to the client's menus and tabs. */
const hints: Readonly<Record<keyof Flags, string>> = {
  user_management: 'Adds the tab Users to the client.',
  utility_payment_management: 'Adds Vendor Batches to the menu Financials.',
  accounting_batch_management: 'Adds Client Batches to the menu Financials.',
  ledger_account_management: 'Adds Ledger Fields and Ledger Accounts to the menu Financials.',
}

type Flags = Pick<Client, keyof typeof subscriptionFields>

function SubscriptionsForm({ row }: { row: Client }) {
  const { user_management, utility_payment_management, accounting_batch_management, ledger_account_management } = row
  const [flags, setFlags] = useState<Flags>({
    user_management,
    utility_payment_management,
    accounting_batch_management,
    ledger_account_management,
  })
  const attempt = useAttempt()
  const maySave = useCan('client.update')
  const save = () =>
    void attempt.run(async () => {
      resultNotice(
        await callApi(clientCalls.subscriptions, {
          params: { id: row.id },
          body: { client: { ...flags, lock_version: row.lock_version } },
        }),
      )
      refresh('clients', 'user_roles')
    })
  const field = (key: keyof Flags) => (
    <CheckboxField
      label={subscriptionFields[key].label}
      hint={hints[key]}
      checked={flags[key]}
      disabled={!maySave || attempt.busy}
      onChange={(checked) => setFlags({ ...flags, [key]: checked })}
    />
  )
  return (
    <form
      className={styles.subscriptions}
      aria-label="Subscriptions form"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {field('user_management')}
      {field('utility_payment_management')}
      {field('accounting_batch_management')}
      {field('ledger_account_management')}
      {maySave && (
        <div className={styles.subscriptionsFoot}>
          <Button kind="primary" type="submit" busy={attempt.busy}>
            Save
          </Button>
          <FailedAttempt attempt={attempt} again={save} />
        </div>
      )}
    </form>
  )
}
