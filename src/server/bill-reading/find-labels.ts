/** Finds labels on a page: from each word on, the longest run of words that means a field. */
import { labelWordsMax, meaningsOf, type Meaning } from './label-words.ts'
import { plainPhrase, plainWord } from './plain-words.ts'
import type { Line, Token } from './page-lines.ts'

export interface Label {
  readonly phrase: string
  readonly meanings: readonly Meaning[]
  readonly line: Line
  /** Positions in the line's words: of the first word, and after the last. */
  readonly from: number
  readonly until: number
  /** True if its first word begins a cell: text in the middle of a sentence is less likely to be a label. */
  readonly startsCell: boolean
}

/** Words of one label are closer than this, in heights. */
const GAP_MAX = 1.3

/** @param learned phrases that people's confirmations made labels of a field; they take precedence over the built-in ones. */
export function findLabels(lines: readonly Line[], learned: (phrase: string) => readonly Meaning[]): Label[] {
  return lines.flatMap((line) => labelsOfLine(line, learned))
}

function labelsOfLine(line: Line, learned: (phrase: string) => readonly Meaning[]): Label[] {
  const labels: Label[] = []
  const plain = line.tokens.map((token) => plainWord(token.text))
  for (let from = 0; from < line.tokens.length;) {
    const found = plain[from] === '' ? null : longestAt(line, from, learned)
    if (found === null) {
      from += 1
      continue
    }
    if (found.meanings.length > 0) labels.push(found)
    from = found.until
  }
  return labels
}

function longestAt(line: Line, from: number, learned: (phrase: string) => readonly Meaning[]): Label | null {
  const reach = reachOf(line.tokens, from)
  for (let count = reach; count > 0; count -= 1) {
    const part = line.tokens.slice(from, from + count)
    if (/\d/.test(part.at(-1)?.text ?? '')) continue
    const phrase = plainPhrase(part.map((token) => token.text))
    const own = learned(phrase)
    const general = meaningsOf(phrase)
    const others = (general ?? []).filter((one) => !own.some((other) => other.field === one.field))
    // 'Amount due by' leads to a date and to an amount: the confirmation of one does not weaken the other.
    const meanings = own.length > 0 ? [...own.map((one) => surer(one, general ?? [])), ...others] : general
    const startsCell = line.cells.some((cell) => cell.tokens[0] === part[0])
    const label = { phrase, line, from, until: from + count, startsCell }
    if (meanings === null) return { ...label, meanings: [] }
    if (meanings.length > 0) return { ...label, meanings }
  }
  return null
}

/** A confirmed meaning never has a lower weight than the general one. */
function surer(learned: Meaning, general: readonly Meaning[]): Meaning {
  const weight = general.find((one) => one.field === learned.field)?.weight ?? 0
  return weight > learned.weight ? { ...learned, weight } : learned
}

/** Returns how many words from here on can be one label: a colon or a wide gap ends it. */
function reachOf(tokens: readonly Token[], from: number): number {
  let count = 1
  while (count < labelWordsMax) {
    const [before, next] = [tokens[from + count - 1], tokens[from + count]]
    if (before === undefined || next === undefined || before.text.endsWith(':')) break
    if (next.x - (before.x + before.width) > Math.max(before.height, next.height) * GAP_MAX) break
    count += 1
  }
  return count
}
