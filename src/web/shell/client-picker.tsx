import { useId } from 'react'
import { ChevronDown } from 'lucide-react'
import { useGo } from '../kernel/navigation.tsx'
import { messages, ownMessages } from '../kernel/messages.ts'
import { useAccess, useClientOnly, useIsProviderAdmin } from '../kernel/permissions.tsx'
import { queryClient } from '../kernel/query.ts'
import { setScope, useScopeClient } from '../kernel/scope.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { FieldFrame } from '../ui/fields/field-frame.tsx'
import fields from '../ui/fields/fields.module.css'
import { Popover } from '../ui/popover.tsx'
import { accessQuery } from '../kernel/permissions.tsx'
import { firstSectionOf } from '../home/landing.ts'
import { ClientChoices } from './client-choices.tsx'
import styles from './shell.module.css'
import { SEARCH_FROM, useClientChoices } from './use-client-choices.ts'

/** The dropdown in the header that scopes the console to a client, or clears the scope. */
export function ClientPicker() {
  const { id, client } = useScopeClient()
  const clientOnly = useClientOnly()
  const nobody = clientOnly ? messages.select_a_client : ownMessages.admin_view
  const name = id === null ? (clientOnly === undefined ? '…' : nobody) : (client?.name ?? `Client ${id}`)
  return (
    <Popover
      label={`Client: ${name}`}
      className={cx(styles.picker)}
      kind="default"
      trigger={
        <>
          <span className={styles.pickerName}>{name}</span>
          <ChevronDown size={14} aria-hidden="true" />
        </>
      }
    >
      {(close) => <PickerPanel scopeId={id} close={close} />}
    </Popover>
  )
}

function PickerPanel({ scopeId, close }: { scopeId: number | null; close: () => void }) {
  const go = useGo()
  const { access } = useAccess()
  const mayLeave = access?.client_only_user === false
  const searches = useIsProviderAdmin()
  const listId = useId()
  const choose = async (id: number) => {
    close()
    setScope(id)
    go(await placeOf(id, access?.client_only_user ?? false))
  }
  const choices = useClientChoices((id) => void choose(id))
  const keys = {
    'aria-activedescendant': choices.here < 0 ? undefined : `${listId}-${choices.here}`,
    onKeyDown: choices.onKeyDown,
  }
  return (
    <div className={styles.pickerPanel}>
      {searches && (
        <FieldFrame label={messages.search_by_client} hint={choices.short ? `Type ${SEARCH_FROM} or more characters` : undefined}>
          {(ids) => (
            <div className={fields.control}>
              <input
                {...ids}
                {...keys}
                className={fields.input}
                type="search"
                role="combobox"
                aria-controls={listId}
                aria-expanded="true"
                aria-autocomplete="list"
                autoComplete="off"
                value={choices.term}
                onChange={(event) => choices.type(event.currentTarget.value)}
              />
            </div>
          )}
        </FieldFrame>
      )}
      {mayLeave && (
        <Button
          kind="quiet"
          className={cx(styles.pickerLine, scopeId === null && styles.pickerHere)}
          onClick={() => {
            close()
            setScope(null)
            go('/')
          }}
        >
          {ownMessages.admin_view}
        </Button>
      )}
      <ClientChoices id={listId} choices={choices} scopeId={scopeId} keys={searches ? undefined : keys} />
    </div>
  )
}

/** A client opens on its dashboard, or for a client-only person on the first section that they may read in it. */
async function placeOf(id: number, clientOnly: boolean): Promise<string> {
  if (!clientOnly) return `/clients/${id}/dashboard`
  try {
    const access = await queryClient.fetchQuery(accessQuery(id))
    return firstSectionOf(id, access.permissions)
  } catch {
    return `/clients/${id}/dashboard`
  }
}
