import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { clientCalls } from '#contract/clients/client.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Breadcrumbs } from '../ui/page-header.tsx'

export type VendorNumberFrameProps = { clientId: number; page?: string; children: ReactNode }

/** Wraps the pages of vendor numbers and names their client, because these pages do not change the scope, which may be another client. */
export function VendorNumberFrame({ clientId, page, children }: VendorNumberFrameProps) {
  const asked = useQuery(apiQuery(clientCalls.get, { params: { id: clientId } }))
  if (asked.error) return <RecordGate asked={asked}>{() => null}</RecordGate>
  const list = { label: 'Vendor Numbers', href: `/clients/${clientId}/client_vendor_numbers` }
  return (
    <>
      <Breadcrumbs
        items={[
          { label: 'Clients', href: '/clients' },
          { label: asked.data?.client.name ?? '…', href: `/clients/${clientId}/dashboard` },
          ...(page === undefined ? [{ label: list.label }] : [list, { label: page }]),
        ]}
      />
      {children}
    </>
  )
}
