/** The values that a finding is measured against, and its history. Loaded when it is opened. */
import { useQuery } from '@tanstack/react-query'
import { reasonLabel, type FindingEvent } from '#contract/bill-findings/bill-finding.ts'
import { billFindingCalls } from '#contract/bill-findings/bill-finding-calls.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import styles from './bill-findings.module.css'
import { FindingChart } from './finding-chart.tsx'

export function FindingStory({ clientId, id }: { clientId: number; id: number }) {
  const asked = useQuery(apiQuery(billFindingCalls.get, { params: { client_id: clientId, id } }))
  return (
    <RecordGate asked={asked}>
      {({ series, events }) => (
        <div className={styles.story}>
          {series && <FindingChart series={series} />}
          <ol className={styles.events} aria-label="History of the finding">
            {events.map((event) => (
              <li key={event.id}>
                <span>{wordsOf(event)}</span>
                {event.comment && <q className={styles.comment}>{event.comment}</q>}
                <NewYorkTime at={event.created_at} className={styles.quiet} />
              </li>
            ))}
          </ol>
        </div>
      )}
    </RecordGate>
  )
}

const causes: Readonly<Record<string, string>> = {
  edit: 'after an edit of the bill',
  settings: 'after a change of the thresholds',
  audit: 'when it was audited again',
  undo: 'when a bulk change was undone',
}

function wordsOf({ event, user_name, reason, assigned_to_name, was, became }: FindingEvent): string {
  const who = user_name ?? 'The audit'
  const cause = causes[reason ?? '']
  switch (event) {
    case 'raised':
      return `Found: ${became ?? ''}`
    case 'resolved':
      return `${who} resolved it: ${reasonLabel(reason) ?? 'no reason given'}`
    case 'reopened':
      return [
        `${user_name && reason !== 'undo' ? `${user_name} opened it again` : 'Opened again'}${cause ? ` ${cause}` : ''}`,
        became && became !== was ? `: ${became}` : '',
      ].join('')
    case 'assigned':
      return assigned_to_name === null ? `${who} gave it to nobody` : `${who} gave it to ${assigned_to_name}`
    case 'commented':
      return `${who} said`
    case 'changed':
      return `It says now: ${became ?? ''}`
    case 'gone':
      return `No longer found${cause ? ` ${cause}` : ''}`
  }
}
