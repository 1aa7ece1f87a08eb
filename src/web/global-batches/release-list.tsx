import { exportRelease, exportReleaseCalls, type ExportRelease } from '#contract/global-batches/export-release.ts'
import type { Cells } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { useGo } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import { DeskTabs, releaseHref } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { ReleaseState } from './release-state.tsx'

/** Exports that wait for a second person, and those that were decided, newest first. Enter opens the request of the row. */
export function ReleaseList() {
  const go = useGo()
  return (
    <div className={styles.page}>
      <PageHeader title="Releases" />
      <DeskTabs tab="releases" />
      <ListPage
        entity={exportRelease}
        calls={exportReleaseCalls}
        title=""
        columns={columns}
        cells={cells}
        rowLabel={nameOf}
        onOpen={(row) => go(releaseHref(row.id))}
        actions={(row) => <MenuItem href={releaseHref(row.id)}>Open Request</MenuItem>}
        empty={
          <EmptyState title="No export has waited yet">
            An export waits here for a second person if it is above a limit of its bank profile, or if the bank profile always asks for one.
          </EmptyState>
        }
      />
    </div>
  )
}

const nameOf = (row: ExportRelease): string => `Release ${row.id} of ${row.payer_names}`

const columns = [
  { key: 'payer_names', width: 190, grow: true, pinned: true },
  { key: 'state', width: 120 },
  { key: 'total', width: 116 },
  { key: 'reasons', width: 300, grow: true },
  { key: 'pay_method', width: 110 },
  { key: 'payment_count', width: 90 },
  { key: 'batch_count', width: 76 },
  { key: 'requested_by_name', width: 150 },
  { key: 'requested_at', width: 190 },
  { key: 'decided_by_name', width: 150 },
  { key: 'decided_at', width: 190 },
  { key: 'note', width: 220 },
] as const

const cells: Cells<ExportRelease> = {
  payer_names: ({ id, payer_names }) => <UiLink href={releaseHref(id)}>{payer_names}</UiLink>,
  state: ({ state }) => <ReleaseState state={state} />,
  requested_at: (row) => <NewYorkTime at={row.requested_at} />,
  decided_at: ({ decided_at }) => (decided_at === null ? <Missing /> : <NewYorkTime at={decided_at} />),
}
