import { useRef, useState, type FocusEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { bankValueCalls, type BankValue } from '#contract/global-batches/bank-value.ts'
import { centsOf, formatMoney, subtractMoney, wireOf } from '#contract/kernel/money.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery, queryClient } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { cx } from '../ui/class-names.ts'
import { DESK_REFRESH_MS } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { refreshDesk } from './refresh-desk.ts'
import { counted, editsLeft, ownWords, said, words } from './words.ts'

const bankQuery = { ...apiQuery(bankValueCalls.get, {}), refetchInterval: DESK_REFRESH_MS }

export function useBankValue() {
  return useQuery(bankQuery)
}

/** Matches digits, a point and up to two decimals, as far as they are typed. */
const typable = /^(\d{1,12}(\.\d{0,2})?)?$/

interface BankLineProps {
  readonly bank: BankValue
  /** The selected bills of this screen: their number and total. */
  readonly chosen?: { readonly count: number; readonly total: string } | undefined
}

/** The money of the day in one line that stays visible: bank value, selected amount, remaining amount, amount already batched. */
export function BankLine({ bank, chosen }: BankLineProps) {
  const remaining = chosen ? subtractMoney(bank.remaining, chosen.total) : bank.remaining
  const isOver = centsOf(remaining) < 0
  return (
    <section className={styles.bank} aria-label="Bank value">
      <BankField bank={bank} />
      <dl className={styles.facts}>
        {chosen && <Fact name="Chosen" value={`${counted(chosen.count, 'bill')} · ${formatMoney(chosen.total)}`} />}
        <Fact
          name={chosen ? 'Remaining after selection' : 'Remaining'}
          value={isOver ? `${formatMoney(remaining)}, over by ${formatMoney(subtractMoney('0.00', remaining))}` : formatMoney(remaining)}
          over={isOver}
        />
        {chosen && <Fact name="Remaining" value={formatMoney(bank.remaining)} over={centsOf(bank.remaining) < 0} />}
        <Fact name="Today already" value={formatMoney(bank.batched_total)} />
      </dl>
    </section>
  )
}

function Fact({ name, value, over = false }: { name: string; value: string; over?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={cx('num', over && styles.over)}>{value}</dd>
    </div>
  )
}

function BankField({ bank }: { bank: BankValue }) {
  const may = useCan('global_batch.update')
  const stored = centsOf(bank.value) === 0 ? '' : bank.value
  // Null while nothing is typed; then the value that others store is shown. Typed text is kept.
  const [draft, setDraft] = useState<string | null>(null)
  const typed = draft ?? stored
  const attempt = useAttempt()
  const running = useRef<Promise<boolean> | null>(null)
  /** Stores the typed value; resolves to whether it is the stored one now. */
  const commit = (source: 'input' | 'button', lock: boolean): Promise<boolean> => {
    if (running.current) return running.current
    const work = changeValue({ bank, typed, source, lock, run: (send) => attempt.run(send), forget: () => setDraft(null) })
    running.current = work.finally(() => (running.current = null))
    return running.current
  }
  const toggle = async () => {
    if (running.current) await running.current
    const now = queryClient.getQueryData(bankQuery.queryKey) ?? bank
    if (!now.locked && isChanged(now, typed)) await commit('button', true)
    else if (!now.locked && centsOf(now.value) === 0) notify(said(words.bank_value_zero))
    else await attempt.run(() => toggleLock(now, !now.locked))
  }
  const leave = (event: FocusEvent<HTMLElement>) => {
    if (event.target instanceof HTMLInputElement && isChanged(bank, typed)) void commit('input', false)
  }
  return (
    <div
      className={styles.bankField}
      role="presentation"
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || !isChanged(bank, typed)) return
        event.preventDefault()
        void commit('input', false)
      }}
    >
      <TextField
        label="Bank value"
        name="bank_value"
        value={bank.locked ? formatMoney(bank.value) : typed}
        onChange={(next) => typable.test(next) && setDraft(next)}
        placeholder="0.00"
        inputMode="decimal"
        disabled={bank.locked || !may || bank.attempts === 0}
      />
      {/* Pressing the button must not blur the field first, which would store the value before it is locked. */}
      <span role="presentation" onPointerDown={(event) => event.preventDefault()}>
        <Button
          busy={attempt.busy}
          disabledReason={!may ? 'You may not change it' : bank.attempts === 0 ? ownWords.no_attempts : undefined}
          onClick={() => void toggle()}
        >
          {bank.locked ? 'Unlock' : 'Lock'}
        </Button>
      </span>
      {bank.attempts > 0 && (
        <span className={cx(styles.attempts, bank.attempts === 1 && styles.last)}>
          {bank.locked ? 'locked, ' : ''}
          {editsLeft(bank.attempts)}
          {bank.attempts === 1 ? ': the last one locks it' : ''}
        </span>
      )}
      <FailedAttempt attempt={attempt} again={() => void toggle()} what="Not changed" />
    </div>
  )
}

interface Change {
  readonly bank: BankValue
  readonly typed: string
  readonly source: 'input' | 'button'
  readonly lock: boolean
  readonly run: (send: () => Promise<true>) => Promise<true | undefined>
  /** Drops the typed text, because it was stored or is not a value. */
  readonly forget: () => void
}

async function changeValue({ bank, typed, source, lock, run, forget }: Change): Promise<boolean> {
  if (typed !== '' && centsOf(wireTyped(typed)) === 0) {
    notify(said(words.bank_value_zero))
    forget()
    return false
  }
  if (typed === '' || !(await isMeant(bank, typed))) {
    forget()
    return false
  }
  const { id, value: current_value, attempts } = bank
  const body = { id, current_value, new_value: wireTyped(typed), attempts, handle_lock: lock, locked: lock || bank.locked, source }
  const done = await run(() => send(() => callApi(lock ? bankValueCalls.lock : bankValueCalls.update, { body })))
  if (done) forget()
  return done ?? false
}

/** Warns before the last change of the day, which locks the value. */
function isMeant(bank: BankValue, typed: string): Promise<boolean> {
  if (bank.attempts > 1) return Promise.resolve(true)
  return confirm({
    title: 'Last change of today',
    message: ownWords.last_attempt,
    consequence: ownWords.last_attempt_consequence(wireTyped(typed)),
    confirmLabel: 'Change and lock',
  })
}

function toggleLock(bank: BankValue, locked: boolean): Promise<true> {
  const { id, value, attempts } = bank
  const body = { id, current_value: value, new_value: value, attempts, handle_lock: true, locked, source: 'button' } as const
  return send(() => callApi(bankValueCalls.lock, { body }))
}

type Changed = BankValue & { readonly success: boolean; readonly message: string }

/** Shows the response at once; if another user was first, their value. */
async function send(call: () => Promise<Changed>): Promise<true> {
  try {
    const { success, message, ...bank } = await call()
    queryClient.setQueryData(bankQuery.queryKey, bank)
    resultNotice({ success, message })
    refreshDesk()
    return true
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 409) refreshDesk()
    throw error
  }
}

/** Converts typed text to money in wire format: '12.' and '12' become 12.00. */
function wireTyped(typed: string): string {
  return wireOf(centsOf(`${typed === '' || typed.startsWith('.') ? '0' : ''}${typed}`.replace(/\.$/, '')))
}

function isChanged({ value }: BankValue, typed: string): boolean {
  return typed === '' ? centsOf(value) !== 0 : centsOf(wireTyped(typed)) !== centsOf(value) || centsOf(value) === 0
}
