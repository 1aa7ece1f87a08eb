/**
 * Debits and credits by division and ledger account, from the ledger lines of bills: of client batches as booked, or of all bills in a date
 * range. The payable comes last, and both sides are equal.
 */
import { wireOf, type Cents } from '#contract/kernel/money.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import type { BillFilters, FigureBills } from '#contract/reports/figure-bills.ts'
import type { ReportColumn } from '#contract/reports/report-form.ts'
import { sql, type SqlBool } from 'kysely'
import { bookedLines, linesOfBatch, type LedgerLine } from '../accounting-batches/accounting-batches.ts'
import { breather } from '../kernel/breathe.ts'
import { and, type Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused } from '../kernel/problem.ts'
import { chosenFilters, rowsBehind } from './bills-behind.ts'
import { rowsInParts } from './report-reading.ts'
import type { AskedReport, ReportRow, ReportTable } from './report-table.ts'
import { askedBills, controlOf, hasChildren } from './bill-choice.ts'

interface Group {
  readonly division: string
  readonly account: string
  /** By the id of the ledger field. */
  readonly values: ReadonlyMap<number | null, string>
  readonly kind: LedgerLine['kind']
  debit: Cents
  credit: Cents
  bills: number
  readonly seen: SeenBills
}

/** Lines of a range come bill by bill: the last one is all that must be remembered. Batches name a bill that they take back again. */
type SeenBills = { last: number } | Set<number>

export async function trialBalance(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const groups = new Map<string, Group>()
  const divisions = await divisionNames(tx, asked.clientId)
  const isOfBatches = asked.data.accounting_batch_ids.length > 0
  let reversed = 0
  const breathe = breather()
  for await (const lines of linesOf(tx, asked))
    for (const line of lines) {
      await breathe()
      gather(groups, asked.rights.ledger ? line : withoutAccount(line), divisions, isOfBatches)
      if (line.reverses_id !== null && line.kind === 'payable') reversed += line.amount
    }
  const { control } = await controlOf(tx, asked, isOfBatches ? askedBills(asked, true) : bookable(asked))
  const left = isOfBatches ? '0.00' : await leftOfGroups(tx, asked)
  const fields = asked.data.ledger_details && asked.rights.ledger ? await ledgerFields(tx, asked.clientId) : []
  const all = [...groups.values()].toSorted(inOrder)
  const debits = all.reduce((sum, group) => sum + group.debit, 0)
  const credits = all.reduce((sum, group) => sum + group.credit, 0)
  if (debits !== credits) throw refused(`The ledger lines are out of balance: debits ${wireOf(debits)}, credits ${wireOf(credits)}.`)
  const columns = withFields(asked.columns, fields)
  const behind = rowsBehind()
  const bills = billsOf(asked, isOfBatches)
  const payable = reversed === 0 && all.filter(({ kind }) => kind === 'payable').length === 1 ? all.at(-1) : undefined
  return {
    columns,
    rows: rowsInParts(
      all.map((group) => behind.note(rowOf(group, fields), group === payable ? figuresOf(group, asked.clientId, bills) : [])),
    ),
    control,
    controlBills: bills,
    behind: behind.of,
    remarks: () => [
      ...(asked.rights.ledger ? [] : ['Ledger accounts are added up, because not everybody may see them whom this report is for.']),
      ...(left === '0.00' ? [] : [`${left} of the bills of groups is in no bill of their children, and is not booked.`]),
      ...(reversed === 0 ? [] : [`${wireOf(reversed)} takes back bills of closed batches that were replaced since.`]),
      ...(all.some(({ account, kind }) => account === '' && kind !== 'payable') ? ['Some charges have no ledger account.'] : []),
    ],
  }
}

/** Batches have booked void bills too; a range has the bills that batches would take. */
function billsOf(asked: AskedReport, isOfBatches: boolean): BillFilters | null {
  const chosen = chosenFilters(asked)
  return chosen && (isOfBatches ? chosen : { ...chosen, booked: 'true' })
}

/** The payable is what its bills owe; where some are credits, no column is their sum. Ledger accounts have ledger lines, and no list of bills. */
function figuresOf({ debit }: Group, client_id: number, filters: BillFilters | null): FigureBills[] {
  if (filters === null) return []
  const of = { client_id, filters }
  return [
    { ...of, column: 'bill_count', comes_to: 'count' },
    ...(debit === 0 ? [{ ...of, column: 'credit', comes_to: 'amount_due' } as const] : []),
  ]
}

/** The bills of a range that client batches would take: a group is booked by the bills of its children. */
function bookable(asked: AskedReport): Condition[] {
  return [...askedBills(asked), sql<SqlBool>`not ${hasChildren(sql`${asked.clientId}`)}`]
}

/** What the bills of groups owe beyond the bills of their children. */
async function leftOfGroups(tx: Tx, asked: AskedReport): Promise<string> {
  const { rows } = await sql<{ left: string }>`select coalesce(sum(bills.amount_due - (select sum(child.amount_due) from bills child
      where child.client_id = ${asked.clientId} and child.group_bill_id = bills.id and child.superseded_by_id is null)), 0)::numeric(16,2) as left
    from bills where ${and([...askedBills(asked), hasChildren(sql`${asked.clientId}`)])}`.execute(tx)
  return rows[0]?.left ?? '0.00'
}

