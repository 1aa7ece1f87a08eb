/** The exceptions of a client, beside its alert lists, or of all clients within the user's reach. */
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billRetrievalCalls } from '#contract/bill-retrieval/retrieval-calls.ts'
import { exception, type ExceptionRow } from '#contract/exceptions/exception.ts'
import { allExceptionCalls, exceptionCalls, type ExceptionCalls } from '#contract/exceptions/exception-calls.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { AlertTabs } from '../alerts/alerts.ts'
import type { ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePath, usePathId } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { UiLink } from '../ui/link.tsx'
import { EmptyState } from '../ui/states.tsx'
import { StatusDot } from '../ui/status.tsx'
import { ExceptionSummaryStrip } from './exception-summary.tsx'
import { accountHref, carriedWords, labelOf, looks, reckoningOf, todoOf, whyOf } from './exception-words.ts'
import styles from './exceptions.module.css'

export function ClientExceptions() {
  const client_id = usePathId('client_id')
  const params = useMemo(() => ({ client_id }), [client_id])
  return (
    <>
      <AlertTabs clientId={client_id} />
      <SignInTrouble clientId={client_id} />
      <Exceptions calls={exceptionCalls} params={params} columns={clientColumns} listName="exceptions" />
    </>
  )
}

export function AllExceptions() {
  return <Exceptions calls={allExceptionCalls} params={none} columns={allColumns} listName="all_exceptions" />
}
const none = {}

type ExceptionsProps<Params> = {
  calls: ExceptionCalls<Params>
  params: Params
  columns: readonly ColumnWish<ExceptionRow>[]
  listName: string
}

function Exceptions<Params>({ calls, params, columns, listName }: ExceptionsProps<Params>) {
  const path = usePath()
  const create = useCan('bill.create')
  const cells = useMemo(() => cellsFor({ create }), [create])
  return (
    <>
      <ExceptionSummaryStrip calls={calls} params={params} at={path} />
      <List calls={calls} params={params} columns={columns} cells={cells} listName={listName} />
    </>
  )
}

type ListProps<Params> = ExceptionsProps<Params> & { cells: ReturnType<typeof cellsFor> }

function List<Params>({ calls, params, columns, cells, listName }: ListProps<Params>) {
  return (
    <ListPage<'exceptions', ExceptionRow, Params>
      entity={exception}
      calls={calls}
      params={params}
      columns={columns}
      cells={cells}
      title="Exceptions"
      rowHref={screenOf}
      rowLabel={({ account_number, kind }) => `${account_number} ${labelOf(kind)}`}
      listName={listName}
      empty={
        <EmptyState title="Nothing waits">
          No bill is late or will be within a week, none has errors, and every bill that should be here is here.
        </EmptyState>
      }
    />
  )
}

/** Accounts whose sign-in at the utility fails send no bills at all, so this is shown above everything else. */
function SignInTrouble({ clientId }: { clientId: number }) {
  const may = useCan('bill.create')
  const { data } = useQuery({ ...apiQuery(billRetrievalCalls.status, { params: { client_id: clientId } }), enabled: may })
  if (!data) return null
  const { failed, needs_action: waiting } = data.credentials
  if (data.ok && failed + waiting === 0) return null
  const words = data.ok
    ? `${(failed + waiting).toLocaleString('en-US')} ${failed + waiting === 1 ? 'sign-in' : 'sign-ins'} at utilities cannot be used: no bill comes from there by retrieval.`
    : `${data.label}: ${data.message ?? 'not reachable'}. No bill comes by retrieval until then.`
  return (
    <p className={styles.trouble} role="status">
      <StatusDot tone="bad" shape="triangle">
        {words}
      </StatusDot>
      <UiLink href={`/clients/${clientId}/bills/import`}>Open the retrieval</UiLink>
    </p>
  )
}

const kind: ColumnWish<ExceptionRow> = { key: 'kind', label: 'What', width: 182, grow: false, card: 'title' }
const client: ColumnWish<ExceptionRow> = { key: 'client_name', width: 130 }
const others: readonly ColumnWish<ExceptionRow>[] = [
  { key: 'account_number', label: 'Account', width: 154, card: 'second' },
  { key: 'vendor_name', width: 100, card: 'second' },
  { key: 'facility_name', width: 120, hidden: true },
  { key: 'why', label: 'Why', width: 210, cell: whyOf, tip: whyOf, card: 'second' },
  { key: 'due_date', width: 100 },
  { key: 'days', hidden: true },
  { key: 'amount', width: 112, card: 'figure', tip: carriedWords },
  { key: 'cost', label: 'Late Cost', width: 104, tip: reckoningOf },
  { key: 'todo', label: 'What to do', width: 152, grow: false, card: 'badge', cell: () => '' },
]
const clientColumns = [kind, ...others]
/** The reason of a late bill contains its due date, so that column is hidden to make room for the client. */
const allColumns = [
  kind,
  client,
  ...others.map((wish) => (typeof wish !== 'string' && wish.key === 'due_date' ? { ...wish, hidden: true } : wish)),
]

function cellsFor(may: { readonly create: boolean }) {
  return {
    kind: (row: ExceptionRow) => <StatusDot {...looks[row.kind]}>{labelOf(row.kind)}</StatusDot>,
    account_number: (row: ExceptionRow) => (
      <UiLink href={accountHref(row)}>
        {row.account_name === null ? row.account_number : `${row.account_number} ${row.account_name}`}
      </UiLink>
    ),
    cost: ({ amount, cost }: ExceptionRow) => (amount === null ? 'not known' : formatMoney(cost)),
    todo: (row: ExceptionRow) => {
      const { label, href } = todoOf(row, may)
      return <UiLink href={href}>{label}</UiLink>
    },
  }
}

function screenOf(row: ExceptionRow): string {
  return row.bill_id === null ? accountHref(row) : `/clients/${row.client_id}/bills/${row.bill_id}`
}
