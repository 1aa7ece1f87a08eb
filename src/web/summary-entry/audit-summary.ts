/** Audits all bills of a summary with the function that audits the form of one bill. */
import type { SummaryBooks, SummaryEntry } from '#contract/bills/summary-bill.ts'
import { auditForm, type FormFinding, type BillValues, same } from '../bill-entry/bill-entry.ts'
import { groupValues, spotInRows, subaccountValues, type Spot } from './summary-bills.ts'
import { childrenOf, columnsOf, headKeys, type SummaryValues } from './summary-values.ts'

export interface SummaryFinding {
  /** Null for the group's bill. */
  readonly account_id: number | null
  readonly spot: Spot
  readonly finding: FormFinding
}

/** Returns an auditor of the sheet, which audits only those subaccounts' bills that changed since its last run. */
export function summaryAuditor(entry: SummaryEntry, books: SummaryBooks): (values: SummaryValues) => SummaryFinding[] {
  const { group, subaccounts, ...terms } = books
  const bookOf = new Map(subaccounts.map((book) => [book.account_id, book]))
  const columns = columnsOf(entry)
  const before = new Map<number, { readonly values: BillValues; readonly findings: readonly FormFinding[] }>()
  return (values) => {
    const children = childrenOf(values, entry, columns).flatMap((rows) => {
      const book = bookOf.get(rows[0]?.account_id ?? 0)
      return book ? [{ rows, book, values: subaccountValues(values, entry, rows) }] : []
    })
    const typed = children.map(({ book, values: bill }) => ({
      account_id: book.account_id,
      current_charges: bill.current_charges || '0.00',
    }))
    const head = groupValues(values)
    const found = auditForm(head, head, { ...terms, ...group }, null, typed)
    const ofHead = found.map((finding): SummaryFinding => ({ account_id: null, spot: spotInHead(finding), finding }))
    const ofRows = children.flatMap(({ rows, book, values: bill }) => {
      const last = before.get(book.account_id)
      const findings = last && same(last.values, bill) ? last.findings : auditForm(bill, bill, { ...terms, ...book }, null)
      before.set(book.account_id, { values: bill, findings })
      return findings.flatMap((finding): SummaryFinding[] => {
        const spot = spotInRows(rows, finding.path, finding.lineKey)
        return spot ? [{ account_id: book.account_id, spot, finding }] : []
      })
    })
    return [...ofHead, ...ofRows]
  }
}

function spotInHead({ path }: FormFinding): Spot {
  return { name: headKeys.find((key) => key === path) ?? 'date', label: '' }
}
