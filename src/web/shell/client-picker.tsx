import { lazy, Suspense, useEffect } from 'react'
import { ChevronDown } from 'lucide-react'
import { messages, ownMessages } from '../kernel/notices/messages.ts'
import { useClientOnly } from '../kernel/permissions.tsx'
import { useScopeClient } from '../kernel/scope.ts'
import { useIdle } from '../kernel/use-idle.ts'
import { Popover } from '../ui/popover.tsx'
import { Skeleton } from '../ui/states.tsx'
import { CLIENT_PICKER_ID } from './open-client-picker.ts'
import styles from './shell.module.css'

// The first load is measured by a list's first rows, which do not need this code.
const loadPanel = () => import('./client-picker-panel.tsx')
const ClientPickerPanel = lazy(() => loadPanel().then((module) => ({ default: module.ClientPickerPanel })))

/** The dropdown in the header that scopes the console to a client, or clears the scope. */
export function ClientPicker() {
  const { id, client } = useScopeClient()
  const clientOnly = useClientOnly()
  const idle = useIdle()
  useEffect(() => void (idle && loadPanel().catch(() => undefined)), [idle])
  const nobody = clientOnly ? messages.select_a_client : ownMessages.admin_view
  const name = id === null ? (clientOnly === undefined ? '…' : nobody) : (client?.name ?? `Client ${id}`)
  return (
    <Popover
      id={CLIENT_PICKER_ID}
      label={`Client: ${name}`}
      className={styles.picker ?? ''}
      kind="default"
      trigger={
        <>
          <span className={styles.pickerName}>{name}</span>
          <ChevronDown size={14} aria-hidden="true" />
        </>
      }
    >
      {(close) => (
        <Suspense fallback={<Skeleton width={180} />}>
          <ClientPickerPanel scopeId={id} close={close} />
        </Suspense>
      )}
    </Popover>
  )
}
