import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { globalBatch, globalBatchCalls, type GlobalBatch, type GlobalBatchDraft } from '#contract/global-batches/global-batch.ts'
import type { GlobalBill } from '#contract/global-batches/global-bill.ts'
import { payTypes } from '#contract/global-batches/pay-type.ts'
import { addDays } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { dueAfterDays } from '#contract/payment-batches/payment-dates.ts'
import { callApi } from '../kernel/api.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { usePathId, useSearchText } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { useBankValue } from './bank-line.tsx'
import { attributesOf, deskKey, nothingChosen, setChoice, unexplained } from './chosen-bills.ts'
import { starred } from './desk-columns.tsx'
import { batchBillsHref, batchTitle, DeskTabs, todaysHref } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { useLiveChoice, type LiveChoice } from './live-choice.ts'
import { refreshDesk } from './refresh-desk.ts'
import { reasonsOf } from './result-dialog.tsx'
import { type Outcome, NothingChosen, OutcomeDialog, questionOf } from './batch-outcome.tsx'
import { payersOf, FixedText, BatchDate, PayerBlock } from './batch-parts.tsx'

const sections: readonly FormSection[] = [{ fields: ['payer_id', 'batch_date', 'bills_due_date', 'closed', 'notes'] }]
const refreshes = ['global_batches', 'global_bills', 'global_batch_bank_value', 'bills']

/** Creates the batches of the selected bills: one per client, with the same dates. */
export function NewGlobalBatch() {
  const live = useLiveChoice(deskKey)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  return (
    <>
      <DeskTabs tab="unswept" />
      {live.bills.length === 0 && outcome === null ? <NothingChosen /> : <NewForm live={live} onOutcome={setOutcome} />}
      {outcome && <OutcomeDialog outcome={outcome} close={() => setOutcome(null)} />}
    </>
  )
}

function NewForm({ live, onOutcome }: { live: LiveChoice; onOutcome: (outcome: Outcome) => void }) {
  const { data: bank } = useBankValue()
  const [today] = useState(() => todayIn(NEW_YORK, new Date()))
  const payers = useMemo(() => payersOf(live.bills, live.choice), [live.bills, live.choice])
  const start = { batch_date: today, bills_due_date: addDays(today, dueAfterDays) }
  const create = async (body: Record<string, unknown>, intent: string) => {
    const { global_batch: head } = globalBatchCalls.create.schemas.body.parse(body)
    const unsaid = unexplained(live.choice, live.bills).length
    if (!(await confirm(questionOf(payers, live.total, { remaining: bank?.remaining, unsaid }))))
      throw new DOMException('not meant', 'AbortError')
    try {
      const made = await callApi(globalBatchCalls.create, { body: { global_batch: withBills(head, live) }, intent })
      onOutcome({ kind: 'created', batches: made.global_batches ?? [] })
      setChoice(deskKey, nothingChosen)
      return made
    } catch (error) {
      onOutcome({ kind: 'failed', reasons: reasonsOf(error) })
      throw error
    } finally {
      refreshDesk()
    }
  }
  return (
    <EntityForm
      entity={globalBatch}
      params={{}}
      create={create}
      sections={sections}
      start={start}
      slots={{
        payer_id: () => <FixedText label="Payer" value={payers.map(({ name }) => name).join(', ')} required />,
        batch_date: (slot) => <BatchDate slot={slot} />,
      }}
      refreshes={refreshes}
      title="New Batch"
      backHref="/global_batch"
      submitLabel={payers.length === 1 ? 'Create batch' : `Create ${payers.length} batches`}
      onSaved={() => undefined}
    >
      {payers.map((payer) => (
        <PayerBlock key={payer.id} payer={payer} heading={payers.length > 1} />
      ))}
    </EntityForm>
  )
}

/** Adds the selected bills, with the amounts that were typed. */
function withBills(head: GlobalBatchDraft, { bills, choice }: LiveChoice): GlobalBatchDraft {
  const [first] = bills
  const isOne = first !== undefined && bills.every(({ client_id }) => client_id === first.client_id)
  return {
    ...head,
    payer_type: 'Client',
    ...(isOne ? { client_id: first.client_id, payer_id: first.client_id } : {}),
    bill_ids: bills.map(({ id }) => id),
    bills_attributes: attributesOf(choice, bills),
  }
}

/** Edits the header of one batch. The address may name the tab to return to. */
export function EditGlobalBatch() {
  const params = { id: usePathId('global_batch_id') }
  const asked = useQuery(apiQuery(globalBatchCalls.get, { params }))
  return <RecordGate asked={asked}>{({ global_batch }) => <EditForm key={global_batch.lock_version} batch={global_batch} />}</RecordGate>
}

function EditForm({ batch }: { batch: GlobalBatch & { readonly bills: readonly GlobalBill[] } }) {
  const { redirect } = useSearchText()
  const back = todaysHref(payTypes.find((type) => type === redirect))
  const vendors = batch.vendor_names.map((name) => starred(name, batch.exclusive_vendor_names.includes(name))).join(', ')
  return (
    <>
      <DeskTabs tab="bills" batch={batch} />
      <EntityForm
        entity={globalBatch}
        row={batch}
        {...formCalls(globalBatchCalls, 'global_batch', {})}
        sections={sections}
        slots={{
          payer_id: () => <FixedText label="Payer" value={batch.payer_name} required />,
          batch_date: (slot) => <BatchDate slot={slot} />,
        }}
        refreshes={refreshes}
        title={batchTitle(batch)}
        backHref={back}
        savedLink={() => ({ href: batchBillsHref(batch.id), label: `Bills of ${batchTitle(batch)}` })}
      >
        <fieldset className={styles.block}>
          <FixedText label="Vendor" value={vendors} />
          <FixedText label="Batch Total" value={formatMoney(batch.batch_total)} />
        </fieldset>
      </EntityForm>
    </>
  )
}
