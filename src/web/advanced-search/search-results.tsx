/** What was found: billable and supply accounts as two lists, each with its number. */
import { useEffect, useEffectEvent, useMemo } from 'react'
import { foundBillable, foundSupply, searchedKinds, type FoundAccount, type SearchedKind } from '#contract/advanced-search.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { listColumns, type ColumnWish } from '../kernel/list-columns.tsx'
import type { ViewState } from '../kernel/list-views.tsx'
import { useGo } from '../kernel/navigation.tsx'
import { Can } from '../kernel/permissions.tsx'
import { serviceIcon } from '../services/service-icon.tsx'
import { ColumnChooser } from '../ui/grid/column-chooser.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import { Pager } from '../ui/grid/pager.tsx'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import styles from './advanced-search.module.css'
import type { SearchState } from './search-state.ts'
import { useFound, useTotals, type Totals } from './use-search.ts'

const entities = { billable_accounts: foundBillable, supply_accounts: foundSupply } as const

interface ResultsProps {
  readonly clientId: number | undefined
  readonly state: SearchState
  readonly views: ViewState
}

export function SearchResults({ clientId, state, views }: ResultsProps) {
  const { list, hrefOf } = state
  const totals = useTotals(clientId, list)
  const kind = state.kind ?? fullerKind(totals)
  const { rows, status } = useFound(clientId, kind, list)
  const go = useGo()
  const columns = useMemo(
    () => listColumns<FoundAccount>(foundBillable, { columns: wishes(clientId === undefined), cells, rowHref }),
    [clientId],
  )
  const { labels } = entities[kind]
  const total = totals?.[kind]
  useLastPage(list, total)
  return (
    <section aria-label="Results">
      <Tabs
        label="Results"
        items={searchedKinds.map((one) => ({
          href: hrefOf(one),
          label: entities[one].labels,
          count: totals?.[one].toLocaleString('en-US'),
          current: one === kind,
        }))}
        end={<ColumnChooser columns={columns} layout={views.layout} onLayoutChange={views.save} />}
      />
      <DataGrid
        label={labels}
        columns={columns}
        rows={views.ready ? rows : []}
        rowId={(row) => row.id}
        rowLabel={(row) => `${row.account_number} ${row.name}`}
        status={views.ready ? status : { kind: 'loading' }}
        total={total}
        sort={list.sort}
        onSortChange={list.setSort}
        filters={list.filters}
        onClearFilters={state.clear}
        rowActions={rowActions}
        onOpen={(row) => go(rowHref(row))}
        layout={views.layout}
        onLayoutChange={views.save}
        footer={
          <Pager
            page={list.page}
            per={list.per}
            total={total}
            rowsOnPage={rows.length}
            sizes={foundBillable.list.sizes}
            onPage={list.setPage}
            onPer={list.setPer}
            noun={labels.toLowerCase()}
          />
        }
      />
    </section>
  )
}

/** A search that fits supply accounts alone shows these. */
function fullerKind(totals: Totals | undefined): SearchedKind {
  return totals?.billable_accounts === 0 && totals.supply_accounts > 0 ? 'supply_accounts' : 'billable_accounts'
}

/** A page beyond the end gives way to the last one that there is. */
function useLastPage({ page, per, setPage }: SearchState['list'], total: number | undefined): void {
  const goBack = useEffectEvent((last: number) => setPage(last))
  useEffect(() => {
    if (total !== undefined && page > 1 && (page - 1) * per >= total) goBack(Math.max(1, Math.ceil(total / per)))
  }, [page, per, total])
}

const plain = { filter: undefined } as const

function wishes(allClients: boolean): ColumnWish<FoundAccount>[] {
  return [
    { key: 'account_number', width: 172, ...plain },
    { key: 'name', width: 140, ...plain },
    ...(allClients ? [{ key: 'client_name', width: 124, ...plain }] : []),
    { key: 'service_types', width: 84, grow: false },
    { key: 'vendor_name', width: 124, ...plain },
    { key: 'facility_name', width: 130, ...plain },
    { key: 'facility_number', label: 'Facility No.', width: 96, grow: false, ...plain },
    { key: 'address', label: 'Service Address', width: 140, cell: (row) => addressOf(row), tip: addressOf },
    { key: 'division_name', hidden: true, ...plain },
    { key: 'active', label: 'Status', width: 88, grow: false, ...plain },
    { key: 'last_bill_date', label: 'Last Bill', width: 104, grow: false, cell: lastBill, ...plain },
  ]
}

const cells = {
  service_types: (row: FoundAccount) => serviceIcons(row.service_types.map(({ name }) => name)),
  active: (row: FoundAccount) => <StatusDot tone={row.active ? 'ok' : 'grey'}>{row.active ? 'Active' : 'Inactive'}</StatusDot>,
}

/** Many columns stand here, so the icons do without their words; their names are in the tip and for screen readers. */
function serviceIcons(names: readonly string[]) {
  const each = [...new Set(names)]
  if (each.length === 0) return <Missing word="no services" />
  return (
    <span className={styles.icons}>
      {each.map((name) => (
        <span key={name} title={name}>
          {serviceIcon(name)}
          <span className="sr-only">{name}</span>
        </span>
      ))}
    </span>
  )
}

/** The day of the last bill, which opens the bill's file copy where there is one. */
function lastBill({ last_bill_date: day, last_bill_file_url: url }: FoundAccount) {
  if (day === null) return <Missing word="no bill" />
  return url === null ? (
    formatDate(day)
  ) : (
    <UiLink href={url} title="File copy of the last bill">
      {formatDate(day)}
    </UiLink>
  )
}

function addressOf({ street_address_1, street_address_2, city, state, zip }: FoundAccount): string {
  return [street_address_1, street_address_2, city, `${state} ${zip}`].filter(Boolean).join(', ')
}

function accountPath({ client_id, id, account_type }: FoundAccount): string {
  return `/clients/${client_id}/${account_type === 'BillableAccount' ? 'billable_accounts' : 'supply_accounts'}/${id}`
}

function rowHref(row: FoundAccount): string {
  return `${accountPath(row)}/dashboard`
}

function rowActions(row: FoundAccount) {
  const at = accountPath(row)
  return (
    <>
      <Can do={row.account_type === 'BillableAccount' ? 'billable_account.update' : 'supply_account.update'}>
        <MenuItem href={`${at}/edit`}>Edit</MenuItem>
      </Can>
      <MenuItem href={`${at}/dashboard`}>View</MenuItem>
      <Can do="bill.read">
        <MenuItem href={`${at}/bills`}>Bills</MenuItem>
      </Can>
    </>
  )
}