/** Yields every line of the selected bills that the readers may see. */
async function* linesOf(tx: Tx, asked: AskedReport): AsyncGenerator<readonly LedgerLine[]> {
  const { clientId, data } = asked
  if (data.accounting_batch_ids.length === 0) {
    yield* bookedLines(tx, clientId, bookable(asked))
    return
  }
  const { rows: batches } = await sql<{
    id: number
    client_id: number
    closed: boolean
  }>`select id, client_id, closed from accounting_batches
    where client_id = ${clientId} and id = any(${data.accounting_batch_ids}::bigint[]) order by id`.execute(tx)
  for (const batch of batches) for await (const lines of linesOfBatch(tx, batch)) yield* within(tx, asked, lines)
}

/** A batch includes void bills, whose lines it froze: its bills are selected only by where they belong. */
async function* within(tx: Tx, { clientId, data, divisionId }: AskedReport, lines: readonly LedgerLine[]): AsyncGenerator<LedgerLine[]> {
  const { from, to } = data.date_range
  const conditions: Condition[] = [
    ...(data.vendor_ids.length === 0 ? [] : [sql<SqlBool>`vendor_id = any(${data.vendor_ids}::bigint[])`]),
    ...(data.division_ids.length === 0 ? [] : [sql<SqlBool>`division_id = any(${data.division_ids}::bigint[])`]),
    ...(divisionId === null ? [] : [sql<SqlBool>`division_id = ${divisionId}`]),
    ...(from === null ? [] : [sql<SqlBool>`date >= ${from}::date`]),
    ...(to === null ? [] : [sql<SqlBool>`date <= ${to}::date`]),
  ]
  if (conditions.length === 0) {
    yield [...lines]
    return
  }
  const { rows } = await sql<{ id: number }>`select id from bills where client_id = ${clientId} and id = any(${[
    ...new Set(lines.map((line) => line.bill_id)),
  ]}::bigint[]) and ${and(conditions)}`.execute(tx)
  const kept = new Set(rows.map((row) => row.id))
  yield lines.filter((line) => kept.has(line.bill_id))
}

/** The line as it is for people who may not see ledger accounts. */
function withoutAccount(line: LedgerLine): LedgerLine {
  const ledger_account_name = line.kind === 'payable' ? '' : 'All ledger accounts'
  return { ...line, ledger_account_id: null, ledger_account_name, ledger_values: [] }
}

function gather(groups: Map<string, Group>, line: LedgerLine, divisions: ReadonlyMap<number, string>, isOfBatches: boolean): void {
  const isPayable = line.kind === 'payable'
  const division = isPayable || line.division_id === null ? '' : (divisions.get(line.division_id) ?? '')
  const values = new Map(line.ledger_values.map(({ id, value }) => [id, value]))
  // A frozen line keeps the names of its day, so an account renamed since has two rows.
  const key = JSON.stringify([isPayable, division, line.ledger_account_id, line.ledger_account_name, [...values]])
  const group = groups.get(key) ?? {
    division,
    account: line.ledger_account_name,
    values,
    kind: line.kind,
    debit: 0,
    credit: 0,
    bills: 0,
    seen: isOfBatches ? new Set<number>() : { last: 0 },
  }
  if (line.amount > 0) group.debit += line.amount
  else group.credit -= line.amount
  if (isNew(group.seen, line.bill_id)) group.bills += 1
  groups.set(key, group)
}

function isNew(seen: SeenBills, bill: number): boolean {
  if (seen instanceof Set) {
    const before = seen.size
    return seen.add(bill).size > before
  }
  if (seen.last === bill) return false
  seen.last = bill
  return true
}

function inOrder(a: Group, b: Group): number {
  const last = (group: Group): number => (group.kind === 'payable' ? 1 : 0)
  return (
    last(a) - last(b) ||
    naturalOrder(a.division, b.division) ||
    naturalOrder(a.account, b.account) ||
    naturalOrder([...a.values.values()].join('\t'), [...b.values.values()].join('\t'))
  )
}

function withFields(columns: readonly ReportColumn[], fields: readonly LedgerField[]): ReportColumn[] {
  return columns.flatMap((column): ReportColumn[] =>
    column.key === 'ledger_account'
      ? [column, ...fields.map(({ name }): ReportColumn => ({ key: `ledger_field ${name}`, label: name, kind: 'text' }))]
      : [column],
  )
}

function rowOf({ division, account, values, kind, debit, credit, bills }: Group, fields: readonly LedgerField[]): ReportRow {
  const name = account !== '' ? account : kind === 'payable' ? 'Accounts payable' : 'No ledger account'
  return [
    division,
    name,
    ...fields.map((field) => values.get(field.id) ?? ''),
    String(bills),
    wireOf(debit),
    wireOf(credit),
    wireOf(debit - credit),
  ]
}

async function divisionNames(tx: Tx, clientId: number): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`select id, name from divisions where client_id = ${clientId}`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.name]))
}

interface LedgerField {
  readonly id: number
  readonly name: string
}

async function ledgerFields(tx: Tx, clientId: number): Promise<LedgerField[]> {
  const { rows } = await sql<LedgerField>`select id, name from ledger_fields where client_id = ${clientId} order by "order", id`.execute(tx)
  return rows
}
