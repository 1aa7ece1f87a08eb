/** A lesson must not make its own bill read worse: the confirmed values of the bill are known, so both readings can be compared. */
import {
  readBillFields,
  type ConfirmedReading,
  type DocumentWords,
  type ReadBillField,
  type ReadMeterField,
} from '#contract/bill-reading/bill-reading.ts'
import { learnedOf, taughtMeterFields, type LayoutRule } from './layout-rules.ts'
import { kindOfField } from './read-heads.ts'
import { readWords, type DraftReading } from './read-words.ts'
import { isSameValue, kindOfMeterField } from './same-value.ts'
import type { Vote } from './vote.ts'

/** Returns the votes without those for fields that they make worse; returns none if that does not help. */
export function helpfulVotes(
  words: DocumentWords,
  confirmed: ConfirmedReading,
  { rules, votes }: { readonly rules: readonly LayoutRule[]; readonly votes: readonly Vote[] },
): readonly Vote[] {
  const before = rightOf(readWords(words, learnedOf(rules)), confirmed)
  const worse = (some: readonly Vote[]): string[] => {
    const after = rightOf(readWords(words, learnedOf(withVotes(rules, some))), confirmed)
    return [...before].flatMap(([field, right]) => ((after.get(field) ?? 0) < right ? [field] : []))
  }
  const harmed = worse(votes)
  if (harmed.length === 0) return votes
  const rest = votes.filter((vote) => !harmed.includes(vote.field))
  return worse(rest).length === 0 ? rest : []
}

/** Counts, per field, the values that are read as they were confirmed. */
function rightOf({ fields, meters }: DraftReading, confirmed: ConfirmedReading): Map<ReadBillField | ReadMeterField, number> {
  const right = new Map<ReadBillField | ReadMeterField, number>()
  for (const field of readBillFields) {
    const value = confirmed.values[field]
    const read = fields.find((one) => one.field === field)
    if (field === 'vendor' || value === null || value === undefined || read === undefined) continue
    if (isSameValue(kindOfField[field], read.value, value)) right.set(field, 1)
  }
  for (const field of taughtMeterFields) {
    const kind = kindOfMeterField(field)
    const count = confirmed.meters.filter((meter, place) => {
      const read = meters[place]?.get(field)?.value
      const value = meter[field]
      return read !== undefined && value !== null && value !== undefined && isSameValue(kind, read, value)
    }).length
    right.set(field, count)
  }
  return right
}

/** Returns the rules after the votes have been counted. */
export function withVotes(rules: readonly LayoutRule[], votes: readonly Vote[]): LayoutRule[] {
  const keyOf = ({ field, relation, phrase, page, x, y }: Omit<Vote, 'isRight'>): string =>
    JSON.stringify([field, relation, phrase, page, x, y])
  const counted = new Map(rules.map((rule) => [keyOf(rule), rule]))
  for (const { isRight, ...vote } of votes) {
    const { confirmed, corrected } = counted.get(keyOf(vote)) ?? { confirmed: 0, corrected: 0 }
    counted.set(keyOf(vote), { ...vote, confirmed: confirmed + (isRight ? 1 : 0), corrected: corrected + (isRight ? 0 : 1) })
  }
  return [...counted.values()]
}
