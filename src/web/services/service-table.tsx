import { useMemo } from 'react'
import { service, type Service } from '#contract/services/service.ts'
import { FailedAttempt } from '../kernel/attempt.tsx'
import { DeleteItem, type DestroyCall } from '../kernel/lists/delete-item.tsx'
import type { ExportCall } from '../kernel/lists/export-button.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Figure, Missing, StatusDot } from '../ui/status.tsx'
import { serviceLabel } from '../utility-services/utility-services.ts'
import styles from './services.module.css'
import { useServiceOrder, type OrderCalls } from './use-service-order.ts'

/** The parameters of an account's path: `{ client_id, billable_account_id }`. */
export type AccountParams = { client_id: number; billable_account_id?: number; supply_account_id?: number }

export interface ServiceTableProps<Params extends AccountParams> {
  calls: OrderCalls<Params> & { exportCsv: ExportCall<Params>; destroy: DestroyCall<Params & { id: number }> }
  /** Must be memoized. */
  params: Params
  /** Path of the account's services. */
  at: string
}

/** The services of a billable or supply account in their sort order; inactive ones come last. */
export function ServiceTable<Params extends AccountParams>({ calls, params, at }: ServiceTableProps<Params>) {
  const mayEdit = useCan('service.update')
  const ordering = useServiceOrder(calls, params, mayEdit)
  const cells = ordering?.draggable ? draggableCells : plainCells
  const grid = useMemo(() => ({ order: ordering?.order, faded: isInactive }), [ordering])
  const editHref = (row: Service) => `${at}/${row.id}/edit`
  const page = { entity: service, calls, params, columns, cells, grid, rowLabel: meterOf, rowHref: mayEdit ? editHref : undefined }
  return (
    <>
      <ListPage
        {...page}
        addNew={{ href: `${at}/new`, may: 'service.create' }}
        empty={<NoServices href={`${at}/new`} />}
        actions={(row) => (
          <>
            <Can do="service.update">
              <MenuItem href={editHref(row)}>Edit Service</MenuItem>
            </Can>
            <Can do="service.destroy">
              <DeleteItem label="Delete Service" call={calls.destroy} params={{ ...params, id: row.id }} name={row.meter_number} />
            </Can>
          </>
        )}
      />
      {ordering && <FailedAttempt attempt={ordering.attempt} what="Order not saved" again={ordering.again} />}
      <div className="sr-only" role="status">
        {ordering?.said}
      </div>
    </>
  )
}

function NoServices({ href }: { href: string }) {
  return (
    <EmptyState
      title="This account has no services yet"
      actions={
        <Can do="service.create">
          <ButtonLink kind="primary" href={href}>
            Add New
          </ButtonLink>
        </Can>
      }
    >
      A service is a meter, or whatever else the account’s bills have a line for.
    </EmptyState>
  )
}

const columns = [
  { key: 'rank', width: 130, grow: false },
  'service_name_1',
  'service_name_2',
  'meter_number',
  'utility_service_name',
  'active',
] as const
const plainCells = {
  utility_service_name: (row: Service) => (row.utility_service_name === null ? <Missing /> : serviceLabel(row.utility_service_name)),
  active: (row: Service) => <StatusDot tone={row.active ? 'ok' : 'grey'}>{row.active ? 'Active' : 'Inactive'}</StatusDot>,
}
const draggableCells = { ...plainCells, rank: rankWithHandle }

/** The handle is only for the pointer; the row's menu and Alt with the arrows do the same. */
function rankWithHandle({ rank }: Service) {
  return (
    <span className={styles.rank}>
      <span data-drag="" className={styles.handle} aria-hidden="true">
        ⠿
      </span>
      <Figure value={rank === null ? null : String(rank)} />
    </span>
  )
}

function isInactive(row: Service): boolean {
  return !row.active
}

function meterOf(row: Service): string {
  return row.meter_number
}
