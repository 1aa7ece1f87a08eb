/** A summary bill: the head of the group's bill once, its subaccounts as rows, and one save that stores all of it linked, or nothing. */
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { formatMoney, wireOf } from '#contract/kernel/money.ts'
import { summaryBillCalls, type SummaryEntry } from '#contract/summary-bill.ts'
import { ApiProblem } from '../../kernel/api-problem.ts'
import { callApi } from '../../kernel/api.ts'
import { beforeSignIn } from '../../kernel/credentials.ts'
import { dropLasting, keepLasting, readLasting, signLasting, SIGN_EVERY_MS } from '../../kernel/lasting-draft.ts'
import { useGo, usePathId } from '../../kernel/navigation.tsx'
import { problemWords, resultNotice } from '../../kernel/notices.ts'
import { apiQuery, refresh } from '../../kernel/query.ts'
import { RecordGate } from '../../kernel/record-gate.tsx'
import { useIntent } from '../../kernel/use-intent.ts'
import { useUnsavedGuard } from '../../kernel/use-unsaved-guard.ts'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/fields/date-field.tsx'
import { MoneyField } from '../../ui/fields/number-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SummaryGrid } from './summary-grid.tsx'
import {
  bodyOf,
  childrenOf,
  columnsOf,
  faultyCells,
  startingValues,
  summaryValues,
  sumsOf,
  type HeadKey,
  type SummaryValues,
} from './summary-values.ts'
import styles from './summary.module.css'

/** A draft is kept after this pause (ms). */
const DRAFT_PAUSE_MS = 400

export function SummaryBillPage() {
  const client_id = usePathId('client_id')
  const id = usePathId('group_account_id')
  // What was read when the page opened stands: prefilled dates must not change under somebody who types.
  const asked = useQuery({ ...apiQuery(summaryBillCalls.entry, { params: { client_id, id } }), staleTime: Infinity })
  return <RecordGate asked={asked}>{({ entry }) => <SummaryForm key={id} entry={entry} clientId={client_id} groupId={id} />}</RecordGate>
}

