/** The tables of a bill's other tabs: its facilities and its copies. */
import { useQuery } from '@tanstack/react-query'
import type { BillDetail, BillFacility } from '#contract/bills/bill-detail.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import styles from './bills.module.css'

export function FacilityTable({ clientId, billId }: { clientId: number; billId: number }) {
  const asked = useQuery(apiQuery(billDetailCalls.facilities, { params: { client_id: clientId, id: billId } }))
  return (
    <RecordGate asked={asked}>
      {({ facilities }) =>
        facilities.length === 0 ? (
          <EmptyState title="This bill’s account has no facility" />
        ) : (
          <table className={styles.table} aria-label="Bill’s Facilities">
            <thead>
              <tr>
                <th scope="col">Facility</th>
                <th scope="col">Number</th>
                <th scope="col">Division</th>
                <th scope="col">Accounts</th>
              </tr>
            </thead>
            <tbody>
              {facilities.map((facility) => (
                <FacilityRow key={facility.id} clientId={clientId} facility={facility} />
              ))}
            </tbody>
          </table>
        )
      }
    </RecordGate>
  )
}

function FacilityRow({ clientId, facility }: { clientId: number; facility: BillFacility }) {
  return (
    <tr>
      <th scope="row">
        <UiLink href={`/clients/${clientId}/facilities/${facility.id}/dashboard`}>{facility.name}</UiLink>
      </th>
      <td className="num">{facility.number}</td>
      <td>{facility.division_name ?? <Missing />}</td>
      <td className="num">{facility.account_numbers.join(', ')}</td>
    </tr>
  )
}

export function FileTable({ bill }: { bill: BillDetail }) {
  return (
    <table className={styles.table} aria-label="File copies">
      <thead>
        <tr>
          <th scope="col">Copy</th>
          <th scope="col">File</th>
          <th scope="col">Kind</th>
        </tr>
      </thead>
      <tbody>
        {bill.files.map((file) => (
          <tr key={file.position}>
            <td className="num">{file.position}</td>
            <th scope="row">
              <UiLink href={file.href}>{file.filename}</UiLink>
            </th>
            <td>{file.content_type}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
