import { lazy, Suspense, useSyncExternalStore } from 'react'
import { Bell as BellIcon } from 'lucide-react'
import { markSeen, subscribeLive, unseenCount } from '../kernel/notices/live.ts'
import { cx } from '../ui/class-names.ts'
import { countText } from '../ui/count-text.ts'
import { Popover } from '../ui/popover.tsx'
import { Skeleton } from '../ui/states.tsx'
import styles from './shell.module.css'

const BellPanel = lazy(() => import('./bell-panel.tsx').then((module) => ({ default: module.BellPanel })))

/** The bell: the number of messages since it was last opened, and a popover with links to their subjects. */
export function Bell() {
  const count = useSyncExternalStore(subscribeLive, unseenCount)
  return (
    <Popover
      align="end"
      label={count > 0 ? `Notifications, ${count} new` : 'Notifications'}
      onOpen={markSeen}
      trigger={
        <span className={styles.bell}>
          <BellIcon size={18} aria-hidden="true" />
          {count > 0 && (
            <span className={cx(styles.badge, 'num')} data-count={count}>
              {countText(count)}
            </span>
          )}
        </span>
      }
    >
      {(close) => (
        <Suspense fallback={<Skeleton width={220} />}>
          <BellPanel close={close} />
        </Suspense>
      )}
    </Popover>
  )
}
