import { useSyncExternalStore } from 'react'
import { liveState, subscribeLive } from '../kernel/notices/live.ts'
import { ownMessages } from '../kernel/notices/messages.ts'
import styles from './shell.module.css'

/** Shows that the machine is offline or that the server cannot be reached; otherwise nothing. */
export function ConnectionBanner() {
  const online = useSyncExternalStore(subscribeOnline, () => navigator.onLine)
  const live = useSyncExternalStore(subscribeLive, liveState)
  const text = online ? (live === 'lost' ? ownMessages.server_unreachable : null) : ownMessages.offline
  return (
    <div role="status" className={text ? styles.banner : undefined}>
      {text}
    </div>
  )
}

function subscribeOnline(listener: () => void): () => void {
  globalThis.addEventListener('online', listener)
  globalThis.addEventListener('offline', listener)
  return () => {
    globalThis.removeEventListener('online', listener)
    globalThis.removeEventListener('offline', listener)
  }
}
