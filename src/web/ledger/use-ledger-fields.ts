/** The ledger fields of a client in their order, which are the columns of its ledger accounts. */
import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ledgerFieldCalls, ledgerFieldsMax, type LedgerField } from '#contract/ledger/ledger-field.ts'
import { messages, ownMessages, seconds } from '../kernel/notices/messages.ts'
import { apiQuery } from '../kernel/query.ts'
import { notify } from '../ui/dialogs/notices.ts'

const query = { q: { s: 'order asc' }, per: ledgerFieldsMax, with_total: 'false' } as const
const none: readonly LedgerField[] = []

export interface LedgerFieldsAsked {
  readonly fields: readonly LedgerField[]
  readonly loading: boolean
  /** The response does not contain them, or failed. */
  readonly missing: boolean
  readonly retry: () => void
}

/** Shows a notice if the response does not contain the fields. */
export function useLedgerFields(clientId: number): LedgerFieldsAsked {
  const asked = useQuery(apiQuery(ledgerFieldCalls.list, { params: { client_id: clientId }, query }))
  // The response is typed, but may still lack the fields.
  const found: readonly LedgerField[] | undefined = asked.data?.ledger_fields
  const missing = !asked.isPending && !Array.isArray(found)
  useEffect(() => {
    if (!missing) return
    const message = asked.error?.message ?? ownMessages.ledger_fields_missing
    notify({ id: 'ledger-fields', kind: 'error', title: messages.ledger_field_error, message, duration: seconds.usual })
  }, [missing, asked.error])
  return { fields: found ?? none, loading: asked.isPending, missing, retry: () => void asked.refetch() }
}
