/**
 * Lessons of one confirmed bill: the words, heading or place of each confirmed value, and which rules gave it or another value. Pure: from
 * the words and the confirmed values to votes.
 */
import { printedHeads } from '#contract/bills/bill-fields.ts'
import type { ConfirmedReading, DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import { chooseValues } from './choose-values.ts'
import { fixedPhrase, signatureOf } from './fixed-words.ts'
import { meaningsOf, type SoughtField } from './label-words.ts'
import { learnedOf, spotOf, type LayoutRule } from './layout-rules.ts'
import { anchorHits, anchorsOf, valuesOn, type Hit } from './line-items.ts'
import type { Line, Sheet, Token } from './page-lines.ts'
import type { Printed } from './printed-dates.ts'
import { headCandidates, kindOfField, nothingKnown, readHeads, valueAt, type Candidate } from './read-heads.ts'
import { readWords } from './read-words.ts'
import { isSameValue } from './same-value.ts'
import { meterVotes } from './teach-meters.ts'
import { none, placeVotes, type Vote } from './vote.ts'

export interface Lesson {
  readonly signature: readonly string[]
  readonly votes: readonly Vote[]
}

const taughtHeads = ['account_number', ...printedHeads] as const
type Head = (typeof taughtHeads)[number]

/** @param rules known rules of the layout, to be confirmed or corrected. */
export function teach(words: DocumentWords, confirmed: ConfirmedReading, rules: readonly LayoutRule[]): Lesson {
  const { sheets } = readWords(words)
  const { meters } = readWords(words, learnedOf(rules))
  const votes = [...headVotes(sheets, confirmed, rules), ...meterVotes(meters, sheets, confirmed, rules)]
  // One vote per rule and bill: if a label is printed twice and was right once, the label is right.
  const byRule = Map.groupBy(votes, (vote) => `${vote.field} ${vote.relation} ${vote.phrase} ${vote.page} ${vote.x} ${vote.y}`)
  return {
    signature: signatureOf(sheets),
    votes: [...byRule.values()].flatMap((same) => same.find((vote) => vote.isRight) ?? same[0] ?? []),
  }
}

function headVotes(sheets: readonly Sheet[], confirmed: ConfirmedReading, rules: readonly LayoutRule[]): Vote[] {
  const votes: Vote[] = []
  const general = readHeads(sheets, nothingKnown)
  const read = chooseValues(readHeads(sheets, learnedOf(rules)))
  // Every rule is tried, including one that was corrected more often than confirmed: it may recover.
  const learned = headCandidates(sheets, learnedOf(rules.map((rule) => ({ ...rule, confirmed: 1, corrected: 0 }))))
  for (const field of taughtHeads) {
    const value = confirmed.values[field]
    if (value === null || value === undefined || value === '' || value === '0.00') continue
    const isRead = read.some((one) => one.field === field && one.place !== null && isSameValue(kindOfField[field], one.value, value))
    const stands = foundBeside(sheets, field, value, confirmed)
    votes.push(...labelVotes(stands, field), ...(isRead ? [] : anchorVotes(sheets, stands, field, value)))
    votes.push(...misled(general.get(field) ?? [], field, value), ...known(learned.get(field) ?? [], { sheets, field, value, rules }))
  }
  return votes
}

interface Stand {
  readonly hit: Hit
  readonly phrase: string
  /** True if several fields of the bill have this value. */
  readonly isShared: boolean
}

/**
 * Returns the positions of the value. If several fields share it, a position counts for this field only if no built-in label explains it by
 * one of the others.
 */
function foundBeside(sheets: readonly Sheet[], field: Head, value: string, confirmed: ConfirmedReading): Stand[] {
  const sharing = taughtHeads.filter((other) => other !== field && confirmed.values[other] === value)
  const kind = kindOfField[field]
  const labelled = valuesOn(sheets, kind)
    .filter((hit) => isSameValue(kind, hit.printed.value, value))
    .map((hit) => ({ hit, phrase: labelPhrase(hit.sheet, hit.line, hit.printed), isShared: sharing.length > 0 }))
  if (sharing.some((other) => !labelled.some(({ phrase }) => isExplained(phrase, [other])))) return []
  return labelled.filter(({ phrase }) => !isExplained(phrase, sharing) && !isPlainly(phrase, field))
}

function labelVotes(stands: readonly Stand[], field: Head): Vote[] {
  return stands.flatMap(({ phrase }): Vote[] => (phrase === '' ? [] : [{ field, relation: 'label', phrase, ...none, isRight: true }]))
}

/** Returns votes for a value that was not read: the words around it that lead to nothing else on this bill, and its places. */
function anchorVotes(sheets: readonly Sheet[], stands: readonly Stand[], field: Head, value: string): Vote[] {
  const kind = kindOfField[field]
  const isOnly = (hits: readonly Hit[]): boolean => hits.every((hit) => isSameValue(kind, hit.printed.value, value))
  const phrases = stands.flatMap(({ hit }) => anchorsOf(hit).find((phrase) => isOnly(anchorHits(phrase, kind, sheets))) ?? [])
  return [
    ...phrases.map((phrase): Vote => ({ field, relation: 'label', phrase, ...none, isRight: true })),
    ...placeVotes(
      stands.filter((one) => !one.isShared).map((one) => one.hit),
      field,
      sheets,
    ),
  ]
}

/** Words with a general meaning for another field keep it here too: the value is beside them by chance. */
const PLAIN = 0.9

function isPlainly(phrase: string, field: SoughtField): boolean {
  const meanings = phrase === '' ? [] : (meaningsOf(phrase) ?? [])
  return meanings.length > 0 && meanings.every((meaning) => meaning.field !== field && meaning.weight >= PLAIN)
}

function isExplained(phrase: string, fields: readonly SoughtField[]): boolean {
  return phrase !== '' && (meaningsOf(phrase) ?? []).some((meaning) => fields.includes(meaning.field))
}

/** Returns the listed words directly before the value on its line, otherwise those directly above it; empty if there are none. */
function labelPhrase(sheet: Sheet, line: Line, found: Printed): string {
  const [first] = found.tokens
  const before =
    first === undefined ? [] : line.tokens.slice(0, line.tokens.indexOf(first)).filter((token) => /[A-Za-z\d]/.test(token.text))
  // Words after another value belong to that value.
  const words = before.slice(before.findLastIndex((token) => /\d/.test(token.text)) + 1)
  const cell = line.cells.findLast((one) => words.some((token) => one.tokens.includes(token)))
  const label = words.filter((token) => cell?.tokens.includes(token) === true)
  const beside = label.length === 0 || label.length > 7 ? '' : fixedPhrase(label.map((token) => token.text))
  return beside !== '' ? beside : phraseAbove(sheet, line, found.tokens)
}

const ABOVE_MAX = 3.6

function phraseAbove(sheet: Sheet, line: Line, tokens: readonly Token[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (first === undefined || last === undefined) return ''
  for (const upper of sheet.lines.slice(0, sheet.lines.indexOf(line)).toReversed()) {
    if (line.y - upper.y > ABOVE_MAX * Math.max(upper.height, Math.min(line.height, 2 * upper.height))) return ''
    const cell = upper.cells.find((one) => Math.min(one.end, last.x + last.width) - Math.max(one.x, first.x) > -2)
    if (cell === undefined) continue
    return cell.tokens.some((token) => /\d/.test(token.text)) || cell.tokens.length > 7
      ? ''
      : fixedPhrase(cell.tokens.map((token) => token.text))
  }
  return ''
}

/** Returns built-in labels that lead to another value on this vendor's bills. */
function misled(candidates: readonly Candidate[], field: Head, value: string): Vote[] {
  return candidates
    .filter((one) => one.place !== null && !isSameValue(kindOfField[field], one.value, value) && fixedPhrase(one.phrase.split(' ')) !== '')
    .map((one): Vote => ({ field, relation: 'label', phrase: one.phrase, ...none, isRight: false }))
}

/** Returns the votes of this bill on each rule of the layout. */
function known(
  candidates: readonly Candidate[],
  { sheets, field, value, rules }: { sheets: readonly Sheet[]; field: Head; value: string; rules: readonly LayoutRule[] },
): Vote[] {
  const kind = kindOfField[field]
  return rules.flatMap((rule): Vote[] => {
    if (rule.field !== field || rule.relation === 'column') return []
    const { relation, phrase, page, x, y } = rule
    const mine =
      relation === 'label' ? candidates.filter((one) => one.phrase === phrase) : (valueAt(spotOf(rule), kind, sheets)?.printed ?? [])
    const values = [mine].flat().map((one) => one.value)
    return values.length === 0
      ? []
      : [{ field, relation, phrase, page, x, y, isRight: values.some((one) => isSameValue(kind, one, value)) }]
  })
}
