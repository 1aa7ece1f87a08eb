/** The ledger lines of a bill: how a closed client batch booked it, or how it would be booked now. */
import { useQuery } from '@tanstack/react-query'
import { billLedgerCalls, type BillLedger, type BookedLine } from '#contract/accounting-batches/booked-line.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { sumMoney } from '#contract/kernel/money.ts'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { UiLink } from '../ui/link.tsx'
import { Figure } from '../ui/status.tsx'
import styles from './bills.module.css'

/** Shown to readers of client batches only. */
export function BillLedgerLines({ bill }: { bill: BillDetail }) {
  const mayRead = useCan('accounting_batch.read')
  const params = { client_id: bill.client_id, id: bill.id }
  const asked = useQuery({ ...apiQuery(billLedgerCalls.get, { params }), enabled: mayRead })
  if (!mayRead) return null
  return (
    <section aria-label="Ledger lines">
      <h2 className={styles.heading}>Ledger lines</h2>
      {asked.error && <p role="alert">{asked.error.message}</p>}
      {asked.data && <Books bill={bill} ledger={asked.data.ledger} />}
    </section>
  )
}

function Books({ bill, ledger }: { bill: BillDetail; ledger: BillLedger }) {
  const lines = [...ledger.lines, ...ledger.reversals]
  return (
    <>
      <p className={styles.quiet}>
        <Standing bill={bill} ledger={ledger} />
      </p>
      {lines.length > 0 && (
        <div className={styles.frame}>
          <table className={styles.table} aria-label="Ledger lines">
            <thead>
              <tr>
                <th scope="col">Ledger account</th>
                <th scope="col">Description</th>
                <th scope="col" className={styles.right}>
                  Debit
                </th>
                <th scope="col" className={styles.right}>
                  Credit
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line, place) => (
                <LineRow key={place} line={line} />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  Sum
                </th>
                <td className={styles.right}>
                  <Figure value={sumMoney(lines.flatMap((line) => debitOf(line) ?? []))} places={2} currency />
                </td>
                <td className={styles.right}>
                  <Figure value={sumMoney(lines.flatMap((line) => creditOf(line) ?? []))} places={2} currency />
                </td>
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </>
  )
}

function Standing({ bill, ledger: { standing, batch, reversals, owed } }: { bill: BillDetail; ledger: BillLedger }) {
  const link = ({ id, batch_code }: { id: number; batch_code: string }) => (
    <UiLink href={`/clients/${bill.client_id}/accounting_batches/${id}/ledger`}>{batch_code}</UiLink>
  )
  if (standing === 'none') return 'The bill is void, and no closed client batch has booked it.'
  if (standing === 'computed') return <>Computed from the bill as it is now{batch && <>, in client batch {link(batch)}</>}.</>
  const [taking] = reversals
  return (
    <>
      Frozen when {batch ? <>client batch {link(batch)}</> : 'the client batch'} was closed
      {taking && <>, and taken back in client batch {link(taking.batch)}</>}
      {owed && <>. {owed.batch ? <>Client batch {link(owed.batch)}</> : 'A later client batch'} takes it back, because the bill is void</>}.
    </>
  )
}

function LineRow({ line }: { line: BookedLine }) {
  const [debit, credit] = [debitOf(line), creditOf(line)]
  const values = line.ledger_values.filter(({ value }) => value !== '')
  return (
    <tr>
      <th scope="row">
        {line.ledger_account_name || (line.kind === 'payable' ? 'Accounts payable' : 'No ledger account')}
        {values.length > 0 && <span className={styles.quiet}> {values.map(({ name, value }) => `${name} ${value}`).join(', ')}</span>}
      </th>
      <td>{line.description}</td>
      <td className={styles.right}>{debit !== null && <Figure value={debit} places={2} />}</td>
      <td className={styles.right}>{credit !== null && <Figure value={credit} places={2} />}</td>
    </tr>
  )
}

function debitOf({ amount }: BookedLine): string | null {
  return amount.startsWith('-') ? null : amount
}

/** A credit without its sign. */
function creditOf({ amount }: BookedLine): string | null {
  return amount.startsWith('-') ? amount.slice(1) : null
}
