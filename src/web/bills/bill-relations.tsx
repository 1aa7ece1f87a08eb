/** A bill's relations to others: a banner at the top if it no longer counts, and lists below with links both ways. */
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billCompareCalls, type BillRelations, type RelatedBill } from '#contract/bills/bill-compare.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { subtractMoney } from '#contract/kernel/money.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { Figure } from '../ui/status.tsx'
import { BillStatus } from './bill-cells.tsx'
import styles from './bills.module.css'
import corrections from './corrections.module.css'
import { RelatedTable, BillName } from './related-table.tsx'

/** Shown above everything else: another bill replaces this one, or this one corrects another. */
export function CorrectionBanner({ bill }: { bill: BillDetail }) {
  const { client_id, id, superseded_by_id, rebill_of_id, rebill_mode } = bill
  const compare = (other: number) => `/clients/${client_id}/bills/${Math.min(id, other)}/compare/${Math.max(id, other)}`
  if (superseded_by_id !== null) {
    return (
      <p className={corrections.banner} role="note">
        <span>
          This bill is void: <UiLink href={`/clients/${client_id}/bills/${superseded_by_id}`}>bill {superseded_by_id}</UiLink> replaced it.
          It is kept as it was and counts in no total.
        </span>
        <UiLink href={compare(superseded_by_id)}>Compare the two</UiLink>
      </p>
    )
  }
  if (rebill_of_id === null) return null
  return (
    <p className={corrections.banner} role="note">
      <span>
        This bill {rebill_mode === 'add' ? 'adds to' : 'replaces'}{' '}
        <UiLink href={`/clients/${client_id}/bills/${rebill_of_id}`}>bill {rebill_of_id}</UiLink>
        {rebill_mode === 'add' ? '; both count.' : ', which is void and kept.'}
      </span>
      <UiLink href={compare(rebill_of_id)}>Compare the two</UiLink>
    </p>
  )
}

/** The chain of corrections, the bills of a group, and the bills in which a supply bill's lines are shown. */
export function BillRelated({ bill, children }: { bill: BillDetail; children: ReactNode }) {
  const asked = useQuery(apiQuery(billCompareCalls.relations, { params: { client_id: bill.client_id, id: bill.id } }))
  const relations = asked.data?.relations
  // The content below is rendered together with the relations, so that it is not pushed down while being read.
  if (!relations) return asked.isPending ? null : children
  return (
    <>
      {relations.chain.length > 0 && <Corrections bill={bill} chain={relations.chain} />}
      {relations.children_sums.count > 0 && <GroupChildren bill={bill} relations={relations} />}
      {relations.shown_in.length > 0 && <RelatedTable bill={bill} title="Shown in these bills" rows={relations.shown_in} />}
      {children}
    </>
  )
}

function Corrections({ bill, chain }: { bill: BillDetail; chain: readonly RelatedBill[] }) {
  return (
    <section aria-label="Corrections">
      <h2 className={styles.heading}>Corrections</h2>
      <div className={styles.frame}>
        <table className={styles.table} aria-label="Corrections">
          <thead>
            <tr>
              <th scope="col">Bill</th>
              <th scope="col">Entered</th>
              <th scope="col">What it does</th>
              <th scope="col">Status</th>
              <th scope="col" className={styles.right}>
                Amount Due
              </th>
            </tr>
          </thead>
          <tbody>
            {chain.map((one) => (
              <tr key={one.id} aria-current={one.id === bill.id ? 'true' : undefined}>
                <th scope="row">
                  <BillName bill={bill} one={one} />
                </th>
                <td>
                  <NewYorkTime at={one.created_at} />
                </td>
                <td>{deedOf(one)}</td>
                <td>
                  <BillStatus status={one.full_status} />
                </td>
                <td className={cx(styles.right, one.superseded_by_id !== null && styles.struck)}>
                  <Figure value={one.amount_due} places={2} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function deedOf({ rebill_of_id, rebill_mode }: RelatedBill): string {
  if (rebill_of_id === null) return 'The original'
  return `${rebill_mode === 'add' ? 'Adds to' : 'Replaces'} bill ${rebill_of_id}`
}

/** Bills that the group's bill pays: compares their sum with its own amount. */
function GroupChildren({ bill, relations }: { bill: BillDetail; relations: BillRelations }) {
  const { children, children_sums: sums } = relations
  const difference = subtractMoney(bill.amount_due, sums.amount_due)
  return (
    <RelatedTable bill={bill} title="Bills of the group" rows={children} sum={sums.amount_due}>
      <p className={styles.quiet}>
        This bill pays for {sums.count === 1 ? 'one bill, which counts' : `${sums.count} bills, which count`} in cost and use in its place.{' '}
        {sums.unseen > 0
          ? `${sums.unseen} of them lie outside what you may see, and the sum leaves them out.`
          : difference === '0.00'
            ? 'They add up to its amount due.'
            : null}
        {sums.unseen === 0 && difference !== '0.00' && (
          <>
            Its amount due less their sum is <Figure value={difference} places={2} currency />.
          </>
        )}
      </p>
    </RelatedTable>
  )
}
