import { useMemo, useState } from 'react'
import type { UncodedService } from '#contract/accounting-batches/batch-contents.ts'
import { ledgerAccountCalls } from '#contract/ledger/ledger-account.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { serviceCalls, supplyServiceCalls } from '#contract/services/service-calls.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { EntityPicker, optionsOf } from '../kernel/forms/picker.tsx'
import { Can } from '../kernel/permissions.tsx'
import { refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import styles from './accounting-batches.module.css'

/**
 * The services without a ledger account, which keep the batch from being closed. They are fixed here, one at a time or all of one utility
 * service.
 */
export function UncodedServices({ clientId, services }: { clientId: number; services: readonly UncodedService[] }) {
  const source = useMemo(() => optionsOf('ledger_accounts', ledgerAccountCalls.selectOptions, { client_id: clientId }), [clientId])
  const attempt = useAttempt()
  const [chosen, setChosen] = useState<ReadonlyMap<number, number>>(new Map())
  const mend = (which: readonly UncodedService[], ledgerAccountId: number) =>
    attempt.run(async () => {
      for (const service of which) await setLedgerAccount(clientId, service, ledgerAccountId)
      notify({
        kind: 'success',
        title: 'Success',
        message: `${which.length} ${which.length === 1 ? 'service has' : 'services have'} a ledger account now`,
      })
      refresh('accounting_batches', 'services')
    })
  return (
    <section className={styles.uncoded} aria-label="Services without a ledger account">
      <h2
        className={styles.uncodedTitle}
      >{`${services.length.toLocaleString('en-US')} ${services.length === 1 ? 'service keeps' : 'services keep'} this batch from being closed`}</h2>
      <FailedAttempt attempt={attempt} again={() => attempt.forget()} />
      <ul>
        {services.map((service) => {
          const account = chosen.get(service.service_id) ?? null
          const alike = services.filter((other) => other.utility_service_id === service.utility_service_id)
          return (
            <li key={service.service_id} className={styles.uncodedRow}>
              <span className={styles.uncodedName}>
                {[service.utility_service_name, service.meter_number, `account ${service.account_number}`].filter(Boolean).join(' · ')}
              </span>
              <span className="num">{formatMoney(service.amount)}</span>
              <span className={styles.reason}>{service.reason}</span>
              <Can do="service.update">
                <EntityPicker
                  label={`Ledger account of ${service.meter_number ?? service.account_number}`}
                  source={source}
                  value={account}
                  onChange={(id) => setChosen(new Map(chosen).set(service.service_id, id ?? 0))}
                />
                <Button
                  small
                  busy={attempt.busy}
                  disabledReason={account ? undefined : 'Choose a ledger account'}
                  onClick={() => account && void mend([service], account)}
                >
                  Use
                </Button>
                {alike.length > 1 && (
                  <Button
                    small
                    busy={attempt.busy}
                    disabledReason={account ? undefined : 'Choose a ledger account'}
                    onClick={() => account && void mend(alike, account)}
                  >
                    {`Use for all ${alike.length} of this service`}
                  </Button>
                )}
              </Can>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

async function setLedgerAccount(client_id: number, service: UncodedService, ledger_account_id: number): Promise<void> {
  const body = { service: { ledger_account_id, lock_version: service.lock_version } }
  if (service.account_type === 'BillableAccount')
    await callApi(serviceCalls.update, { params: { client_id, billable_account_id: service.account_id, id: service.service_id }, body })
  else
    await callApi(supplyServiceCalls.update, { params: { client_id, supply_account_id: service.account_id, id: service.service_id }, body })
}
