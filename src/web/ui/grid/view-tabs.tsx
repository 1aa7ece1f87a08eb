import { UiLink } from '../link.tsx'
import styles from './view-tabs.module.css'

export interface ViewTab {
  readonly id: number | null
  readonly name: string
  readonly href: string
  readonly current: boolean
}

/** Saved views as links beside the list's title, each one press away; the rest of them are in the menu of views. */
export function ViewTabs({ views, onOpen }: { views: readonly ViewTab[]; onOpen: () => void }) {
  return (
    <nav aria-label="Views" className={styles.views}>
      {views.map(({ id, name, href, current }) => (
        <UiLink key={id} href={href} className={styles.view} aria-current={current ? 'page' : undefined} title={name} onClick={onOpen}>
          {name}
        </UiLink>
      ))}
    </nav>
  )
}
