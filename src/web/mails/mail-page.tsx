import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { mail, mailCalls, type Mail } from '#contract/mails/mail.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { Button } from '../ui/button.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import { Missing } from '../ui/status.tsx'
import { MailState } from './mail-state.tsx'
import styles from './mails.module.css'
import { sendAgain } from './send-again.ts'

/** /settings/mails/:id: one mail, its state, and its text if the user may read it. */
export function MailPage() {
  const asked = useQuery(apiQuery(mailCalls.get, { params: { id: usePathId('id') } }))
  return (
    <>
      <SettingsTabs />
      <RecordGate asked={asked}>{({ mail: row, text_body: text }) => <Shown row={row} text={text} />}</RecordGate>
    </>
  )
}

function Shown({ row, text }: { row: Mail; text: string | null }) {
  return (
    <article className={styles.page} aria-label={row.subject}>
      <Breadcrumbs items={[{ label: 'Mails', href: '/settings/mails' }, { label: row.subject }]} />
      <PageHeader
        title={row.subject}
        actions={
          row.can_send_again && (
            <Button kind="primary" onClick={() => void sendAgain(row.id)}>
              Send again
            </Button>
          )
        }
      >
        <MailState state={row.state} />
      </PageHeader>
      <dl className={styles.facts}>
        {factsOf(row).map(([label, value]) => (
          <div key={label} className={label === mail.fields.last_error.label ? styles.wide : undefined}>
            <dt>{label}</dt>
            <dd>{value ?? <Missing />}</dd>
          </div>
        ))}
      </dl>
      <h2 className={styles.heading}>Text</h2>
      {text === null ? (
        <p className={styles.hidden}>
          The text of mails is not shown here: it may hold a link with which somebody signs in, and that is for its receiver alone.
        </p>
      ) : (
        <pre className={styles.text}>{text}</pre>
      )}
    </article>
  )
}

function factsOf(row: Mail): (readonly [label: string, value: ReactNode])[] {
  const { fields } = mail
  const time = (at: string | null) => (at === null ? null : <NewYorkTime at={at} />)
  return [
    [fields.to_address.label, row.to_address],
    [fields.created_at.label, time(row.created_at)],
    [fields.sent_at.label, time(row.sent_at)],
    [fields.attempts.label, row.attempts],
    [fields.next_attempt_at.label, time(row.next_attempt_at)],
    [fields.expires_at.label, time(row.expires_at)],
    [fields.last_error.label, row.last_error],
  ]
}
