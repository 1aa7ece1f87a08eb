/** Reading a statement file: what each line is comes first, then the file is stored at once. */
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { bankStatementCalls, type PlannedLine } from '#contract/bank-statements/bank-statement.ts'
import type { CsvMapping } from '#contract/bank-statements/csv-mapping.ts'
import type { ReplyOf } from '#contract/kernel/call.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { pageSizeMax } from '#contract/kernel/query.ts'
import { originatingProfileCalls } from '#contract/originating-profiles/originating-profile.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { useGo } from '../kernel/navigation.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { FileField } from '../ui/fields/file-field.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import plain from '../ui/plain-table.module.css'
import { Missing } from '../ui/status.tsx'
import styles from './bank-statements.module.css'
import { CsvForm } from './csv-form.tsx'
import { LineState } from './line-state.tsx'
import { refreshStatements, statementsHref } from './refresh-statements.ts'

type Plan = ReplyOf<typeof bankStatementCalls.preview>

interface Sent {
  readonly originating_profile_id: number
  readonly file_name: string
  readonly content: string
  readonly mapping: CsvMapping | null
  readonly opening: string | null
  readonly closing: string | null
}

export function ReadStatementFile() {
  const profiles = useQuery(apiQuery(originatingProfileCalls.list, { query: { per: pageSizeMax } }))
  const [profile, setProfile] = useState('')
  const [files, setFiles] = useState<readonly File[]>([])
  const [laid, setLaid] = useState<{ readonly sent: Sent; readonly plan: Plan } | null>(null)
  const attempt = useAttempt()
  const lay = (sent: Sent) => attempt.run(async () => setLaid({ sent, plan: await callApi(bankStatementCalls.preview, { body: sent }) }))
  const begin = async (id: string, [file]: readonly File[]) => {
    setLaid(null)
    attempt.forget()
    if (id === '' || !file) return
    const content = await file.text()
    await lay({ originating_profile_id: Number(id), file_name: file.name, content, mapping: null, opening: null, closing: null })
  }
  return (
    <section className={styles.page} aria-label="Read Bank Statement">
      <Breadcrumbs items={[{ label: 'Bank Statements', href: statementsHref }, { label: 'Read Bank Statement' }]} />
      <PageHeader title="Read Bank Statement" />
      <SelectField
        label="Bank Profile"
        hint="The account that the statement is of. It must have an account number."
        required
        emptyLabel="Choose a bank profile"
        value={profile}
        options={(profiles.data?.originating_profiles ?? []).map(({ id, name, client_name, bank_name }) => ({
          value: String(id),
          label: [client_name, name, bank_name].filter((part) => part !== null).join(', '),
        }))}
        onChange={(id) => {
          setProfile(id)
          void begin(id, files)
        }}
      />
      <FileField
        label="Statement file of the bank"
        hint="BAI2 or CSV. Nothing is stored before you read it in."
        files={files}
        onChange={(chosen) => {
          setFiles(chosen)
          void begin(profile, chosen)
        }}
      />
      <FailedAttempt attempt={attempt} again={() => void begin(profile, files)} what="Not read" />
      {laid && <Laid {...laid} busy={attempt.busy} lay={(sent) => void lay(sent)} />}
    </section>
  )
}

interface LaidProps {
  readonly sent: Sent
  readonly plan: Plan
  readonly busy: boolean
  readonly lay: (sent: Sent) => void
}

function Laid({ sent, plan, busy, lay }: LaidProps) {
  const go = useGo()
  const attempt = useAttempt()
  const lines = plan.statements.flatMap((one) => one.lines)
  const read = () =>
    attempt.run(async () => {
      try {
        const answer = await callApi(bankStatementCalls.read, { body: sent })
        resultNotice(answer)
        go(`${statementsHref}/${answer.id}`)
      } finally {
        refreshStatements()
      }
    })
  return (
    <>
      {plan.format === 'csv' && <CsvForm sent={sent} plan={plan} busy={busy} onChange={(change) => lay({ ...sent, ...change })} />}
      {plan.faults.length > 0 && (
        <div role="alert">
          <ul className={styles.faults} aria-label="Why the file cannot be read">
            {plan.faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </div>
      )}
      {plan.statements.map((one) => (
        <p key={one.from_day} className={styles.words}>
          {`${plan.bank_name || 'Account'} …${plan.account_last4}, ${formatDate(one.from_day)} to ${formatDate(one.to_day)}: from ${formatMoney(one.opening)} to ${formatMoney(one.closing)}, ${counted(one.lines.length)}.`}
        </p>
      ))}
      {lines.length > 0 && <PlannedLines lines={lines} />}
      {plan.statements.length > 0 && (
        <div className={styles.acts}>
          <Button kind="primary" busy={attempt.busy} onClick={() => void read()}>
            {`Read ${counted(lines.length)} · ${lines.filter(({ state }) => state === 'matched').length.toLocaleString('en-US')} cleared`}
          </Button>
          <FailedAttempt attempt={attempt} again={() => void read()} what="Not stored" />
        </div>
      )}
    </>
  )
}

/** The page shows so many lines of a file; all are stored. */
const shownMax = 500

function PlannedLines({ lines }: { lines: readonly PlannedLine[] }) {
  return (
    <div className={plain.scroll}>
      <table className={plain.table} aria-label="Lines of the file">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Date</th>
            <th scope="col" className={plain.figure}>
              Amount
            </th>
            <th scope="col">State</th>
            <th scope="col">Payment</th>
            <th scope="col">Reason</th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, shownMax).map((line) => (
            <tr key={`${line.day} ${line.line}`}>
              <td className="num">{line.line}</td>
              <td className="num">{formatDate(line.day)}</td>
              <td className={`${plain.figure} num`}>{formatMoney(line.amount)}</td>
              <td>
                <LineState state={line.state} />
              </td>
              <td className={plain.text}>{line.clearable_name ?? <Missing word="no payment" />}</td>
              <td className={plain.text}>{line.reason}</td>
              <td className={plain.text}>{line.description}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > shownMax && (
        <p className={styles.words}>{`The first ${shownMax} of ${lines.length.toLocaleString('en-US')} lines are shown.`}</p>
      )}
    </div>
  )
}

const counted = (many: number): string => (many === 1 ? '1 line' : `${many.toLocaleString('en-US')} lines`)