function SummaryForm({ entry, clientId, groupId }: { entry: SummaryEntry; clientId: number; groupId: number }) {
  const draft = `summary ${clientId} ${groupId}`
  const [start] = useState(() => startingValues(entry))
  const [values, setValues] = useState(() => keptValues(draft) ?? start)
  const [problems, setProblems] = useState<Problems>(none)
  const [busy, setBusy] = useState(false)
  const dirty = JSON.stringify(values) !== JSON.stringify(start)
  const columns = columnsOf(entry)
  const intent = useIntent()
  const go = useGo()
  const guard = useUnsavedGuard(dirty, () => dropLasting(draft))
  const [saved, setSaved] = useState(false)
  // The page stands until the next one has come, and would keep as a draft what is saved.
  useKept(draft, dirty && !saved ? values : null)
  const save = async () => {
    if (busy) return
    const missing = faultsOf(values, entry)
    if (missing.length > 0) return setProblems({ ...none, words: missing })
    setBusy(true)
    try {
      const body = bodyOf(values, entry, columns)
      const reply = await callApi(summaryBillCalls.create, { params: { client_id: clientId, id: groupId }, body, intent: intent(body) })
      guard.release()
      setSaved(true)
      dropLasting(draft)
      refresh('bills')
      resultNotice(reply)
      go(`/clients/${clientId}/bills/${reply.id}`)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      setProblems(problemsOf(error, values, entry))
    } finally {
      setBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void save()
  }
  const setHead = (key: HeadKey) => (text: string) => setValues((before) => ({ ...before, head: { ...before.head, [key]: text } }))
  const { head } = values
  const sums = sumsOf(values, entry, columns)
  return (
    <div className={styles.form} onKeyDown={onKeyDown} role="form" aria-label="Summary bill">
      <PageHeader title="New Summary Bill">
        {entry.account_name} ({entry.account_number})
      </PageHeader>
      <div className={styles.head}>
        <DateField label="Bill Date" required autoFocus value={head.date} onChange={setHead('date')} />
        <DateField label="Due Date" required value={head.due_date} onChange={setHead('due_date')} until={head.date || undefined} />
        <TextField label="Invoice Number" value={head.invoice_number} onChange={setHead('invoice_number')} maxLength={100} />
        <MoneyField label="Balance Forward" value={head.balance_forward} onChange={setHead('balance_forward')} />
        <MoneyField label="Current Charges" required value={head.current_charges} onChange={setHead('current_charges')} />
        <MoneyField label="Late Fee" value={head.late_fee} onChange={setHead('late_fee')} />
        <MoneyField
          label="Amount Due"
          hint={`Computed: ${formatMoney(wireOf(sums.due))}`}
          value={head.amount_due}
          onChange={setHead('amount_due')}
        />
      </div>
      {entry.rows.length === 0 ? (
        <EmptyState title="The group has no active subaccount">Its bill can be entered without rows.</EmptyState>
      ) : (
        <SummaryGrid entry={entry} columns={columns} values={values} onChange={setValues} errors={problems.accounts} />
      )}
      <div className={styles.foot}>
        <Button kind="primary" busy={busy} title="Ctrl+Enter" onClick={() => void save()}>
          Save
        </Button>
        <div className={styles.sums} role="status">
          <span>
            {sums.bills === 1 ? '1 subaccount' : `${sums.bills} subaccounts`}: {formatMoney(wireOf(sums.children))}
          </span>
          <Difference left={sums.left} />
          {dirty && <span className={styles.quiet}>Not saved yet</span>}
        </div>
        {problems.words.length > 0 && (
          <ul className={styles.problems} role="alert">
            {problems.words.map((word) => (
              <li key={word}>{word}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function Difference({ left }: { left: number }) {
  if (left === 0) return <span className={styles.match}>Adds up to the current charges</span>
  return (
    <span className={styles.differs}>
      {formatMoney(wireOf(Math.abs(left)))} {left > 0 ? 'are missing' : 'too much'}
    </span>
  )
}

interface Problems {
  readonly words: readonly string[]
  readonly accounts: ReadonlyMap<number, readonly string[]>
}
const none: Problems = { words: [], accounts: new Map() }

/** What can be said without the server. */
function faultsOf(values: SummaryValues, entry: SummaryEntry): string[] {
  const { head } = values
  const required = [
    ['date', 'Bill Date'],
    ['due_date', 'Due Date'],
    ['current_charges', 'Current Charges'],
  ] as const
  const unread = faultyCells(values, entry, columnsOf(entry)).length
  return [
    ...required.flatMap(([key, label]) => (head[key].trim() === '' ? [`${label} is required`] : [])),
    ...(unread > 0 ? [unread === 1 ? '1 cell cannot be read' : `${unread} cells cannot be read`] : []),
  ]
}

/** Refusals name the row by its account: `children.2.amount_due` is the third bill of the body. */
function problemsOf(error: ApiProblem, values: SummaryValues, entry: SummaryEntry): Problems {
  const children = childrenOf(values, entry, columnsOf(entry))
  const accounts = new Map<number, readonly string[]>()
  const words = Object.entries(error.fields).flatMap(([key, said]) => {
    const [, place] = /^children\.(\d+)\./.exec(key) ?? []
    const row = place === undefined ? undefined : children[Number(place)]?.[0]
    if (!row) return said
    accounts.set(row.account_id, said)
    return said.map((word) => `${row.account_number}: ${word}`)
  })
  const { title, message } = problemWords(error)
  return { accounts, words: words.length > 0 ? [...new Set(words)] : [message === undefined ? title : `${title}: ${message}`] }
}

function keptValues(name: string): SummaryValues | null {
  const read = summaryValues.safeParse(readLasting(name))
  return read.success ? read.data : null
}

/** Keeps what is not saved yet, after a pause and when the page goes. Null keeps nothing. */
function useKept(name: string, values: SummaryValues | null): void {
  const keep = useEffectEvent(() => {
    if (values !== null) keepLasting(name, values)
  })
  useEffect(() => {
    const timer = setTimeout(() => {
      if (values !== null) keepLasting(name, values)
    }, DRAFT_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [name, values])
  useEffect(() => {
    const timer = setInterval(() => signLasting(name, true), SIGN_EVERY_MS)
    const goAway = () => {
      keep()
      signLasting(name, false)
    }
    globalThis.addEventListener('pagehide', goAway)
    const giveUp = beforeSignIn(() => keep())
    return () => {
      giveUp()
      clearInterval(timer)
      signLasting(name, false)
      globalThis.removeEventListener('pagehide', goAway)
    }
  }, [name])
}
