import { useMemo } from 'react'
import { firstSectionOf } from '../home/home.ts'
import { messages, ownMessages } from '../kernel/notices/messages.ts'
import { useGo } from '../kernel/navigation.tsx'
import { accessQuery, useAccess, useIsProviderAdmin } from '../kernel/permissions.tsx'
import { optionsOf, rememberOption, useRemembering } from '../kernel/forms/picker.tsx'
import { queryClient } from '../kernel/query.ts'
import { scopeCalls } from '../kernel/scope-calls.ts'
import { setScope } from '../kernel/scope.ts'
import { ComboboxPanel } from '../ui/combobox/combobox-panel.tsx'
import { ClientPager } from './client-pager.tsx'
import styles from './shell.module.css'

/** Number of clients loaded at a time. */
const CLIENTS_PER_PAGE = 20
const clients = optionsOf('clients', scopeCalls.choices, {})
/** The option for no client; client ids begin at 1. */
const allClients = { id: 0, label: 'All clients', hint: ownMessages.admin_view }

export function ClientPickerPanel({ scopeId, close }: { scopeId: number | null; close: () => void }) {
  const go = useGo()
  const { access } = useAccess()
  const searches = useIsProviderAdmin()
  const mayLeave = access?.client_only_user === false
  const remembering = useRemembering(clients)
  const source = useMemo(() => ({ ...remembering, lead: mayLeave ? [allClients] : undefined }), [remembering, mayLeave])
  const choose = async (id: number) => {
    close()
    setScope(id === allClients.id ? null : id)
    if (id === allClients.id) return go('/')
    rememberOption(clients, id)
    go(await placeOf(id, access?.client_only_user ?? false))
  }
  const chosen = useMemo(() => [{ id: scopeId ?? allClients.id, label: '' }], [scopeId])
  return (
    <div className={styles.pickerPanel}>
      <ComboboxPanel
        fieldLabel={searches ? messages.search_by_client : undefined}
        listLabel="Clients"
        source={source}
        chosen={chosen}
        per={CLIENTS_PER_PAGE}
        turnsPages
        onPick={({ id }) => void choose(id)}
        footer={({ lookup }) => <ClientPager total={lookup.total} page={lookup.page} onPage={lookup.setPage} />}
      />
    </div>
  )
}

/** A client opens on its dashboard; for a user limited to clients, on the first section that the user may read. */
async function placeOf(id: number, clientOnly: boolean): Promise<string> {
  if (!clientOnly) return `/clients/${id}/dashboard`
  try {
    const access = await queryClient.fetchQuery(accessQuery(id))
    return firstSectionOf(id, access.permissions)
  } catch {
    return `/clients/${id}/dashboard`
  }
}
