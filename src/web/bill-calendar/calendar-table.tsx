import { useMemo, useState } from 'react'
import { accountStates, calendarMonthsAt, type CalendarCalls, type CalendarRow } from '#contract/bill-calendar/bill-calendar.ts'
import type { CalendarDate, CalendarMonth } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import type { ListedEntity } from '../kernel/lists/list-state.ts'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { calendarCell, cellTip } from './calendar-cell.tsx'

export interface CalendarTableProps<Plural extends string> {
  entity: ListedEntity<Plural>
  calls: CalendarCalls<Plural>
  clientId: number
  /** Path of the accounts of this kind. */
  accounts: string
}

/** Accounts with their last 13 months. The keyboard works as in every list, and Enter opens the bill of a month. */
export function CalendarTable<Plural extends string>({ entity, calls, clientId, accounts }: CalendarTableProps<Plural>) {
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const [today] = useState(() => todayIn(NEW_YORK, new Date()))
  const columns = useMemo(
    () => [...accountColumns, ...calendarMonthsAt(today).map((month) => monthColumn(month, today, { clientId, accounts }))],
    [today, clientId, accounts],
  )
  return (
    <ListPage<Plural, CalendarRow, { client_id: number }>
      entity={entity}
      calls={calls}
      params={params}
      columns={columns}
      title="Bill Calendar"
      rowHref={(row) => `${accounts}/${row.id}/dashboard`}
      rowLabel={({ account_number, name }) => `${account_number} ${name}`}
    />
  )
}

const accountColumns = [
  { key: 'account_number', label: 'Account', width: 128, grow: false, pinned: true },
  { key: 'facility', width: 120 },
  { key: 'name', hidden: true },
  { key: 'division_name', hidden: true },
  { key: 'vendor_name', hidden: true },
  {
    key: 'active',
    hidden: true,
    cell: ({ active }: CalendarRow) => (active ? 'Active' : 'Inactive'),
    filter: { kind: 'boolean', key: 'active', yes: 'Active', no: 'Inactive' },
  },
  {
    key: 'state',
    label: 'State',
    hidden: true,
    cell: (row: CalendarRow) => worstOf(row),
    filter: { kind: 'choice', key: 'state', options: accountStates },
  },
  { key: 'missing', label: 'Missing', hidden: true, cell: (row: CalendarRow) => countOf(row, 'missing') },
  { key: 'late', label: 'Late', hidden: true, cell: (row: CalendarRow) => countOf(row, 'late') },
] as const

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function monthColumn(month: CalendarMonth, today: CalendarDate, place: { clientId: number; accounts: string }): GridColumn<CalendarRow> {
  const cellOf = ({ cells }: CalendarRow) => cells.find((cell) => cell.month === month)
  return {
    key: `month_${month}`,
    label: `${monthNames[Number(month.slice(5)) - 1]} ’${month.slice(2, 4)}`,
    width: 68,
    grow: false,
    cell: (row) =>
      calendarCell(cellOf(row), {
        bill: (id) => `/clients/${place.clientId}/bills/${id}/dashboard`,
        bills: `${place.accounts}/${row.id}/bills`,
      }),
    tip: (row) => cellTip(cellOf(row), today),
  }
}

function countOf({ cells }: CalendarRow, state: 'missing' | 'late'): string {
  return String(cells.filter((cell) => cell.state === state).length)
}

function worstOf({ cells }: CalendarRow): string {
  const found = accountStates.find(({ value }) => cells.some((cell) => cell.state === value))
  return found?.label ?? 'Complete'
}
