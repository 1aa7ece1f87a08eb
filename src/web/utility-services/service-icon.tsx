/** Icons of service types by the utility service's name. Drawn as bare paths, because grid cells contain no library components. */
import type { ReactNode } from 'react'
import type { ServiceType } from '#contract/accounts/account-fields.ts'
import { Missing } from '../ui/status.tsx'
import styles from './service-icon.module.css'

/** One path per icon, 24 x 24. */
const paths: Readonly<Record<string, string>> = {
  Electric: 'M13 2 4 14h7l-1 8 9-12h-7l1-8z',
  Waste: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6',
  Telecom: 'M5 4h4l2 5-3 2a12 12 0 0 0 5 5l2-3 5 2v4a2 2 0 0 1-2 2A17 17 0 0 1 3 6a2 2 0 0 1 2-2z',
  'Natural Gas': 'M12 2c1 4 6 6 6 12a6 6 0 0 1-12 0c0-3 2-4 3-7 1 1 1.500 2 2 3 1-2 1.500-5 1-8z',
  Water: 'M12 3s7 7 7 12a7 7 0 0 1-14 0c0-5 7-12 7-12z',
  Diesel: 'M4 21V4h9v17M3 21h11M13 10h3v8a2 2 0 0 0 4 0V9l-3-3M7 8h3',
  Gasoline: 'M4 21V4h9v17M3 21h11M13 10h3v8a2 2 0 0 0 4 0V9l-3-3M6 9h5M8.500 13v3',
  Sewer: 'M3 8h11a4 4 0 0 1 4 4v2M3 12h9M3 8V6M3 14v-2M18 17v.010M15 20v.010M21 20v.010',
  Propane: 'M8 7h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-8a3 3 0 0 1 3-3zM9 7V4h6v3M5 14h14',
}
const otherPath = 'M12 4v5M8 4v5M16 4v5M6 9h12v4a6 6 0 0 1-12 0zM12 19v3'

/** Returns the icon alone; `data-service` names it. */
export function serviceIcon(name: string): ReactNode {
  const path = paths[name]
  return (
    <svg className={styles.icon} data-service={path ? name : 'other'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path ?? otherPath} />
    </svg>
  )
}

/** Returns the icon with its name. */
export function serviceLabel(name: string): ReactNode {
  return (
    <span className={styles.type}>
      {serviceIcon(name)}
      {name}
    </span>
  )
}

/** Returns the types of an account's services. */
export function serviceTypes(types: readonly ServiceType[] | null): ReactNode {
  const names = [...new Set(types?.map(({ name }) => name))]
  if (names.length === 0) return <Missing word="no services" />
  return (
    <span className={styles.types}>
      {names.map((name) => (
        <span key={name}>{serviceLabel(name)}</span>
      ))}
    </span>
  )
}
