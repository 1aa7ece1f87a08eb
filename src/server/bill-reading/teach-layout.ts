/**
 * What one confirmed bill teaches: beside which words, under which heading or at which place each confirmed value stands, which rules gave
 * it and which gave another. Pure: from the words and the confirmed values to votes.
 */
import type { ConfirmedReading, DocumentWords } from '#contract/bill-reading.ts'
import { meaningsOf, type SoughtField } from './label-words.ts'
import { fixedPhrase, signatureOf } from './fixed-words.ts'
import { learnedOf, taughtMeterFields, type LayoutRule } from './layout-rules.ts'
import { columnPhrases } from './column-phrases.ts'
import { placeOf, type Line, type Sheet, type Token } from './page-lines.ts'
import { allPrinted, type Kind, type Printed } from './printed-values.ts'
import { headCandidates, isAt, kindOfField, nothingKnown, readHeads, type Candidate } from './read-heads.ts'
import { readWords } from './read-words.ts'
import { isSameValue, kindOfMeterField } from './same-value.ts'

export interface Vote extends Pick<LayoutRule, 'field' | 'relation' | 'phrase' | 'page' | 'x' | 'y'> {
  readonly isRight: boolean
}
export interface Lesson {
  readonly signature: readonly string[]
  readonly votes: readonly Vote[]
}

const taughtHeads = [
  'account_number',
  'invoice_number',
  'date',
  'due_date',
  'balance_forward',
  'current_charges',
  'late_fee',
  'amount_due',
] as const
type Head = (typeof taughtHeads)[number]

/** @param rules what is known of the layout so far, to be confirmed or corrected. */
export function teach(words: DocumentWords, confirmed: ConfirmedReading, rules: readonly LayoutRule[]): Lesson {
  const { sheets } = readWords(words)
  const votes = [...headVotes(sheets, confirmed, rules), ...meterVotes(words, sheets, confirmed, rules)]
  // One vote a rule and bill: where a label stands twice and was right once, the label is right.
  const byRule = Map.groupBy(votes, (vote) => `${vote.field} ${vote.relation} ${vote.phrase} ${vote.page} ${vote.x} ${vote.y}`)
  return {
    signature: signatureOf(sheets),
    votes: [...byRule.values()].flatMap((same) => same.find((vote) => vote.isRight) ?? same[0] ?? []),
  }
}

const none = { page: 0, x: 0, y: 0 } as const

function headVotes(sheets: readonly Sheet[], confirmed: ConfirmedReading, rules: readonly LayoutRule[]): Vote[] {
  const votes: Vote[] = []
  const general = readHeads(sheets, nothingKnown)
  // Every rule is asked, also one that was corrected more often than confirmed: it may come back.
  const learned = headCandidates(sheets, learnedOf(rules.map((rule) => ({ ...rule, confirmed: 1, corrected: 0 }))))
  for (const field of taughtHeads) {
    const value = confirmed.values[field]
    if (value === null || value === undefined || value === '' || value === '0.00') continue
    votes.push(...foundBeside(sheets, field, value, confirmed), ...misled(general.get(field) ?? [], field, value))
    votes.push(...known(learned.get(field) ?? [], field, value, rules))
  }
  return votes
}

/** Labels and places at which the value stands. A value that several fields share teaches only the one that no label of ours explains. */
function foundBeside(sheets: readonly Sheet[], field: Head, value: string, confirmed: ConfirmedReading): Vote[] {
  const sharing = taughtHeads.filter((other) => other !== field && confirmed.values[other] === value)
  const seen = sheets.flatMap((sheet) =>
    sheet.lines.flatMap((line) => occurrences(line, kindOfField[field], value).map((found) => ({ sheet, line, found }))),
  )
  const labelled = seen.map((one) => ({ ...one, phrase: labelPhrase(one.sheet, one.line, one.found) }))
  const fresh = labelled.filter(({ phrase }) => !isExplained(phrase, sharing) && !isPlainly(phrase, field))
  const isOthers = sharing.some((other) => !labelled.some(({ phrase }) => isExplained(phrase, [other])))
  if (isOthers) return []
  return fresh.flatMap(({ sheet, found, phrase }): Vote[] => {
    if (phrase !== '') return [{ field, relation: 'label', phrase, ...none, isRight: true }]
    const place = placeOf(found.tokens, sheet)
    const first = sheets[0]?.page ?? 1
    return place === null || sharing.length > 0
      ? []
      : [{ field, relation: 'place', phrase: '', page: place.page - first, x: rounded(place.x), y: rounded(place.y), isRight: true }]
  })
}

