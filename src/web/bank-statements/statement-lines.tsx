/** The lines of a statement. What is settled is folded away. Enter confirms a proposed line, and opens any other one. */
import { useMemo, useState } from 'react'
import { bankStatementLine, bankStatementLineCalls, type BankStatementLine } from '#contract/bank-statements/bank-statement-line.ts'
import type { BankStatement } from '#contract/bank-statements/bank-statement.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { callApi } from '../kernel/api.ts'
import type { Cells } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePath, useSearchText, withSearch } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { LineDialog } from './line-dialog.tsx'
import { LineState } from './line-state.tsx'
import { settle } from './settle.ts'

export function StatementLines({ statement }: { statement: BankStatement }) {
  const { id } = statement
  const may = useCan('global_batch.update')
  const [opened, setOpened] = useState<BankStatementLine | null>(null)
  const { states } = useFold()
  const query = useMemo(() => ({ bank_statement_id: id, state: states }), [id, states])
  const open = (line: BankStatementLine) => {
    if (!may || line.state === 'ignored') return
    if (line.state === 'proposed' && line.clearable_key !== null) void confirmLine(line, line.clearable_key)
    else setOpened(line)
  }
  return (
    <>
      <Folds statement={statement} />
      <ListPage
        entity={bankStatementLine}
        calls={bankStatementLineCalls}
        title=""
        query={query}
        columns={columns}
        cells={cells}
        onOpen={open}
        rowLabel={(line) => `Line ${line.line}, ${formatMoney(line.amount)}`}
        actions={(line) => (
          <>
            {line.state === 'proposed' && (
              <MenuItem disabledReason={may ? undefined : 'You may not confirm it'} onSelect={() => open(line)}>
                Confirm
              </MenuItem>
            )}
            <MenuItem disabledReason={whyNot(line, may)} onSelect={() => setOpened(line)}>
              {line.state === 'matched' || line.state === 'explained' ? 'Open Again…' : 'Match or Explain…'}
            </MenuItem>
          </>
        )}
        empty={emptyOf(statement, states === toDo)}
      />
      {opened && <LineDialog key={opened.id} line={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

const toDo = ['proposed', 'open'] as const satisfies readonly BankStatementLine['state'][]
const folds = [
  { value: undefined, label: 'To Do', states: toDo },
  { value: 'cleared', label: 'Cleared', states: ['matched'] },
  { value: 'explained', label: 'Explained', states: ['explained'] },
  { value: 'all', label: 'All', states: undefined },
] as const
type Fold = (typeof folds)[number]

/** The fold that the address names. */
function useFold(): Fold {
  const { lines } = useSearchText()
  return folds.find(({ value }) => value === lines) ?? folds[0]
}

/** Each sum opens the lines that it is made of. */
function Folds({ statement }: { statement: BankStatement }) {
  const path = usePath()
  const { lines: _lines, page: _page, ...rest } = useSearchText()
  const current = useFold()
  const items = folds.map((fold) => ({
    href: withSearch(path, { ...rest, lines: fold.value }),
    label: fold.label,
    count: membersOf(fold, statement),
    current: fold === current,
  }))
  return <Tabs label="Lines of the statement" items={items} />
}

function membersOf({ label }: Fold, { open_count, cleared_count, explained_count, line_count, ...sums }: BankStatement): string {
  const members = (count: number, sum: string) => `${count.toLocaleString('en-US')} · ${formatMoney(sum)}`
  switch (label) {
    case 'To Do':
      return members(open_count, sums.difference)
    case 'Cleared':
      return members(cleared_count, sums.cleared)
    case 'Explained':
      return members(explained_count, sums.explained)
    case 'All':
      return line_count.toLocaleString('en-US')
  }
}

function emptyOf({ line_count }: BankStatement, isToDo: boolean) {
  if (line_count === 0) return <EmptyState title="No lines">The account had no movement in these days.</EmptyState>
  if (isToDo) return <EmptyState title="Reconciled">Each line is cleared or explained.</EmptyState>
  return <EmptyState title="No such line">The statement has no line in this state.</EmptyState>
}

function whyNot({ state }: BankStatementLine, may: boolean): string | undefined {
  if (!may) return 'You may not change it'
  return state === 'ignored' ? 'This line moves no money' : undefined
}

const confirmLine = ({ id, lock_version }: BankStatementLine, clearable_key: string) =>
  settle(() => callApi(bankStatementLineCalls.clear, { params: { id }, body: { clearable_key, lock_version } }))

const columns = [
  { key: 'line', width: 70 },
  { key: 'day', width: 110 },
  { key: 'amount', width: 120 },
  { key: 'state', width: 120 },
  { key: 'clearable_name', width: 280 },
  { key: 'reason', width: 300 },
  { key: 'description', width: 220 },
  { key: 'check_number', width: 120 },
  { key: 'reference', width: 180 },
  { key: 'code', width: 80 },
  { key: 'settled_by_name', width: 140 },
] as const

const cells: Cells<BankStatementLine> = {
  state: ({ state }) => <LineState state={state} />,
}
