/** A kind with the additional columns of one client's files. */
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { clientKind, type ImportKind } from '#contract/kernel/import.ts'
import { ledgerFieldCalls, ledgerFieldsMax } from '#contract/ledger/ledger-field.ts'
import { apiQuery } from '../kernel/query.ts'

const query = { q: { s: 'order asc' }, per: ledgerFieldsMax, with_total: 'false' } as const

/** The template, example and guide include these columns as soon as they are loaded. */
export function useClientKind(kind: ImportKind, clientId: number | undefined): ImportKind {
  const isOfClient = kind.clientColumns?.of === 'ledger_fields' && clientId !== undefined
  const asked = useQuery({ ...apiQuery(ledgerFieldCalls.list, { params: { client_id: clientId ?? 0 }, query }), enabled: isOfClient })
  const records = asked.data?.ledger_fields
  return useMemo(() => (records ? clientKind(kind, records) : kind), [kind, records])
}