const rounded = (share: number): number => Math.round(share * 100) / 100

/** Words that mean another field on every bill do so here too: the value stands beside them by chance. */
const PLAIN = 0.9

function isPlainly(phrase: string, field: SoughtField): boolean {
  const meanings = phrase === '' ? [] : (meaningsOf(phrase) ?? [])
  return meanings.length > 0 && meanings.every((meaning) => meaning.field !== field && meaning.weight >= PLAIN)
}

function isExplained(phrase: string, fields: readonly SoughtField[]): boolean {
  return phrase !== '' && (meaningsOf(phrase) ?? []).some((meaning) => fields.includes(meaning.field))
}

function occurrences(line: Line, kind: Kind, value: string): Printed[] {
  return allPrinted(kind, line.tokens).filter((printed) => isSameValue(kind, printed.value, value))
}

/** The words of our list right before the value on its line, else those right above it; empty where there are none. */
function labelPhrase(sheet: Sheet, line: Line, found: Printed): string {
  const [first] = found.tokens
  const before =
    first === undefined ? [] : line.tokens.slice(0, line.tokens.indexOf(first)).filter((token) => /[A-Za-z\d]/.test(token.text))
  // Behind another value the words before are that value's.
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

/** Labels of ours that lead to another value on this vendor's bills. */
function misled(candidates: readonly Candidate[], field: Head, value: string): Vote[] {
  return candidates
    .filter((one) => one.place !== null && !isSameValue(kindOfField[field], one.value, value) && fixedPhrase(one.phrase.split(' ')) !== '')
    .map((one): Vote => ({ field, relation: 'label', phrase: one.phrase, ...none, isRight: false }))
}

/** What each rule of the layout says of this bill. */
function known(candidates: readonly Candidate[], field: Head, value: string, rules: readonly LayoutRule[]): Vote[] {
  return rules.flatMap((rule): Vote[] => {
    if (rule.field !== field || rule.relation === 'column') return []
    const { relation, phrase, page, x, y } = rule
    const mine = candidates.filter((one) =>
      relation === 'label' ? one.phrase === phrase : one.phrase === '' && one.place !== null && isAt(one.place, rule),
    )
    if (mine.length === 0) return []
    return [{ field, relation, phrase, page, x, y, isRight: mine.some((one) => isSameValue(kindOfField[field], one.value, value)) }]
  })
}

/** Headings of columns and labels of meters, and what the learned ones gave. */
function meterVotes(words: DocumentWords, sheets: readonly Sheet[], confirmed: ConfirmedReading, rules: readonly LayoutRule[]): Vote[] {
  const { meters } = readWords(words, learnedOf(rules))
  const votes: Vote[] = []
  for (const meter of confirmed.meters) {
    const read = meters.find((one) => isSameValue('identifier', one.get('meter_number')?.value ?? '', meter.meter_number ?? '-'))
    for (const field of taughtMeterFields) {
      const value = meter[field]
      if (value === null || value === undefined || value === '') continue
      const got = read?.get(field)
      const isOurs = got !== undefined && rules.some((rule) => rule.relation === 'column' && rule.phrase === got.phrase)
      if (isOurs)
        votes.push({
          field,
          relation: 'column',
          phrase: got.phrase,
          ...none,
          isRight: isSameValue(kindOfMeterField(field), got.value, value),
        })
      if (got !== undefined && isSameValue(kindOfMeterField(field), got.value, value)) continue
      const others = taughtMeterFields.flatMap((other) => (other === field ? [] : (meter[other] ?? [])))
      for (const phrase of columnPhrases(sheets, kindOfMeterField(field), value, others))
        votes.push({ field, relation: 'column', phrase, ...none, isRight: true })
    }
  }
  return votes
}
