/** Searches the text of a document page by page while the user types. */
import { useEffect, useState } from 'react'
import { findOnPage, type Hit, type TextPiece } from './find-text.ts'
import type { OpenDocument } from './use-document.ts'

/** Maximum number of marked matches; only a single typed letter finds more. */
const HITS_MAX = 1_000

export interface TextSearch {
  readonly words: string
  readonly setWords: (words: string) => void
  readonly hits: readonly Hit[]
  /** Index of the current hit in `hits`; -1 if there is none. */
  readonly at: number
  /** Moves to the next or previous hit; the first follows the last. */
  readonly step: (by: 1 | -1) => void
  /** Whether the pages have text to search; a scan has none. */
  readonly hasText: boolean | undefined
}

const noHits: readonly Hit[] = []

export function useTextSearch(document: OpenDocument, pages: readonly number[]): TextSearch {
  const [words, setWords] = useState('')
  const [found, setFound] = useState<{ hits: readonly Hit[]; at: number }>({ hits: noHits, at: -1 })
  const [texts, setTexts] = useState<ReadonlyMap<number, readonly TextPiece[]>>()
  const pdf = document.kind === 'pdf' ? document.pdf : undefined
  const wanted = words.trim() !== ''
  useEffect(() => {
    if (!pdf || !wanted) return undefined
    let left = false
    const read = async () => {
      const pieces = await Promise.all(pages.map(async (page) => [page, await pdf.text(page)] as const))
      if (!left) setTexts(new Map(pieces))
    }
    read().catch((error: unknown) => console.warn('the text of the document could not be read', error))
    return () => void (left = true)
  }, [pdf, pages, wanted])
  const search = (next: string) => {
    setWords(next)
    setFound(findIn(texts, next))
  }
  // The text may arrive after the first typed letters.
  const [searched, setSearched] = useState(texts)
  if (searched !== texts) {
    setSearched(texts)
    setFound(findIn(texts, words))
  }
  const step = (by: 1 | -1) => {
    const { hits, at } = found
    if (hits.length > 0) setFound({ hits, at: (at + by + hits.length) % hits.length })
  }
  return {
    words,
    setWords: search,
    ...found,
    step,
    hasText: texts && [...texts.values()].some((pieces) => pieces.some(({ text }) => text.trim() !== '')),
  }
}

function findIn(texts: ReadonlyMap<number, readonly TextPiece[]> | undefined, words: string): { hits: readonly Hit[]; at: number } {
  const hits = [...(texts ?? [])].flatMap(([page, pieces]) => findOnPage(page, pieces, words)).slice(0, HITS_MAX)
  return { hits, at: hits.length > 0 ? 0 : -1 }
}
