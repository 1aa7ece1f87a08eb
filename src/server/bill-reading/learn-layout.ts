/** What a person saved of a document teaches the layout of its vendor. */
import type { ConfirmedReading, DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { signatureOf } from './fixed-words.ts'
import { helpfulVotes } from './helpful-votes.ts'
import { sheetsOf } from './page-lines.ts'
import { keepLesson, layoutOf } from './stored-layouts.ts'
import { teach } from './teach-layout.ts'

/** Longer documents carry their figures on the first pages; the rest would only cost the save its time. */
const PAGES_MAX = 6

/**
 * Learns from one saved bill, in the transaction of its save. The words are those of the bill's own pages. Nothing is learned without a
 * vendor, and nothing of the client: see fixed-words.ts. A lesson by which the bill itself reads worse is not kept.
 * @param userId who taught it
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
