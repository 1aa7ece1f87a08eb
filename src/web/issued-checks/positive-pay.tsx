/** The checks that were not reported to banks yet, by account, and the file that reports them. */
import { useQuery } from '@tanstack/react-query'
import type { WaitingAccount } from '#contract/issued-checks/issued-check.ts'
import { issuedCheckCalls } from '#contract/issued-checks/issued-check-calls.ts'
import type { ReplyOf } from '#contract/kernel/call.ts'
import { addMoney, formatMoney } from '#contract/kernel/money.ts'
import { callApi } from '../kernel/api.ts'
import { useAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { openFile } from '../kernel/open-file.ts'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { UiLink } from '../ui/link.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import plain from '../ui/plain-table.module.css'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import { Faults } from './faults.tsx'
import styles from './issued-checks.module.css'
import { refreshChecks } from './refresh-checks.ts'

export function PositivePay() {
  const asked = useQuery(apiQuery(issuedCheckCalls.waiting, {}))
  return (
    <section className={styles.page} aria-label="Positive Pay">
      <Breadcrumbs items={[{ label: 'Checks', href: '/global_batch/checks' }, { label: 'Positive Pay' }]} />
      <PageHeader title="Positive Pay" actions={<ButtonLink href="/global_batch/files">File History</ButtonLink>} />
      <RecordGate asked={asked}>{(waiting) => <Waiting waiting={waiting} />}</RecordGate>
    </section>
  )
}

function Waiting({ waiting: { accounts, numbers_missing: missing } }: { waiting: ReplyOf<typeof issuedCheckCalls.waiting> }) {
  return (
    <>
      {missing > 0 && (
        <p className={styles.words}>
          <UiLink href="/global_batch/checks?q[state_eq]=waiting">
            {missing === 1 ? '1 check has no number yet' : `${missing.toLocaleString('en-US')} checks have no number yet`}
          </UiLink>
          , so no bank can be told of {missing === 1 ? 'it' : 'them'}.
        </p>
      )}
      {accounts.length === 0 ? (
        <EmptyState title="The banks know all checks">
          A check appears here when its number is recorded, and again when it is void.
        </EmptyState>
      ) : (
        <div className={plain.scroll}>
          <table className={plain.table} aria-label="Accounts with unreported checks">
            <thead>
              <tr>
                <th scope="col">Bank Profile</th>
                <th scope="col" className={plain.figure}>
                  Issued
                </th>
                <th scope="col" className={plain.figure}>
                  Void
                </th>
                <th scope="col">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {accounts.map((account, place) => (
                <AccountRow key={`${place} ${account.account_last4} ${account.originating_profile_id ?? ''}`} account={account} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

const counted = (count: number, total: string): string =>
  count === 0 ? 'none' : `${count.toLocaleString('en-US')} · ${formatMoney(total)}`

/** The number of checks with their sum below it, so that a narrow screen shows both and the button. */
function Figures({ count, total }: { count: number; total: string }) {
  return (
    <td className={`${plain.figure} num`}>
      {count === 0 ? <Missing word="none" /> : count.toLocaleString('en-US')}
      {count > 0 && <div>{formatMoney(total)}</div>}
    </td>
  )
}

function AccountRow({ account }: { account: WaitingAccount }) {
  const may = useCan('global_batch.update')
  const attempt = useAttempt()
  const { originating_profile_id: id, profile_name: profile, client_name: client, bank_name: bank } = account
  const write = async () => {
    if (id === null || !(await confirmed(account))) return
    await attempt.run(async () => {
      try {
        const answer = await callApi(issuedCheckCalls.exportPositivePay, { body: { originating_profile_id: id } })
        resultNotice(answer)
        await openFile(answer.batch_file_url)
      } finally {
        refreshChecks()
      }
    })
  }
  return (
    <tr>
      <th scope="row" className={plain.text}>
        {profile === null ? <Missing word="no active profile" /> : `${client ?? ''}: ${profile}${bank === null ? '' : `, ${bank}`}`}
        <div className={styles.note}>{`Account …${account.account_last4}${account.layout === null ? '' : `, ${account.layout}`}`}</div>
      </th>
      <Figures count={account.issued} total={account.issued_total} />
      <Figures count={account.void} total={account.void_total} />
      <td>
        <Button
          kind="primary"
          busy={attempt.busy}
          disabledReason={whyNot(account, may)}
          aria-label={`Export positive pay of account ${account.account_last4}`}
          onClick={() => void write()}
        >
          Export
        </Button>
        <Faults attempt={attempt} field="originating_profile_id" label="What prevents it" again={() => void write()} what="Not written" />
      </td>
    </tr>
  )
}

function whyNot({ originating_profile_id: id }: WaitingAccount, may: boolean): string | undefined {
  if (!may) return 'You may not export it'
  return id === null ? 'No active bank profile has this account' : undefined
}

function confirmed({ issued, void: ended, issued_total, void_total, account_last4 }: WaitingAccount): Promise<boolean> {
  const count = issued + ended
  return confirm({
    message: `Export ${count === 1 ? '1 check' : `${count.toLocaleString('en-US')} checks`} of account …${account_last4}?`,
    consequence: `Issued: ${counted(issued, issued_total)}. Void: ${counted(ended, void_total)}. Control sum of the file, issued and void: ${formatMoney(addMoney(issued_total, void_total))}. Each check is reported once: send the file to the bank. It stays in the file history.`,
    confirmLabel: 'Export',
  })
}
