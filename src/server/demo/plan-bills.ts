/** The bills of an account over its history: consecutive read dates and readings, charges by tariff. Pure. */
import type { BillDraft, ServiceBillDraft } from '#contract/bills/bill-draft.ts'
import { addDays, type CalendarDate } from '#contract/kernel/date.ts'
import { sumCents, wireOf, type Cents } from '#contract/kernel/money.ts'
import { diceOf, numberLike, type Dice } from './dice.ts'
import type { AccountPlan, PlannedBill, PlannedLine } from './plan.ts'
import type { VendorSample } from './vendor-catalog.ts'
import { planLine, withSewer, supplyLine } from './plan-line.ts'

const FRANCHISE_SHARE = 0.015

/** A bill is not entered on the day on which it is printed. */
const ENTERED_AFTER = { least: 1, most: 5 }
const NEWEST_BILL_DAYS = 2
const DAYS_A_PERIOD = { 1: [29, 32], 2: [59, 63], 3: [89, 93] } as const

/** Returns the account's bills, the oldest first; those of its supplier are consecutive in the same way and separate. */
export function planBills(account: AccountPlan, today: CalendarDate): { own: PlannedBill[]; supply: PlannedBill[] } {
  const reads = readDates(account, today)
  const dials = account.services.map((service) => service.reading)
  const own: PlannedBill[] = []
  const supply: PlannedBill[] = []
  for (const [place, to] of reads.entries()) {
    const from = reads[place - 1]
    if (from === undefined) continue
    const dice = diceOf(`bill ${account.client.sample.code} ${account.number} ${place}`)
    const years = yearsSince(reads[0] ?? to, to)
    const lines = account.services.map((service, at) => planLine(account, service, dials[at] ?? null, from, to, years, dice))
    for (const [at, line] of lines.entries()) dials[at] = line.after
    const billed = withSewer(account, lines, years)
    own.push(planBill(account, account.vendor, billed, franchise(account, billed), dice, to, today))
    const [line] = lines
    if (account.supply && line)
      supply.push({ ...planBill(account, account.supply.vendor, [supplyLine(account, line, years)], [], dice, to, today), is_supply: true })
  }
  return { own, supply }
}

/** Returns the draft from which the bill is stored. `ids` has the ids of its account and meters. */
export function draftOf(bill: PlannedBill, ids: ReadonlyMap<object, number>, today: CalendarDate): BillDraft {
  const { account } = bill
  const current = currentCharges(bill)
  const base: BillDraft = {
    account_type: bill.is_supply ? 'SupplyAccount' : 'BillableAccount',
    account_id: idOf(ids, bill.is_supply && account.supply ? account.supply : account),
    date: bill.date,
    due_date: bill.due,
    invoice_number: bill.invoice,
    balance_forward: wireOf(bill.balance),
    current_charges: wireOf(current),
    late_fee: wireOf(bill.lateFee),
    amount_due: wireOf(bill.balance + current + bill.lateFee),
    service_bills: bill.lines.map((line) =>
      lineDraft(line, idOf(ids, bill.is_supply && account.supply ? account.supply.service : line.service)),
    ),
    bill_charges: bill.charges.map(({ name, amount }) => ({ name, amount: wireOf(amount) })),
    source: 'demo',
    imported_history: bill.due < today,
    created_at: bill.created,
  }
  return { ...base, ...bill.stated }
}

export function currentCharges(bill: PlannedBill): Cents {
  return sumCents([
    ...bill.lines.flatMap((line) => line.values.map((value) => value.amount)),
    ...bill.charges.map((charge) => charge.amount),
  ])
}

/** Returns the same charges times a factor, each rounded to the cent. */
export function scaledValues(line: PlannedLine, factor: number): PlannedLine['values'] {
  return line.values.map(({ name, amount }) => ({ name, amount: Math.round(amount * factor) }))
}

export function idOf(ids: ReadonlyMap<object, number>, plan: object): number {
  const id = ids.get(plan)
  if (id === undefined) throw new Error('this was not stored yet')
  return id
}

const extraFields = ['Fuel Surcharge']

function lineDraft(line: PlannedLine, serviceId: number): ServiceBillDraft {
  const isExtra = (value: { name: string }): boolean => extraFields.includes(value.name)
  return {
    service_id: serviceId,
    previous_read_date: line.from,
    read_date: line.to,
    previous_reading: line.before === null ? null : `${line.before}.00`,
    meter_reading: line.after === null ? null : `${line.after}.00`,
    multiplier: String(line.multiplier),
    usage: `${line.usage}.000`,
    raw_unit: line.rawUnit,
    rate_schedule: line.schedule,
    estimated: line.estimated,
    service_bill_entry_fields: line.values.filter((value) => !isExtra(value)).map(({ name, amount }) => ({ name, value: wireOf(amount) })),
    service_bill_additional_entry_fields: line.values.filter(isExtra).map(({ name, amount }) => ({ name, value: `${wireOf(amount)}00` })),
    service_bill_usage_factors: line.factors,
    ...line.stated,
  }
}

/** Returns the read dates, the last of them a few days ago, or a few days before the client left. */
function readDates(account: AccountPlan, today: CalendarDate): CalendarDate[] {
  const dice = diceOf(account.seed)
  const [least, most] = DAYS_A_PERIOD[account.months]
  const { sample } = account.client
  const last = addDays(today, -(sample.left ?? 0) - 6 - dice.whole(0, least - 4))
  const count = Math.floor(sample.months / account.months)
  const dates = [last]
  for (let place = 0; place < count; place += 1) dates.unshift(addDays(dates[0] ?? last, -dice.whole(least, most)))
  return dates
}

function planBill(
  account: AccountPlan,
  vendor: VendorSample,
  lines: readonly PlannedLine[],
  charges: PlannedBill['charges'],
  dice: Dice,
  read: CalendarDate,
  today: CalendarDate,
): PlannedBill {
  const date = earlier(addDays(read, dice.whole(2, 4)), addDays(today, -NEWEST_BILL_DAYS))
  const entered = earlier(addDays(date, dice.whole(ENTERED_AFTER.least, ENTERED_AFTER.most)), addDays(today, -1))
  return {
    account,
    is_supply: false,
    date,
    due: addDays(date, vendor.terms),
    invoice: vendor.invoices === null ? null : numberLike(vendor.invoices, dice),
    lines,
    balance: 0,
    lateFee: 0,
    beside: 0,
    charges,
    created: `${entered}T${dice.whole(13, 21)}:${dice.whole(10, 59)}:00.000Z`,
    stated: {},
    plant: null,
  }
}

/** In Georgia the city's share is separate from the meter's charges. */
function franchise(account: AccountPlan, lines: readonly PlannedLine[]): PlannedBill['charges'] {
  if (account.vendor.code !== 'GAPOWER') return []
  const charged = sumCents(lines.flatMap((line) => line.values.map((value) => value.amount)))
  return [{ name: 'Municipal Franchise Fee', amount: Math.round(charged * FRANCHISE_SHARE) }]
}

/** Returns the number of Januaries between two days. */
function yearsSince(first: CalendarDate, day: CalendarDate): number {
  return Number(day.slice(0, 4)) - Number(first.slice(0, 4))
}

function earlier(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a < b ? a : b
}
