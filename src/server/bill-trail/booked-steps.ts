/** The booked steps: the ledger lines, the client batch that holds the bill, its upload files and its invoices. */
import { trailFactsMax, type TrailFact, type TrailStep } from '#contract/bill-trail/bill-trail.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney, sumCents, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { booksOfBill, type BillBooks, type LedgerLine } from '../accounting-batches/accounting-batches.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { compared, fact, noStep, step, type TrailedBill } from './trail-step.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

interface BookedBatch {
  readonly id: number
  readonly batch_code: string
  readonly created_at: string
  readonly by: string | null
  readonly closed: boolean
  readonly closed_at: string | null
  readonly closed_by: string | null
  readonly invoiced_at: string | null
  readonly bills_total: string
}

export async function bookedSteps(tx: Tx, bill: TrailedBill): Promise<TrailStep[]> {
  const batch = await batchOf(tx, bill)
  return [
    await ledgerStep(tx, bill, batch),
    batchStep(bill, batch),
    await filesStep(tx, bill, batch, 'upload'),
    await filesStep(tx, bill, batch, 'invoice'),
  ]
}

async function batchOf(tx: Tx, { client_id: clientId, accounting_batch_id: id }: TrailedBill): Promise<BookedBatch | null> {
  if (id === null) return null
  const { rows } =
    await sql<BookedBatch>`select batch.id, batch.batch_code, batch.created_at, ${nameOfUser('author')} as by, batch.closed, batch.closed_at,
      (select ${nameOfUser('closer')} from audit_records record join users closer on closer.id = record.user_id
        where record.client_id = ${clientId} and record.item_type = 'accounting_batch' and record.item_id = batch.id
          and record.object_changes->'closed'->>'to' = 'true' order by record.id desc limit 1) as closed_by,
      batch.invoiced_at,
      (select coalesce(sum(amount_due), 0)::numeric(14,2) from bills where bills.client_id = ${clientId} and bills.accounting_batch_id = batch.id) as bills_total
    from accounting_batches batch left join users author on author.id = batch.created_by
    where batch.client_id = ${clientId} and batch.id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/**
 * All lines except the payable add up to the amount due. They are frozen once the batch is closed, and computed until then. A void bill is booked
 * with nothing: what a closed batch booked of it is taken back by a later one.
 */
async function ledgerStep(tx: Tx, bill: TrailedBill, batch: BookedBatch | null): Promise<TrailStep> {
  const books = await booksOfBill(tx, bill.client_id, bill.id)
  if (books.standing === 'none') return noStep('ledger', 'A void bill is booked with nothing')
  const all = [...books.lines, ...books.reversals]
  const booked = wireOf(sumCents(all.filter(({ kind }) => kind !== 'payable').map(({ amount }) => amount)))
  const standing = books.standing === 'frozen' ? 'Frozen when the batch was closed' : 'Computed until the batch is closed'
  const [taking] = books.reversals
  const facts = [
    fact(standing, { link: batch === null ? null : ledgerHref(bill, batch.id) }),
    ...lineFacts(books.lines),
    ...(taking ? [fact(`Taken back in client batch ${taking.batch.batch_code}`, { link: ledgerHref(bill, taking.batch.id) })] : []),
    ...lineFacts(books.reversals),
  ]
  return step('ledger', facts, { booked, ...markOf(bill, books, booked) })
}

function lineFacts(lines: readonly LedgerLine[]): TrailFact[] {
  return lines
    .filter(({ kind }) => kind !== 'payable')
    .slice(0, trailFactsMax)
    .map((line) =>
      fact(`${line.ledger_account_name === '' ? 'No ledger account' : line.ledger_account_name} · ${line.description}`, {
        amount: wireOf(line.amount),
      }),
    )
}

function ledgerHref({ client_id: clientId }: TrailedBill, batchId: number): string {
  return `/clients/${clientId}/accounting_batches/${batchId}/ledger`
}

function markOf(bill: TrailedBill, { owed }: BillBooks, booked: string): Pick<TrailStep, 'mark' | 'why'> {
  if (bill.superseded_by_id === null)
    return compared(booked, bill.amount_due, `${formatMoney(bill.amount_due)} are due and ${formatMoney(booked)} are booked`)
  if (owed === null) return compared(booked, '0.00', `The bill is void and ${formatMoney(booked)} of it are still booked`)
  const taking = owed.batch === null ? 'the client batch of the bill that replaced it' : `client batch ${owed.batch.batch_code}`
  return { mark: 'explained', why: `The bill is void: ${taking} takes back what is booked when it is closed` }
}

function batchStep(bill: TrailedBill, batch: BookedBatch | null): TrailStep {
  if (batch === null) return noStep('client_batch', 'In no client batch yet')
  const link = ledgerHref(bill, batch.id)
  return step('client_batch', [
    fact(`${batch.batch_code}, made`, { at: batch.created_at, by: batch.by, link, amount: batch.bills_total }),
    ...(batch.closed ? [fact('Closed', { at: batch.closed_at, by: batch.closed_by, link })] : []),
    ...(batch.invoiced_at === null ? [] : [fact('Invoiced', { at: batch.invoiced_at, link })]),
  ])
}

/** The newest file of a closed batch states the batch's total. */
async function filesStep(tx: Tx, bill: TrailedBill, batch: BookedBatch | null, kind: 'upload' | 'invoice'): Promise<TrailStep> {
  const key = kind === 'upload' ? 'upload_file' : 'invoice'
  if (batch === null) return noStep(key)
  const { rows } = await sql<{
    version: number
    filename: string
    total: string
    sha256: string
    at: string
    by: string | null
  }>`select made.version,
      file.filename, made.total, encode(made.sha256, 'hex') as sha256, made.created_at as at, ${nameOfUser('author')} as by
    from accounting_batch_files made join files file on file.id = made.file_id left join users author on author.id = made.created_by
    where made.client_id = ${bill.client_id} and made.accounting_batch_id = ${batch.id} and made.kind = ${kind} order by made.version desc
    limit ${trailFactsMax}`.execute(tx)
  const [newest] = rows
  if (!newest) return noStep(key)
  const link = `/clients/${bill.client_id}/accounting_batches/${batch.id}/files`
  const facts = rows.map(({ version, filename, total, sha256, at, by }) =>
    fact(`Version ${version}, ${filename}, ${sha256.slice(0, 8)}`, { amount: total, at, by, link }),
  )
  if (!batch.closed) return step(key, facts)
  const day = formatDate(newest.at.slice(0, 10))
  return step(
    key,
    facts,
    compared(
      newest.total,
      batch.bills_total,
      `The file of ${day} says ${formatMoney(newest.total)}, the batch ${formatMoney(batch.bills_total)}`,
    ),
  )
}
