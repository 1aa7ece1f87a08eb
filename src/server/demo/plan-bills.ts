/** The bills of an account over its history: consecutive read dates and readings, charges by tariff. Pure. */
import type { BillDraft, ServiceBillDraft } from '#contract/bills/bill-draft.ts'
import { addDays, daysBetween, type CalendarDate } from '#contract/kernel/date.ts'
import { sumCents, wireOf, type Cents } from '#contract/kernel/money.ts'
import { diceOf, numberLike, type Dice } from './dice.ts'
import type { AccountPlan, PlannedBill, PlannedLine, ServicePlan } from './plan.ts'
import { seasonalDays } from './season.ts'
import type { VendorSample } from './vendor-catalog.ts'

/** Yearly price increase, in hundredths of a percent. */
const YEARLY_RISE = 320
const TEN_THOUSAND = 10_000
const HOURS = 24
const NOISE = 0.03
const FRANCHISE_SHARE = 0.015
const FUEL_SURCHARGE_SHARE = 0.09
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

function planLine(
  account: AccountPlan,
  service: ServicePlan,
  before: number | null,
  from: CalendarDate,
  to: CalendarDate,
  years: number,
  dice: Dice,
): PlannedLine {
  const days = daysBetween(from, to)
  const noise = service.model === 'flat' ? 1 : dice.about(NOISE)
  const worth =
    service.model === 'flat' ? service.daily : service.daily * seasonalDays(service.model, account.facility.region, from, to) * noise
  const turns = Math.max(service.metered ? 1 : 0, Math.round(worth / service.multiplier))
  const usage = turns * service.multiplier
  const kilowatts =
    service.loadFactor === null ? 0 : Math.max(1, Math.round(usage / (HOURS * days * service.loadFactor * dice.about(0.03))))
  return {
    service,
    from,
    to,
    before,
    after: before === null ? null : before + turns,
    multiplier: service.multiplier,
    usage,
    values: chargesOf(service, usage, kilowatts, account.months, years),
    factors: factorsOf(service, kilowatts, dice),
    estimated: service.metered && service.reading !== null && dice.chance(0.012),
    schedule: service.schedule,
    rawUnit: null,
    stated: {},
  }
}

function chargesOf(service: ServicePlan, usage: number, kilowatts: number, months: number, years: number): PlannedLine['values'] {
  const risen = (amount: number): number => amount * (1 + YEARLY_RISE / TEN_THOUSAND) ** years
  const ofRate = (rate: number): Cents => Math.round((usage * Math.round(risen(rate))) / TEN_THOUSAND)
  const taxOf = (amount: Cents): Cents => Math.round((amount * service.tax) / TEN_THOUSAND)
  const utility = Math.round(risen(service.customer)) * months + ofRate(service.rate) + kilowatts * Math.round(risen(service.kilowatt))
  const supply = service.supplyRate === null ? null : ofRate(service.supplyRate)
  return [
    { name: 'Utility Charges', amount: utility },
    ...(service.tax > 0 ? [{ name: 'Utility Taxes', amount: taxOf(utility) }] : []),
    ...(supply === null ? [] : [{ name: 'Supply Charges', amount: supply }]),
    ...(supply === null || service.tax === 0 ? [] : [{ name: 'Supply Taxes', amount: taxOf(supply) }]),
    ...(service.recRate > 0 ? [{ name: 'REC Charge', amount: ofRate(service.recRate) }] : []),
    ...(service.extraField === null ? [] : [{ name: service.extraField, amount: Math.round(utility * FUEL_SURCHARGE_SHARE) }]),
  ]
}

function factorsOf(service: ServicePlan, kilowatts: number, dice: Dice): PlannedLine['factors'] {
  if (service.thermFactor !== null)
    return [{ name: 'Therm Factor', value: (service.thermFactor / TEN_THOUSAND + dice.whole(-40, 40) / TEN_THOUSAND).toFixed(4) }]
  if (service.loadFactor === null) return []
  return [
    { name: 'KW Actual', value: `${kilowatts}.0000` },
    { name: 'KW Billed', value: `${kilowatts}.0000` },
    { name: 'Power Factor', value: (dice.whole(915, 985) / 1_000).toFixed(4) },
  ]
}

/** Sewer is billed by the water of the same days. */
function withSewer(account: AccountPlan, lines: readonly PlannedLine[], years: number): readonly PlannedLine[] {
  const [water] = lines
  if (water?.service.utility !== 'water') return lines
  return lines.map((line) =>
    line.service.utility === 'sewer'
      ? { ...line, usage: water.usage, estimated: water.estimated, values: chargesOf(line.service, water.usage, 0, account.months, years) }
      : line,
  )
}

/** Returns what the energy supplier bills for the same days and the same meter. */
function supplyLine(account: AccountPlan, line: PlannedLine, years: number): PlannedLine {
  const rate = account.facility.region.electric.supply ?? 0
  const [charge] = chargesOf(
    { ...line.service, rate: Math.round(rate * 0.94), customer: 0, kilowatt: 0, supplyRate: null, recRate: 0, extraField: null },
    line.usage,
    0,
    1,
    years,
  )
  const amount = charge?.amount ?? 0
  const tax = Math.round((amount * line.service.tax) / TEN_THOUSAND)
  return { ...line, factors: [], values: [{ name: 'Supply Charges', amount }, ...(tax > 0 ? [{ name: 'Supply Taxes', amount: tax }] : [])] }
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
