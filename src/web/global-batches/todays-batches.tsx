import { useMemo, useState } from 'react'
import { useParams } from '@tanstack/react-router'
import { globalBatch, globalBatchCalls, type GlobalBatch } from '#contract/global-batches/global-batch.ts'
import { payTypeName, payTypes, type PayType } from '#contract/global-batches/pay-type.ts'
import { formatDate, isCalendarDate } from '#contract/kernel/date.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import type { ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { useGo, useSearchText } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { WayHome } from '../kernel/record-gate.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import type { GridSelection } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { BankLine, useBankValue } from './bank-line.tsx'
import { refusedTogether } from './chosen-batches.ts'
import { DayPath } from './day-path.tsx'
import { starred } from './desk-columns.tsx'
import { batchBillsHref, DeskTabs, releaseHref, todaysHref, useDesk } from './desk-head.tsx'
import { DeskActions } from './desk-actions.tsx'
import styles from './global-batches.module.css'
import { ownWords } from './words.ts'

/** Today's batches of all types; paid ones stay until the accounting export. */
export function TodaysBatches() {
  return <Batches key="all" type={null} />
}

/** The unpaid batches of one type. */
export function TodaysBatchesOfType() {
  const { type: named }: { type?: string } = useParams({ strict: false })
  const type = payTypes.find((one) => one === named)
  if (type) return <Batches key={type} type={type} />
  return (
    <EmptyState title="There is no such page" actions={<WayHome />}>
      Batches have one of these types: {payTypes.join(', ')}.
    </EmptyState>
  )
}

/** The list's rows are named `batches` in the reply. */
const batchList = { ...globalBatch, plural: 'batches' as const }
const nobody: ReadonlySet<number> = new Set()

function Batches({ type }: { type: PayType | null }) {
  const search = useSearchText()
  const day = search['day'] !== undefined && isCalendarDate(search['day']) ? search['day'] : undefined
  const { data: bank } = useBankValue()
  const { data: desk } = useDesk()
  const mayEdit = useCan('payment_batch.update')
  const go = useGo()
  const [ids, setIds] = useState(nobody)
  const query = useMemo(() => ({ ...(type ? { type } : {}), ...(day ? { day } : { today: 'true' }) }), [type, day])
  const columns = useMemo(() => columnsOf(type), [type])
  return (
    <div className={styles.page}>
      <PageHeader title={day ? `Batches of ${formatDate(day)}` : 'Today’s Batches'} count={type ?? undefined} />
      <DeskTabs tab={type ?? 'today'} />
      {bank && <BankLine bank={bank} />}
      {desk && bank && !day && <DayPath desk={desk} bank={bank} />}
      <EarlierDays days={desk?.earlier_days ?? []} shown={day} />
      <ListPage<'batches', GlobalBatch, Record<never, never>>
        entity={batchList}
        calls={globalBatchCalls}
        title=""
        columns={columns}
        cells={mayEdit ? linkedCells : cells}
        query={query}
        listName={type ? 'global_batches_of_type' : 'global_batches'}
        onOpen={mayEdit ? (batch) => go(batchBillsHref(batch.id)) : undefined}
        rowLabel={nameOf}
        actions={mayEdit ? (batch) => <Actions batch={batch} type={type} /> : undefined}
        grid={(rows) => {
          const chosen = rows.filter((batch) => ids.has(batch.id) && !batch.is_paid)
          return {
            isSaidElsewhere: true,
            selection: { ids: new Set(chosen.map(({ id }) => id)), allMatching: false },
            onSelectionChange: (next) => select(rows, chosen, next, setIds),
            box: (batch) => (batch.is_paid ? 'none' : undefined),
            totals:
              chosen.length === 0
                ? undefined
                : [{ label: 'Chosen', values: { batch_total: formatMoney(sumMoney(chosen.map((batch) => batch.batch_total))) } }],
          }
        }}
        above={(rows) => (
          <DeskActions
            type={type}
            day={day}
            batches={rows}
            chosen={rows.filter((batch) => ids.has(batch.id) && !batch.is_paid)}
            onDone={() => setIds(nobody)}
          />
        )}
        empty={<EmptyState title={type ? `No open ${type} batches` : 'No batches yet'}>Batches are made of unswept bills.</EmptyState>}
      />
      <p className={styles.footnote}>{ownWords.op_help}</p>
    </div>
  )
}

