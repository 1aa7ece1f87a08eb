import { useQuery, useQueryClient } from '@tanstack/react-query'
import { notificationKinds, notificationPreferenceCalls, type NotificationChoice } from '#contract/notification-preference.ts'
import type { NotificationKind } from '#contract/notification.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice } from '../kernel/notices.ts'
import { apiQuery } from '../kernel/query.ts'
import { ErrorState, Skeleton } from '../ui/states.tsx'
import styles from './notification-preferences.module.css'

const places = [
  { key: 'in_app', label: 'In the console' },
  { key: 'mail', label: 'By mail' },
] as const
const asked = apiQuery(notificationPreferenceCalls.preferences, {})

/** Where the signed-in person wants to hear of each kind of work. Every box acts at once. */
export function NotificationPreferences() {
  const { data, error, refetch } = useQuery(asked)
  const choose = useChoose()
  if (error && !data) return <ErrorState title="Your notifications could not be loaded" onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={180} />
  return (
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
                    onChange={(event) => void choose(value, { ...data.preferences[value], [place.key]: event.currentTarget.checked })}
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The box changes at once; it changes back when the server refuses. */
function useChoose() {
  const client = useQueryClient()
  return async (kind: NotificationKind, choice: NotificationChoice) => {
    const before = client.getQueryData(asked.queryKey)
    if (before) client.setQueryData(asked.queryKey, { preferences: { ...before.preferences, [kind]: choice } })
    try {
      const saved = await callApi(notificationPreferenceCalls.savePreferences, { body: { preferences: { [kind]: choice } } })
      client.setQueryData(asked.queryKey, { preferences: saved.preferences })
    } catch (error) {
      client.setQueryData(asked.queryKey, before)
      problemNotice(error)
    }
  }
}
