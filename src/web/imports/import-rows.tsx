/** The rows of a file with their actions; a cell shows the current and the new value, or its error. */
import { useCallback, useMemo } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { importActions, type ImportSummary } from '#contract/imports/import.ts'
import { importCalls } from '#contract/imports/import-calls.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { useGo, usePath, useSearchText, withSearch } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridStatus } from '../ui/grid/grid-types.ts'
import { Pager } from '../ui/grid/pager.tsx'
import { EmptyState } from '../ui/states.tsx'
import { RepeatedRow } from './repeated-row.tsx'
import { isWorking } from './use-import.ts'
import { columnsOf } from './import-row-columns.tsx'

const sizes = [50, 100, 1000]
const perDefault = 50

export function ImportRows({ summary }: { summary: ImportSummary }) {
  const { page, per, action, turn, repeats, hrefOf, close } = usePlace()
  const asked = useQuery({
    ...apiQuery(importCalls.rows, { params: { id: summary.id }, query: { page, per, ...(action ? { action } : {}) } }),
    placeholderData: keepPreviousData,
  })
  const columns = useMemo(() => columnsOf(summary, hrefOf), [summary, hrefOf])
  const rows = asked.data?.import_rows ?? []
  const repeated = rows.find((row) => row.line === repeats)
  return (
    <>
      <DataGrid
        label="Rows of the file"
        columns={columns}
        rows={rows}
        rowId={(row) => row.line}
        rowLabel={(row) => `line ${row.line} ${row.label}`}
        status={statusOf(asked)}
        total={asked.data?.total}
        empty={<Nothing summary={summary} filtered={action !== undefined} />}
        footer={
          <Pager
            page={page}
            per={per}
            total={asked.data?.total}
            rowsOnPage={rows.length}
            sizes={sizes}
            noun="rows"
            onPage={(next) => turn({ page: next })}
            onPer={(next) => turn({ per: next, page: undefined })}
          />
        }
      />
      {repeated && repeated.repeats_id !== null && (
        <RepeatedRow clientId={summary.client_id} row={repeated} billId={repeated.repeats_id} onClose={close} />
      )}
    </>
  )
}

/** Page, size, action and the row compared with its bill are in the address. */
function usePlace() {
  const search = useSearchText()
  const path = usePath()
  const go = useGo()
  const positive = (text: string | undefined, usual: number) => (/^[1-9]\d{0,6}$/.test(text ?? '') ? Number(text) : usual)
  const per = positive(search['per'], perDefault)
  return {
    page: positive(search['page'], 1),
    per: sizes.includes(per) ? per : perDefault,
    action: importActions.find((one) => one === search['action']),
    repeats: positive(search['repeats'], 0),
    turn: (to: { page?: number | undefined; per?: number }) => go(withSearch(path, { ...search, ...to }), { resetScroll: false }),
    hrefOf: useCallback((line: number) => withSearch(path, { ...search, repeats: line }), [path, search]),
    close: () => go(withSearch(path, { ...search, repeats: undefined }), { resetScroll: false }),
  }
}

function statusOf({
  isPending,
  isFetching,
  error,
  refetch,
}: {
  isPending: boolean
  isFetching: boolean
  error: Error | null
  refetch: () => unknown
}): GridStatus {
  if (error)
    return {
      kind: 'error',
      message: error.message,
      requestId: error instanceof ApiProblem ? error.requestId : undefined,
      onRetry: () => void refetch(),
    }
  return isPending ? { kind: 'loading' } : { kind: 'ready', refetching: isFetching }
}

function Nothing({ summary, filtered }: { summary: ImportSummary; filtered: boolean }) {
  if (isWorking(summary)) return <EmptyState title="The rows are still being read" />
  if (filtered) return <EmptyState title="No row does that" />
  if (summary.error !== null) return <EmptyState title="The rows were not checked">Nothing was stored. Import the file again.</EmptyState>
  return <EmptyState title="The file has no rows">Only its header was found, or it could not be read at all.</EmptyState>
}
