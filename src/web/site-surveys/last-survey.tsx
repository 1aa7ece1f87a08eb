import { useQuery } from '@tanstack/react-query'
import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { siteSurveyCalls, type ListedSurvey, type SiteSurvey } from '#contract/site-surveys/site-survey.ts'
import { callWith } from '../kernel/api.ts'
import { useAttempt } from '../kernel/attempt.tsx'
import { apiQuery } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import styles from './site-surveys.module.css'

export interface LastSurveyProps {
  readonly clientId: number
  readonly facilityId: number | null
  readonly onCopy: (survey: SiteSurvey) => void
}

/** Offers the newest survey of the chosen facility as the start of a new one; renders nothing if there is none. */
export function LastSurvey({ clientId, facilityId, onCopy }: LastSurveyProps) {
  const asked = useQuery({
    ...apiQuery(siteSurveyCalls.list, {
      params: { client_id: clientId },
      query: { q: { facility_id_eq: facilityId ?? 0, s: 'created_at desc' }, per: '1', with_total: 'false' },
    }),
    enabled: facilityId !== null,
  })
  const last = facilityId === null ? undefined : asked.data?.site_surveys[0]
  return last && <Offer key={last.id} last={last} onCopy={onCopy} />
}

function Offer({ last, onCopy }: { last: ListedSurvey; onCopy: (survey: SiteSurvey) => void }) {
  const attempt = useAttempt()
  const copy = () =>
    attempt.run(async () => {
      const found = await callWith(siteSurveyCalls.get, { params: { client_id: last.client_id, id: last.id } })
      onCopy(found.site_survey)
    })
  return (
    <p className={styles.last}>
      <span>
        Last survey of this facility: {last.name}, {formatDate(todayIn(NEW_YORK, last.created_at))}
      </span>
      <Button small busy={attempt.busy} onClick={() => void copy()}>
        Copy it
      </Button>
    </p>
  )
}
