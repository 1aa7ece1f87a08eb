import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { notificationKinds, notificationPreferenceCalls, type NotificationChoice } from '#contract/notifications/notification-preference.ts'
import type { NotificationKind } from '#contract/notifications/notification.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { apiQuery } from '../kernel/query.ts'
import { ErrorState, Skeleton } from '../ui/states.tsx'
import styles from './notification-preferences.module.css'

const places = [
  { key: 'in_app', label: 'In the console' },
  { key: 'mail', label: 'By mail' },
] as const
const asked = apiQuery(notificationPreferenceCalls.preferences, {})

/** The signed-in user's channels for each kind of notification. Every checkbox takes effect at once. */
export function NotificationPreferences() {
  const { data, error, refetch } = useQuery(asked)
  const { attempt, choose, again } = useChoose()
  if (error && !data) return <ErrorState title="Your notifications could not be loaded" onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={180} />
  return (
    <>
      <table className={styles.table}>
        <caption className="sr-only">Which notifications you get, and where</caption>
        <thead>
          <tr>
            <th scope="col">Tell me about</th>
            {places.map(({ key, label }) => (
              <th key={key} scope="col" className={styles.place}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {notificationKinds.map(({ value, label, help }) => (
            <tr key={value}>
              <th scope="row" className={styles.kind}>
                {label}
                <span className={styles.help}>{help}</span>
              </th>
              {places.map((place) => (
                <td key={place.key} className={styles.place}>
                  <label className={styles.box}>
                    <input
                      type="checkbox"
                      aria-label={`${label}: ${place.label}`}
                      checked={data.preferences[value][place.key]}
                      onChange={(event) => choose(value, { ...data.preferences[value], [place.key]: event.currentTarget.checked })}
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <FailedAttempt attempt={attempt} again={again} />
    </>
  )
}

/** A checkbox changes at once, and changes back if the server rejects it. */
function useChoose() {
  const client = useQueryClient()
  const attempt = useAttempt()
  const [last, setLast] = useState<{ kind: NotificationKind; choice: NotificationChoice } | null>(null)
  const choose = (kind: NotificationKind, choice: NotificationChoice): void => {
    setLast({ kind, choice })
    const before = client.getQueryData(asked.queryKey)
    if (before) client.setQueryData(asked.queryKey, { preferences: { ...before.preferences, [kind]: choice } })
    void attempt.run(async () => {
      try {
        const saved = await callApi(notificationPreferenceCalls.savePreferences, { body: { preferences: { [kind]: choice } } })
        client.setQueryData(asked.queryKey, { preferences: saved.preferences })
      } catch (error) {
        client.setQueryData(asked.queryKey, before)
        throw error
      }
    })
  }
  return { attempt, choose, again: () => (last ? choose(last.kind, last.choice) : undefined) }
}
