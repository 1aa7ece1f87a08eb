/**
 * The interface of every bill-retrieval service: list statements, get one with its meters and charges, get its PDF, and report its state.
 * An adapter converts its service's answers into these shapes; no other code knows a vendor's API.
 */
import { createHash } from 'node:crypto'
import { statementFilename, type Statement, type StatementSummary } from '#contract/bill-retrieval/statement.ts'

export interface BillRetrievalProvider {
  readonly id: string
  readonly label: string
  status(): Promise<ProviderStatus>
  /** In order of bill date, then id. `next` is the cursor of the following page, absent on the last. Throws ProviderError. */
  listStatements(query: StatementQuery): Promise<{ items: StatementSummary[]; next?: string }>
  /** Throws a ProviderError of kind not_found for an unknown id. */
  getStatement(id: string): Promise<Statement>
  /** `clientCode` is the client's short code: the file name starts with it. */
  getPdf(id: string, clientCode: string): Promise<StatementPdf>
}

export interface ProviderStatus {
  readonly ok: boolean
  readonly message?: string
  /** Accounts by the state of their sign-in at the utility. */
  readonly credentials: { readonly ok: number; readonly failed: number; readonly needsAction: number }
}

export interface StatementQuery {
  readonly clientCode: string
  /** Bill dates from and to, both included. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly accountNumbers?: readonly string[] | undefined
  readonly cursor?: string | undefined
  /** Statements per page; `LIST_LIMIT` at most, which is also the default. */
  readonly limit?: number | undefined
}

export interface StatementPdf {
  readonly bytes: Uint8Array
  readonly filename: string
  /** Hexadecimal. */
  readonly sha256: string
}

export const LIST_LIMIT = 500

/**
 * signed_out: our credentials or the account's were refused · needs_action: a person must act, for example for a second factor ·
 * rate_limited and unavailable: a later try may succeed · not_found · bad_answer: the answer cannot be read · refused: the host is not
 * allowed.
 */
export type ProviderFault = 'signed_out' | 'needs_action' | 'rate_limited' | 'unavailable' | 'not_found' | 'bad_answer' | 'refused'

export class ProviderError extends Error {
  readonly fault: ProviderFault

  constructor(fault: ProviderFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProviderError'
    this.fault = fault
  }
}

export function isDelayFault(error: unknown): boolean {
  return error instanceof ProviderError && (error.fault === 'rate_limited' || error.fault === 'unavailable')
}

/** Returns a page of a list sorted by bill date and id; the cursor is the position of its last item. */
export function pageOf(sorted: readonly StatementSummary[], query: StatementQuery): { items: StatementSummary[]; next?: string } {
  const wanted = query.accountNumbers === undefined ? null : new Set(query.accountNumbers)
  const after = query.cursor === undefined ? null : cursorKey(query.cursor)
  const limit = Math.max(1, Math.min(query.limit ?? LIST_LIMIT, LIST_LIMIT))
  const items: StatementSummary[] = []
  for (const item of sorted) {
    if (after !== null && sortKey(item) <= after) continue
    if (wanted !== null && !wanted.has(item.account_number)) continue
    if (!isInside(item.bill_date, query)) continue
    if (items.length === limit) return { items, next: Buffer.from(sortKey(items[limit - 1] ?? item)).toString('base64url') }
    items.push(item)
  }
  return { items }
}

export function bySortKey(a: StatementSummary, b: StatementSummary): number {
  const [keyOfA, keyOfB] = [sortKey(a), sortKey(b)]
  return keyOfA < keyOfB ? -1 : keyOfA > keyOfB ? 1 : 0
}

/**
 * Returns the PDF with its name and hash. Throws a ProviderError if the bytes are not a complete PDF: a truncated download is worse than
 * none.
 */
export function pdfOf(
  bytes: Uint8Array,
  statement: Pick<Statement, 'bill_date' | 'interval_end' | 'account_number'>,
  clientCode: string,
): StatementPdf {
  const tail = Buffer.from(bytes.subarray(-1_024)).toString('latin1')
  const head = Buffer.from(bytes.subarray(0, 5)).toString('latin1')
  if (head !== '%PDF-' || !tail.includes('%%EOF')) throw new ProviderError('bad_answer', 'The file is not a complete PDF.')
  const date = statement.bill_date ?? statement.interval_end ?? '0000-00-00'
  return {
    bytes,
    filename: statementFilename(clientCode, date, statement.account_number),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}

/** A statement without a date is at the end, inside windows without an end only. */
function isInside(billDate: string | null, { since, until }: StatementQuery): boolean {
  if (billDate === null) return until === undefined
  return (since === undefined || billDate >= since) && (until === undefined || billDate <= until)
}

function sortKey(item: StatementSummary): string {
  return `${item.bill_date ?? '9999-12-31'}|${item.statement_id}`
}

function cursorKey(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{4}-\d{2}-\d{2}\|./.test(key)) throw new ProviderError('not_found', 'The list cannot be continued: unknown cursor.')
  return key
}

export const noStatement = (id: string): ProviderError => new ProviderError('not_found', `There is no statement ${id}.`)
