/** The trail of a bill for an auditor: the charged, booked and paid amounts side by side, from the document to the bank. */
import { useQuery } from '@tanstack/react-query'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { billTrailCalls, trailSteps, type BillTrail, type TrailFact, type TrailStep } from '#contract/bill-trail/bill-trail.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { BillFrame } from './bill-page.tsx'
import styles from './trail.module.css'

export function BillTrailPage() {
  return <BillFrame>{(bill) => <Trail bill={bill} />}</BillFrame>
}

function Trail({ bill }: { bill: BillDetail }) {
  const params = { client_id: bill.client_id, id: bill.id }
  const asked = useQuery({ ...apiQuery(billTrailCalls.get, { params }), staleTime: 0 })
  return <RecordGate asked={asked}>{({ trail }) => <TrailTable trail={trail} />}</RecordGate>
}

const labels = new Map<string, string>(trailSteps.map(({ value, label }) => [value, label]))

function TrailTable({ trail }: { trail: BillTrail }) {
  return (
    <section className={styles.trail} aria-label="Trail of the bill">
      <Verdict trail={trail} />
      <div className={styles.scroll}>
        <table className={styles.table} aria-label="Trail">
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col" className={styles.figure}>
                Charged
              </th>
              <th scope="col" className={styles.figure}>
                Booked
              </th>
              <th scope="col" className={styles.figure}>
                Paid
              </th>
              <th scope="col">Who and when</th>
            </tr>
          </thead>
          <tbody>
            {trail.steps.map((step) => (
              <StepRow key={step.key} step={step} first={trail.breaks_at === step.key} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The three sums and whether they agree, which is what the page is opened for. */
function Verdict({ trail }: { trail: BillTrail }) {
  const sums = [
    ['Charged', trail.charged],
    ['Booked', trail.booked],
    ['Paid', trail.paid],
  ] as const
  return (
    <div className={styles.verdict}>
      <dl className={styles.sums}>
        {sums.map(([label, sum]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{sum === null ? <Missing word="nothing yet" /> : formatMoney(sum)}</dd>
          </div>
        ))}
      </dl>
      {trail.breaks_at === null ? (
        <StatusDot tone="ok">No break found</StatusDot>
      ) : (
        <StatusDot tone="bad" shape="triangle">{`Breaks at: ${labels.get(trail.breaks_at) ?? trail.breaks_at}`}</StatusDot>
      )}
    </div>
  )
}

function StepRow({ step, first }: { step: TrailStep; first: boolean }) {
  const isQuiet = step.state !== 'there'
  return (
    <tr data-quiet={isQuiet || undefined} data-broken={step.mark === 'broken' || undefined}>
      <th scope="row">
        <span className={styles.step}>{labels.get(step.key) ?? step.key}</span>
        <Mark step={step} first={first} />
      </th>
      <td className={`${styles.figure} num`}>{step.charged === null ? '' : formatMoney(step.charged)}</td>
      <td className={`${styles.figure} num`}>{step.booked === null ? '' : formatMoney(step.booked)}</td>
      <td className={`${styles.figure} num`}>{step.paid === null ? '' : formatMoney(step.paid)}</td>
      <td>
        {isQuiet && (step.why ?? 'Not yet')}
        {step.facts.length > 0 && (
          <ul className={styles.facts}>
            {step.facts.map((fact, place) => (
              <FactLine key={`${place} ${fact.text}`} fact={fact} />
            ))}
          </ul>
        )}
      </td>
    </tr>
  )
}

function Mark({ step, first }: { step: TrailStep; first: boolean }) {
  if (step.mark === null) return null
  if (step.mark === 'equal') return <StatusDot tone="ok">=</StatusDot>
  return (
    <span className={styles.why}>
      <StatusDot tone={step.mark === 'broken' ? 'bad' : 'warn'} shape="triangle">
        {first ? `First break: ${step.why ?? ''}` : (step.why ?? '')}
      </StatusDot>
    </span>
  )
}

function FactLine({ fact }: { fact: TrailFact }) {
  return (
    <li>
      <span>{fact.link === null ? fact.text : <UiLink href={fact.link}>{fact.text}</UiLink>}</span>
      {fact.amount !== null && <span className="num">{formatMoney(fact.amount)}</span>}
      {(fact.by !== null || fact.at !== null) && (
        <span className={styles.quiet}>
          {fact.by}
          {fact.by !== null && fact.at !== null && ', '}
          {fact.at !== null && <NewYorkTime at={fact.at} />}
        </span>
      )}
    </li>
  )
}
