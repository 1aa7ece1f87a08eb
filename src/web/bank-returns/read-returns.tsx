/** Reading a return file: what each entry would do is read first, then the ticked ones are applied at once. */
import { useState } from 'react'
import { bankReturnCalls, type PlannedReturn } from '#contract/bank-returns/bank-return.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import type { ReplyOf } from '#contract/kernel/call.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { useGo } from '../kernel/navigation.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { useLaidFile } from '../kernel/use-laid-file.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { FileField } from '../ui/fields/file-field.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import plain from '../ui/plain-table.module.css'
import { Missing } from '../ui/status.tsx'
import styles from './bank-returns.module.css'
import { refreshReturns } from './return-list.tsx'
import { ReturnState } from './return-state.tsx'

interface Laid {
  readonly sent: { readonly file_name: string; readonly content: string }
  readonly plan: ReplyOf<typeof bankReturnCalls.preview>
}

export function ReadReturnFile() {
  const { files, laid, attempt, choose, again } = useLaidFile<Laid>(async (file) => {
    const sent = { file_name: file.name, content: await file.text() }
    return { sent, plan: await callApi(bankReturnCalls.preview, { body: sent }) }
  })
  return (
    <section className={styles.page} aria-label="Read Return File">
      <Breadcrumbs items={[{ label: 'Bank Returns', href: '/global_batch/returns' }, { label: 'Read Return File' }]} />
      <PageHeader title="Read Return File" />
      <FileField
        label="Return file of the bank"
        hint="A NACHA file with returns (addenda 99) or notices of change (addenda 98). Nothing is stored before you apply it."
        files={files}
        onChange={choose}
      />
      <FailedAttempt attempt={attempt} again={again} what="Not read" />
      {laid && <Preview key={laid.sent.content} laid={laid} />}
    </section>
  )
}

function Preview({ laid: { sent, plan } }: { laid: Laid }) {
  const go = useGo()
  const attempt = useAttempt()
  const fit = plan.entries.filter(({ state }) => state === 'left')
  const [ticked, setTicked] = useState<ReadonlySet<number>>(() => new Set(fit.map(({ line }) => line)))
  const chosen = fit.filter(({ line }) => ticked.has(line))
  const total = formatMoney(sumMoney(chosen.filter(({ kind }) => kind === 'return').map(({ amount }) => amount)))
  const toggle = (lines: readonly number[], on: boolean) =>
    setTicked((before) => new Set([...before].filter((line) => !lines.includes(line)).concat(on ? lines : [])))
  const apply = async () => {
    const message = `Apply ${counted(chosen.length)}?`
    const left = fit.length - chosen.length
    const consequence = `${total} open again. ${left > 0 ? `${counted(left)} left out, to be applied later. ` : ''}This cannot be taken back.`
    if (!(await confirm({ message, consequence, confirmLabel: 'Apply' }))) return
    await attempt.run(async () => {
      try {
        resultNotice(await callApi(bankReturnCalls.read, { body: { ...sent, lines: chosen.map(({ line }) => line) } }))
        go('/global_batch/returns')
      } finally {
        refreshReturns()
      }
    })
  }
  return (
    <>
      <p className={styles.words}>
        {`${plan.bank_name === '' ? 'The bank' : plan.bank_name}, ${formatDate(plan.file_day)}: ${counted(plan.entries.length)}, ${fit.length.toLocaleString('en-US')} of them can be applied.`}
      </p>
      {plan.read_before !== null && <p className={styles.warning} role="status">{`This file was read already: ${plan.read_before}.`}</p>}
      <div className={plain.scroll}>
        <table className={plain.table} aria-label="Entries">
          <thead>
            <tr>
              <th scope="col">
                <CheckboxField
                  label="All"
                  checked={chosen.length > 0 && chosen.length === fit.length}
                  mixed={chosen.length > 0 && chosen.length < fit.length}
                  disabled={fit.length === 0}
                  onChange={(on) =>
                    toggle(
                      fit.map(({ line }) => line),
                      on,
                    )
                  }
                />
              </th>
              <th scope="col">Code</th>
              <th scope="col" className={plain.figure}>
                Amount
              </th>
              <th scope="col">What it does</th>
              <th scope="col">Payer</th>
              <th scope="col">Vendor</th>
              <th scope="col">Trace Number</th>
            </tr>
          </thead>
          <tbody>
            {plan.entries.map((entry) => (
              <Entry key={entry.line} entry={entry} checked={ticked.has(entry.line)} onChange={(on) => toggle([entry.line], on)} />
            ))}
          </tbody>
        </table>
        <div className={styles.acts}>
          <Button
            kind="primary"
            busy={attempt.busy}
            disabledReason={plan.read_before === null ? undefined : 'This file was read already'}
            onClick={() => void apply()}
          >
            {chosen.length === 0
              ? `Store ${counted(plan.entries.length)}, apply none`
              : `Apply ${counted(chosen.length)} · ${total} open again`}
          </Button>
          <FailedAttempt attempt={attempt} again={() => void apply()} what="Not applied" />
        </div>
      </div>
    </>
  )
}

function Entry({ entry, checked, onChange }: { entry: PlannedReturn; checked: boolean; onChange: (on: boolean) => void }) {
  const { line, kind, code, code_words: words, state, outcome, amount, payer_name: payer, vendor_name: vendor } = entry
  return (
    <tr data-state={state}>
      <td>
        <CheckboxField label={`Line ${line}`} checked={state === 'left' && checked} disabled={state !== 'left'} onChange={onChange} />
      </td>
      <td className={plain.text}>{`${code} ${words}`}</td>
      <td className={`${plain.figure} num`}>{kind === 'return' ? formatMoney(amount) : <Missing word="no money" />}</td>
      <td className={plain.text}>
        {state !== 'left' && (
          <div>
            <ReturnState state={state} />
          </div>
        )}
        {outcome}
      </td>
      <td className={plain.text}>{payer ?? <Missing word="nobody" />}</td>
      <td className={plain.text}>{vendor ?? <Missing word="none" />}</td>
      <td className="num">{entry.original_trace}</td>
    </tr>
  )
}

const counted = (many: number): string => (many === 1 ? '1 entry' : `${many.toLocaleString('en-US')} entries`)
