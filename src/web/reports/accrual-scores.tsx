/** Beside the form of the Accrual Report: how right each method was on this client's own bills, and a button that chooses one. */
import { useState } from 'react'
import {
  accrualScoreCalls,
  hiddenBills,
  type AccrualScores,
  type HiddenBills,
  type MethodScore,
  type ScoresAsked,
} from '#contract/reports/accrual-score-call.ts'
import { methodName } from '#contract/reports/accrual-score.ts'
import type { Report } from '#contract/reports/generated-report.ts'
import type { AccrualMethod } from '#contract/reports/report-form-data.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatAmount } from '#contract/kernel/money.ts'
import { callWith } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import plain from '../ui/plain-table.module.css'
import { Badge, Missing } from '../ui/status.tsx'
import { UnscoredAccounts, WorstAccounts } from './accrual-score-accounts.tsx'
import styles from './reports.module.css'

type ScoresProps = {
  clientId: number
  report: Report
  asked: Omit<ScoresAsked, 'hide'>
  onChoose: (method: AccrualMethod) => void
}

export function AccrualScoresPane({ clientId, report, asked, onChoose }: ScoresProps) {
  const attempt = useAttempt()
  const [hide, setHide] = useState<HiddenBills>('month_ends')
  const [shown, setShown] = useState<{ of: string; scores: AccrualScores } | null>(null)
  const { accrual_method: chosen, ledger_details: _, ...rest } = asked.form_data
  const now = JSON.stringify([rest, asked.assignable_type, asked.assignable_id, hide])
  const compare = async () => {
    const params = { client_id: clientId, id: report.id }
    const scores = await attempt.run(() => callWith(accrualScoreCalls.score, { params, body: { ...asked, hide } }))
    if (scores) setShown({ of: now, scores })
  }
  return (
    <section className={styles.preview} aria-label="Accrual methods">
      <div className={styles.previewHead}>
        <h2 className={styles.cardTitle}>Which method was right</h2>
        <Button busy={attempt.busy} onClick={() => void compare()}>
          {shown ? 'Compare again' : 'Compare methods'}
        </Button>
        {shown && shown.of !== now && <span className={styles.quiet}>The choices have changed since</span>}
        <FailedAttempt attempt={attempt} again={() => void compare()} what="Not compared" />
      </div>
      <SelectField
        label="Hide and accrue"
        name="hide"
        value={hide}
        options={hiddenBills}
        onChange={(typed) => setHide(hiddenBills.find(({ value }) => value === typed)?.value ?? hide)}
      />
      {!shown && (
        <p className={styles.quiet}>Each method accrues as if the bills had not come, and is compared with what those days cost.</p>
      )}
      {shown && <Scores clientId={clientId} scores={shown.scores} chosen={chosen} onChoose={onChoose} />}
    </section>
  )
}

type ShownProps = { clientId: number; scores: AccrualScores; chosen: AccrualMethod; onChoose: (method: AccrualMethod) => void }

function Scores({ clientId, scores, chosen, onChoose }: ShownProps) {
  const { methods, best, from, to } = scores
  const current = methods.find(({ method }) => method === chosen)
  const compared = current?.accounts ?? 0
  const when = from === null ? 'the last bill of each meter hidden' : `month ends ${formatDate(from)} to ${formatDate(to)}`
  return (
    <>
      <p className={`${styles.quiet} num`}>
        {`${compared.toLocaleString('en-US')} of ${scores.accounts.toLocaleString('en-US')} accounts compared: ${when}. Bias is accrued less actual; the error is weighted by cost.`}
      </p>
      {best && <p className={styles.text}>{`${methodName(best.method)} came nearest. ${best.reason}`}</p>}
      <div className={plain.scroll}>
        <table className={plain.table} aria-label="Methods of accrual">
          <thead>
            <tr>
              <th scope="col">Method</th>
              <th scope="col">
                <span className="sr-only">Choose</span>
              </th>
              {['Error %', 'Bias', 'Bias %', 'Accrued', 'Actual'].map((label) => (
                <th key={label} scope="col" className={plain.figure}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {methods.map((one) => (
              <MethodRow
                key={one.method}
                score={one}
                isBest={one.method === best?.method}
                isChosen={one.method === chosen}
                onChoose={onChoose}
              />
            ))}
          </tbody>
        </table>
      </div>
      {current && <WorstAccounts clientId={clientId} score={current} />}
      <UnscoredAccounts clientId={clientId} scores={scores} />
    </>
  )
}

type RowProps = { score: MethodScore; isBest: boolean; isChosen: boolean; onChoose: (method: AccrualMethod) => void }

function MethodRow({ score, isBest, isChosen, onChoose }: RowProps) {
  const { method, error_percent, bias, bias_percent, accrued, actual } = score
  const name = methodName(method)
  return (
    <tr>
      <th scope="row">
        {name} {isBest && <Badge tone="ok">Best</Badge>}
      </th>
      <td>
        {isChosen ? (
          'In the form'
        ) : (
          <Button small aria-label={`Use ${name}`} onClick={() => onChoose(method)}>
            Use
          </Button>
        )}
      </td>
      {[error_percent, formatAmount(bias), bias_percent, formatAmount(accrued), formatAmount(actual)].map((text, place) => (
        <td key={place} className={`${plain.figure} num`}>
          {text ?? <Missing word="no cost" />}
        </td>
      ))}
    </tr>
  )
}
