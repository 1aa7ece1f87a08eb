/** Reading a file of check numbers: its rows are shown beside their payments first, then recorded at once. */
import type { PlannedCheck } from '#contract/issued-checks/issued-check.ts'
import { issuedCheckCalls } from '#contract/issued-checks/issued-check-calls.ts'
import type { ReplyOf } from '#contract/kernel/call.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { useGo } from '../kernel/navigation.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { useLaidFile } from '../kernel/use-laid-file.ts'
import { Button } from '../ui/button.tsx'
import { FileField } from '../ui/fields/file-field.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import plain from '../ui/plain-table.module.css'
import { Faults } from './faults.tsx'
import styles from './issued-checks.module.css'
import { refreshChecks } from './refresh-checks.ts'

interface Laid {
  readonly content: string
  readonly plan: ReplyOf<typeof issuedCheckCalls.preview>
}

export function ReadCheckNumbers() {
  const { files, laid, attempt, choose, again } = useLaidFile<Laid>(async (file) => {
    const content = await file.text()
    return { content, plan: await callApi(issuedCheckCalls.preview, { body: { content } }) }
  })
  return (
    <section className={styles.page} aria-label="Read Check Numbers">
      <Breadcrumbs items={[{ label: 'Checks', href: '/global_batch/checks' }, { label: 'Read Check Numbers' }]} />
      <PageHeader title="Read Check Numbers" />
      <FileField
        label="File of the printer or the bank"
        hint="CSV with the columns Reference (as VP-12), Check Number and Date; Amount is compared where it is there. A wrong row stops the whole file."
        files={files}
        onChange={choose}
      />
      <Faults attempt={attempt} field="content" label="Wrong rows" again={again} what="Not read" />
      {laid && <Preview key={laid.content} laid={laid} />}
    </section>
  )
}

function Preview({ laid: { content, plan } }: { laid: Laid }) {
  const go = useGo()
  const attempt = useAttempt()
  const read = async () => {
    await attempt.run(async () => {
      try {
        resultNotice(await callApi(issuedCheckCalls.read, { body: { content } }))
        go('/global_batch/checks')
      } finally {
        refreshChecks()
      }
    })
  }
  return (
    <div className={plain.scroll}>
      <table className={plain.table} aria-label="Check numbers">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Payment</th>
            <th scope="col">Check Number</th>
            <th scope="col">Date</th>
            <th scope="col" className={plain.figure}>
              Amount
            </th>
            <th scope="col">Vendor</th>
            <th scope="col">Payer</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {plan.checks.map((check) => (
            <CheckRow key={check.line} check={check} />
          ))}
        </tbody>
      </table>
      <div className={styles.acts}>
        <Button
          kind="primary"
          busy={attempt.busy}
          disabledReason={plan.recorded === 0 ? 'All these numbers are recorded already' : undefined}
          onClick={() => void read()}
        >
          {plan.recorded === 1
            ? `Record 1 number · ${formatMoney(plan.total)}`
            : `Record ${plan.recorded.toLocaleString('en-US')} numbers · ${formatMoney(plan.total)}`}
        </Button>
        <FailedAttempt attempt={attempt} again={() => void read()} what="Not recorded" />
      </div>
    </div>
  )
}

function CheckRow({ check }: { check: PlannedCheck }) {
  return (
    <tr>
      <td className="num">{check.line}</td>
      <td className="num">{check.payment_name}</td>
      <td className="num">{check.check_number}</td>
      <td className="num">{formatDate(check.check_date)}</td>
      <td className={`${plain.figure} num`}>{formatMoney(check.amount)}</td>
      <td className={plain.text}>{check.vendor_name}</td>
      <td className={plain.text}>{check.payer_name}</td>
      <td>{check.known ? 'Nothing: known already' : 'Records the number'}</td>
    </tr>
  )
}
