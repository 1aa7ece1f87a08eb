/** Chooses among the candidates by the relations between the values of a bill, and rates the confidence of each choice. */
import type { ReadBillField, ReadField } from '#contract/bill-reading/bill-reading.ts'
import { daysBetween } from '#contract/kernel/date.ts'
import { addMoney, compareMoney, sumMoney, subtractMoney } from '#contract/kernel/money.ts'
import type { Candidate, Candidates } from './read-heads.ts'
import type { SoughtField } from './label-words.ts'

export interface ChosenField extends ReadField<ReadBillField> {
  readonly phrase: string
}

/** Candidates of each amount that are tried together. */
const TRIED = 4
const SURE = 0.97
const UNSURE = 0.7
/** Confidence of a value that follows from other values, but is not printed. */
const COMPUTED = 0.6
/** A bill falls due within this many days. */
const DUE_DAYS_MAX = 90

export function chooseValues(candidates: Candidates): ChosenField[] {
  const dates = chooseDates(candidates)
  const amounts = chooseAmounts(candidates)
  const plain = (['account_number', 'invoice_number'] as const).flatMap((field) => {
    const [best, second] = candidates.get(field) ?? []
    return best === undefined ? [] : [chosen(field, best, second === undefined ? best.score : best.score * (1 - second.score / 4))]
  })
  return [...plain, ...dates, ...amounts]
}

function chosen(field: ReadBillField, { value, printed, place, phrase }: Candidate, confidence: number): ChosenField {
  return { field, value, printed, place, phrase, confidence: Math.round(Math.min(0.99, confidence) * 100) / 100 }
}

/** The due date is after the bill date; a matching pair has a higher confidence than each date alone. */
function chooseDates(candidates: Candidates): ChosenField[] {
  const dates = (candidates.get('date') ?? []).slice(0, TRIED)
  const due = (candidates.get('due_date') ?? []).slice(0, TRIED)
  const pairs = dates.flatMap((date) =>
    due.filter((one) => fits(date.value, one.value)).map((one) => ({ date, due: one, score: date.score * one.score })),
  )
  const [pair] = pairs.toSorted((a, b) => b.score - a.score)
  if (pair !== undefined) {
    return [chosen('date', pair.date, (1 + pair.date.score) / 2), chosen('due_date', pair.due, (1 + pair.due.score) / 2)]
  }
  return [
    ...dates.slice(0, 1).map((date) => chosen('date', date, date.score * (due.length > 0 ? 0.6 : 0.9))),
    ...due.slice(0, 1).map((date) => chosen('due_date', date, date.score * (dates.length > 0 ? 0.6 : 0.9))),
  ]
}

function fits(date: string, due: string): boolean {
  const days = daysBetween(date, due)
  return days >= 0 && days <= DUE_DAYS_MAX
}

const nothingCarried: Candidate = { value: '0.00', printed: '', score: COMPUTED, place: null, phrase: '' }

interface Amounts {
  readonly due: Candidate
  readonly balance: Candidate | null
  readonly charges: Candidate | null
  readonly fee: Candidate | null
  readonly score: number
}

/** Returns the amounts that add up to the amount due; if there are none, each field's best candidate. */
function chooseAmounts(candidates: Candidates): ChosenField[] {
  const balances = [...top(candidates, 'balance_forward'), ...carried(candidates)]
  const whole = completeSums(candidates, balances)
  if (whole !== null) {
    const surely = (field: SoughtField, part: Candidate): number => (isOutnamed(part, top(candidates, field)) ? UNSURE : SURE)
    return [
      chosen('balance_forward', whole.balance ?? nothingCarried, whole.balance === null ? COMPUTED : SURE),
      ...(whole.charges === null ? [] : [chosen('current_charges', whole.charges, surely('current_charges', whole.charges))]),
      ...(whole.fee === null ? [] : [chosen('late_fee', whole.fee, surely('late_fee', whole.fee))]),
      chosen('amount_due', whole.due, surely('amount_due', whole.due)),
    ]
  }
  const [due] = top(candidates, 'amount_due')
  const single = (['current_charges', 'late_fee', 'amount_due'] as const).flatMap((field) => {
    const [best] = top(candidates, field)
    return best === undefined ? [] : [chosen(field, best, best.score * 0.8)]
  })
  const [balance] = balances
  const rest = balance ?? restOf(due, top(candidates, 'current_charges')[0], top(candidates, 'late_fee')[0])
  return rest === null ? single : [...single, chosen('balance_forward', rest, Math.min(rest.score, COMPUTED))]
}

/** If the label of another candidate is this much clearer, an amount that only the sum supports is doubtful: a person has to check. */
const PLAINER = 1.2

const isOutnamed = (part: Candidate, all: readonly Candidate[]): boolean =>
  all.some((other) => other.value !== part.value && other.score > part.score * PLAINER)

const top = (candidates: Candidates, field: SoughtField): readonly Candidate[] => (candidates.get(field) ?? []).slice(0, TRIED)

/** Returns the sum with the most likely parts. A sum of one part proves nothing unless the other parts are nowhere to be found. */
function completeSums(candidates: Candidates, balances: readonly Candidate[]): Amounts | null {
  const found: Amounts[] = []
  const fees = [null, ...top(candidates, 'late_fee')]
  for (const due of top(candidates, 'amount_due'))
    for (const charges of top(candidates, 'current_charges'))
      for (const balance of [null, ...balances])
        for (const fee of fees) {
          if (compareMoney(addMoney(balance?.value, charges.value, fee?.value), due.value) !== 0) continue
          const absent = (balance === null && balances.length > 0 ? 0.5 : 1) * (fee === null && fees.length > 1 ? 0.7 : 1)
          found.push({
            due,
            balance,
            charges,
            fee,
            score: due.score * charges.score * (balance?.score ?? 0.6) * (fee?.score ?? 0.8) * absent,
          })
        }
  const [best] = found.toSorted((a, b) => b.score - a.score)
  return best ?? null
}

/** Returns the previous balance less the payments, which some bills print instead of the balance. */
function carried(candidates: Candidates): Candidate[] {
  const [before] = top(candidates, 'previous_balance')
  if (before === undefined) return []
  const payments = candidates.get('payments') ?? []
  const paid = sumMoney(payments.slice(0, 1).map((payment) => payment.value.replace('-', '')))
  return [{ value: subtractMoney(before.value, paid), printed: '', score: COMPUTED * before.score, place: null, phrase: '' }]
}

/** Returns the amount that the bill must carry forward for its other amounts to add up. */
function restOf(due: Candidate | undefined, charges: Candidate | undefined, fee: Candidate | undefined): Candidate | null {
  if (due === undefined || charges === undefined) return null
  return { value: subtractMoney(due.value, addMoney(charges.value, fee?.value)), printed: '', score: 0.3, place: null, phrase: '' }
}