function select(
  rows: readonly GlobalBatch[],
  chosen: readonly GlobalBatch[],
  { ids }: GridSelection<number>,
  take: (ids: ReadonlySet<number>) => void,
): void {
  const before = new Set(chosen.map(({ id }) => id))
  const kept = chosen.filter(({ id }) => ids.has(id))
  const added = rows.filter(({ id }) => ids.has(id) && !before.has(id))
  const refused = refusedTogether(kept, added)
  if (refused) notify(refused)
  else take(new Set([...kept, ...added].map(({ id }) => id)))
}

const nameOf = (batch: GlobalBatch): string => `${batch.payer_name} ${payTypeName(batch)} ${formatDate(batch.batch_date)}`

function columnsOf(type: PayType | null): readonly ColumnWish<GlobalBatch>[] {
  return [
    ...(type === null ? ([{ key: 'is_paid', width: 80 }] as const) : []),
    { key: 'closed', width: 82, cell: closedOf, tip: ({ release_id }) => (release_id === null ? undefined : ownWords.waits_tip) },
    { key: 'payer_name', width: 170 },
    { key: 'vendor_names', width: 200, grow: true },
    { key: 'effective_type', label: 'Pay Type', width: 128, cell: payTypeName },
    { key: 'batch_date', width: 104 },
    { key: 'bills_due_date', label: 'Bills Due Date', width: 116 },
    { key: 'batch_total', width: 116 },
    { key: 'bill_count', width: 66 },
    { key: 'notes', width: 140, grow: true },
  ]
}

/** A batch that waits for a release says so in the place of its closing. */
function closedOf({ closed, release_id }: GlobalBatch) {
  if (release_id !== null) return <UiLink href={releaseHref(release_id)}>{ownWords.waits}</UiLink>
  return closed ? 'Yes' : 'No'
}

const cells = {
  is_paid: (batch: GlobalBatch) => (batch.is_paid ? <StatusDot tone="ok">Paid</StatusDot> : 'No'),
  vendor_names: ({ vendor_names, exclusive_vendor_names }: GlobalBatch) =>
    vendor_names.length === 0 ? <Missing /> : vendor_names.map((name) => starred(name, exclusive_vendor_names.includes(name))).join(', '),
} as const

/** For those who may open a batch. */
const linkedCells = {
  ...cells,
  payer_name: (batch: GlobalBatch) => <UiLink href={batchBillsHref(batch.id)}>{batch.payer_name}</UiLink>,
} as const

function Actions({ batch, type }: { batch: GlobalBatch; type: PayType | null }) {
  const redirect = type ? `?redirect=${encodeURIComponent(type)}` : ''
  return (
    <>
      <MenuItem href={batchBillsHref(batch.id)}>Bills</MenuItem>
      <MenuItem href={`/global_batch/${batch.id}/edit${redirect}`}>Edit Batch</MenuItem>
    </>
  )
}

/** Links to earlier days with unfinished batches, which can still be paid or undone. */
function EarlierDays({ days, shown }: { days: readonly { readonly day: string; readonly count: number }[]; shown: string | undefined }) {
  if (days.length === 0 && !shown) return null
  return (
    <p className={styles.earlier}>
      {days.length > 0 && 'Not finished: '}
      {days.map(({ day, count }) => (
        <UiLink key={day} href={`${todaysHref()}?day=${day}`}>
          {`${count.toLocaleString('en-US')} of ${formatDate(day)}`}
        </UiLink>
      ))}
      {shown && <UiLink href={todaysHref()}>Today</UiLink>}
    </p>
  )
}
