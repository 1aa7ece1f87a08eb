/** The outcomes of a bill's rows as the report states them. */
import type { BillOutcome } from '#contract/bills/bill-draft.ts'
import type { DraftOfRows } from '#contract/bill-import/draft-of-rows.ts'
import { isFlag } from '#contract/bill-audits/flags.ts'
import { auditName } from '#contract/bill-audits/rule-names.ts'
import type { RowError, WorkedRow } from '../kernel/imports/import-worker.ts'
import type { RowGroup } from './read-groups.ts'

type Created = Extract<BillOutcome, { kind: 'created' }>

/** The rows of a bill, and the row and column of each of its fields. */
type Told = Pick<DraftOfRows, 'placeOf'> & { readonly group: RowGroup }

/** 'm1_usage is missing', 'm2_read_date of line 5 is missing'. */
function lackOf({ line, column }: ReturnType<DraftOfRows['placeOf']>, first: number): string {
  return `${column ?? 'a field of the service'}${line === first ? '' : ` of line ${line}`} is missing`
}

/** Line by bill id. Bills of the file have no id yet in a dry run, so messages name the line that creates them. */
export type MadeBills = ReadonlyMap<number, number>

/** A sentence about another bill in terms that the file's reader knows. `made` holds lines by bill id. */
export function sayOther(message: string, other: number | null, made: MadeBills): string {
  const line = other === null ? undefined : made.get(other)
  if (line === undefined) return message
  return message.replaceAll(
    new RegExp(`\\b([Bb])ill ${other}\\b`, 'g'),
    (_, letter: string) => `${letter === 'B' ? 'The' : 'the'} bill on line ${line}`,
  )
}

/** The first row created the bill, the others added their meters to it. */
export function createdRows(
  { group: { rows }, placeOf }: Told,
  { id, missing_fields: missing, findings }: Created,
  { made, isStoring }: { readonly made: MadeBills; readonly isStoring: boolean },
): WorkedRow[] {
  const [first] = rows
  const said = findings
    .filter(isFlag)
    .map(({ code, message, other_bill_id: other }) => ({ c: auditName(code), m: sayOther(message, other, made) }))
  const notes =
    missing.length > 0
      ? [{ c: 'Draft', m: `Draft: ${missing.map((field) => lackOf(placeOf(field), first.line)).join(', ')}` }, ...said]
      : said
  return rows.map(({ line }) => ({
    line,
    action: line === first.line ? 'create' : 'unchanged',
    row_action: 'create',
    item_id: isStoring ? id : null,
    errors: null,
    notes: line === first.line && notes.length > 0 ? notes : null,
  }))
}

/** Correct rows of a refused bill name the line that is wrong. */
export function refusedRows({ rows }: RowGroup, errors: ReadonlyMap<number, readonly RowError[]>): WorkedRow[] {
  const first = rows.find(({ line }) => errors.has(line))?.line ?? rows[0].line
  return rows.map(({ line }) => ({
    line,
    action: 'refused',
    row_action: 'refused',
    item_id: null,
    errors: errors.get(line) ?? [{ c: null, m: `Line ${first} of the same bill is refused` }],
    notes: null,
  }))
}
