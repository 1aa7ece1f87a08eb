/** A page of words at places, as the reader gets them, without a document around it. */
import type { DocumentWords, ReadWord } from '#contract/bill-reading/bill-reading.ts'

export type Text = readonly [x: number, y: number, text: string]

/** A page with these texts, each letter five points wide. */
export function pageOf(texts: readonly Text[]): DocumentWords {
  const words = texts.flatMap(([left, y, text]) => {
    let x = left
    return text.split(' ').map((word): ReadWord => {
      const at = x
      x += word.length * 5 + 3
      return [word, at, y, word.length * 5, 10, 1]
    })
  })
  return { pages: [{ page: 1, width: 612, height: 792, source: 'text', words }] }
}
