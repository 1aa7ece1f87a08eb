import { useMemo, useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { globalBatch, globalBatchCalls, type GlobalBatch, type GlobalBatchDraft } from '#contract/global-batches/global-batch.ts'
import type { GlobalBill } from '#contract/global-batches/global-bill.ts'
import { payTypes } from '#contract/global-batches/pay-type.ts'
import { isCalendarDate, addDays } from '#contract/kernel/date.ts'
import { centsOf, formatMoney, subtractMoney } from '#contract/kernel/money.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { dueAfterDays, dueDateOf } from '#contract/payment-batches/payment-dates.ts'
import { callApi } from '../kernel/api.ts'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { useGo, usePathId, useSearchText } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { useBankValue } from './bank-line.tsx'
import { attributesOf, deskKey, nothingChosen, setChoice, totalOf, unexplained, type Choice } from './chosen-bills.ts'
import { starred } from './desk-columns.tsx'
import { batchTitle, DeskTabs, todaysHref } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { useLiveChoice, type LiveChoice } from './live-choice.ts'
import { refreshDesk } from './refresh-desk.ts'
import { Reasons, reasonsOf, ResultDialog } from './result-dialog.tsx'
import { counted, ownWords, words } from './words.ts'

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

function NothingChosen() {
  return (
    <>
      <PageHeader title="New Batch" />
      <EmptyState title="No bill is chosen" actions={<ButtonLink href="/global_batch">Unswept Bills</ButtonLink>}>
        A batch is made of bills. Choose them first.
      </EmptyState>
    </>
  )
}

type Outcome =
  | { readonly kind: 'created'; readonly batches: readonly GlobalBatch[] }
  | { readonly kind: 'failed'; readonly reasons: readonly string[] }

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

interface Payer {
  readonly id: number
  readonly name: string
  readonly vendors: string
  readonly count: number
  readonly total: string
}

function payersOf(bills: readonly GlobalBill[], choice: Choice): readonly Payer[] {
  return [...Map.groupBy(bills, (bill) => bill.client_id)].map(([id, own]) => ({
    id,
    name: own[0]?.client_name ?? '',
    vendors: [...new Set(own.map((bill) => starred(bill.vendor_name, bill.is_exclusive)))].join(', '),
    count: own.length,
    total: totalOf(choice, own),
  }))
}

/** Read-only values that follow from the bills of one client. */
function PayerBlock({ payer, heading }: { payer: Payer; heading: boolean }) {
  return (
    <fieldset className={styles.block}>
      {heading && <legend>{`${payer.name} · ${counted(payer.count, 'bill')}`}</legend>}
      <FixedText label="Vendor" value={payer.vendors} />
      <FixedText label="Batch Total" value={formatMoney(payer.total)} />
    </fieldset>
  )
}

function FixedText({ label, value, required }: { label: string; value: string; required?: boolean }) {
  return <TextField label={label} value={value} onChange={ignore} required={required} disabled />
}

const ignore = () => undefined

/** The batch date, which also determines the due date. */
function BatchDate({ slot }: { slot: SlotProps }) {
  return (
    <DateField
      label={globalBatch.fields.batch_date.label}
      name="batch_date"
      required
      value={typeof slot.value === 'string' ? slot.value : ''}
      error={slot.error}
      disabled={slot.disabled}
      onChange={(next) =>
        slot.setValues(isCalendarDate(next) ? { batch_date: next, bills_due_date: dueDateOf(next) } : { batch_date: next })
      }
    />
  )
}

/** Returns the confirmation question: number of batches, total, bills paid otherwise without a reason, and the amount above the bank value. */
function questionOf(
  payers: readonly Payer[],
  total: string,
  { remaining, unsaid }: { readonly remaining: string | undefined; readonly unsaid: number },
): Parameters<typeof confirm>[0] {
  const over = remaining === undefined ? 0 : centsOf(subtractMoney(remaining, total))
  return {
    title: words.create_question,
    message: `${counted(payers.length, 'batch', 'batches')} · ${formatMoney(total)}`,
    consequence: (
      <>
        <ul className={styles.reasons}>
          {payers.map(({ id, name, count, total: own }) => (
            <li key={id}>{`${name}: ${counted(count, 'bill')}, ${formatMoney(own)}`}</li>
          ))}
        </ul>
        {unsaid > 0 && <p className={styles.over}>{ownWords.unsaid(unsaid)}</p>}
        {over < 0 && <p className={styles.over}>{ownWords.overdraws(subtractMoney(total, remaining ?? '0.00'))}</p>}
      </>
    ),
    confirmLabel: words.yes,
    cancelLabel: words.no,
  }
}

function OutcomeDialog({ outcome, close }: { outcome: Outcome; close: () => void }): ReactNode {
  const go = useGo()
  if (outcome.kind === 'failed')
    return (
      <ResultDialog
        title="Error"
        message={words.create_failed}
        details={<Reasons reasons={outcome.reasons} />}
        answers={[{ label: words.continue, primary: true, run: close }]}
        onClose={close}
      />
    )
  return (
    <ResultDialog
      title="Success"
      message={words.created}
      details={
        <Reasons
          reasons={outcome.batches.map(
            (batch) => `${batch.payer_name}: ${counted(batch.bill_count, 'bill')}, ${formatMoney(batch.batch_total)}`,
          )}
        />
      }
      answers={[
        { label: words.stay, run: () => location.reload() },
        { label: words.go_to_today, primary: true, run: () => go(todaysHref()) },
      ]}
      onClose={() => location.reload()}
    />
  )
}

/** Edits the header of one batch. The address may name the tab to return to. */
export function EditGlobalBatch() {
  const params = { id: usePathId('global_batch_id') }
  const asked = useQuery(apiQuery(globalBatchCalls.get, { params }))
  return <RecordGate asked={asked}>{({ global_batch }) => <EditForm key={global_batch.lock_version} batch={global_batch} />}</RecordGate>
}

function EditForm({ batch }: { batch: GlobalBatch & { readonly bills: readonly GlobalBill[] } }) {
  const go = useGo()
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
        onSaved={() => go(back)}
      >
        <fieldset className={styles.block}>
          <FixedText label="Vendor" value={vendors} />
          <FixedText label="Batch Total" value={formatMoney(batch.batch_total)} />
        </fieldset>
      </EntityForm>
    </>
  )
}
