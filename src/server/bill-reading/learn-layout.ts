/** Teaches a vendor's layout from what a person saved of a document. */
import type { ConfirmedReading, DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { signatureOf } from './fixed-words.ts'
import { helpfulVotes } from './helpful-votes.ts'
import { sheetsOf } from './page-lines.ts'
import { keepLesson, layoutOf } from './stored-layouts.ts'
import { teach } from './teach-layout.ts'

/** Longer documents have their figures on the first pages; the rest would only slow down the save. */
const PAGES_MAX = 6

/**
 * Learns from one saved bill, in the transaction of its save. The words are those of the bill's own pages. Without a vendor nothing is
 * learned, and data of the client never is: see fixed-words.ts. A lesson that makes the bill itself read worse is not stored.
 * @param userId the user who taught it
 */
export async function learnLayout(tx: Tx, words: DocumentWords, confirmed: ConfirmedReading, userId: number | null = null): Promise<void> {
  if (confirmed.vendor_id === null || words.pages.length === 0) return
  const first = { pages: words.pages.slice(0, PAGES_MAX) }
  const layout = await layoutOf(tx, confirmed.vendor_id, signatureOf(sheetsOf(first)), true)
  const rules = layout?.rules ?? []
  const { signature, votes } = teach(first, confirmed, rules)
  const kept = helpfulVotes(first, confirmed, { rules, votes })
  await keepLesson(tx, { vendorId: confirmed.vendor_id, layout, userId, signature, votes: kept })
}
