/** The rules by which lines of a statement are matched: each rule has a case that holds it and one that breaks it. */
import { describe, expect, it } from 'vitest'
import { clearablesOf, type SentPayment } from './clearable.ts'
import { matchLines, spentWords, type MatchingLine } from './match-lines.ts'

const sent = (id: number, own: Partial<SentPayment> = {}): SentPayment => ({
  id,
  client_id: 1,
  payer_name: 'Harbor Foods',
  vendor_name: 'City Power',
  vendor_payment_id: id,
  file_id: 7,
  file_name: 'ACH_A.ach',
  way: 'file',
  amount: 1_000,
  day: '2026-11-24',
  check_number: null,
  references: [],
  reversed_on: null,
  is_cleared: false,
  is_back: false,
  ...own,
})
const check = (id: number, number: string | null, own: Partial<SentPayment> = {}) =>
  sent(id, { way: 'check', check_number: number, file_id: 100 + id, day: '2026-11-02', ...own })
const line = (amount: number, own: Partial<MatchingLine> = {}): MatchingLine => ({
  day: '2026-11-24',
  amount,
  check_number: null,
  reference: '',
  description: '',
  ...own,
})
const match = (lines: readonly MatchingLine[], payments: readonly SentPayment[], spent: ReadonlyMap<string, string> = new Map()) =>
  matchLines(lines, { clearables: clearablesOf(payments), spent }).map(({ state, clearable, reason }) => [
    state,
    clearable?.key ?? null,
    reason,
  ])
const nothing = 'Nothing outstanding has this amount within 5 days.'

describe('a check', () => {
  it('is matched by its number and amount, however long it was under way', () => {
    expect(match([line(-1_000, { check_number: '20001' })], [check(1, '20001'), check(2, '20002')])).toEqual([
      ['matched', 'check:1', 'Same check number and amount'],
    ])
  })

  it('of another amount, a number twice, a number that is spent and one that nobody issued stay unknown, and say why', () => {
    const spent = new Map([['20009', spentWords('20009', { cleared_on: null, reversed_on: '2026-11-20' })]])
    const lines = [
      line(-1_010, { check_number: '20001' }),
      line(-2_000, { check_number: '20002' }),
      line(-2_000, { check_number: '20002' }),
      line(-1_000, { check_number: '20009' }),
      line(-1_000, { check_number: '20010' }),
    ]
    expect(match(lines, [check(1, '20001'), check(2, '20002', { amount: 2_000 })], spent)).toEqual([
      ['unknown', null, 'The bank paid $10.10, and check 20001 is $10.00.'],
      ['matched', 'check:2', 'Same check number and amount'],
      ['unknown', null, 'Check 20002 is in this statement twice.'],
      ['unknown', null, 'Check 20009 was taken back on 11/20/2026, and the bank paid it.'],
      ['unknown', null, 'No check 20010 of this account is outstanding.'],
    ])
  })

  it('that is void before it left is nothing to wait for; one that cleared and came back is awaited back', () => {
    expect(clearablesOf([check(1, '20001', { reversed_on: '2026-11-20' })])).toEqual([])
    expect(clearablesOf([check(1, '20001', { reversed_on: '2026-11-20', is_cleared: true })])).toMatchObject([
      { key: 'return:1', amount: 1_000 },
    ])
    // What has come back has left, although its line was opened again.
    expect(clearablesOf([check(1, '20001', { reversed_on: '2026-11-20', is_back: true })])).toMatchObject([
      { key: 'check:1', amount: -1_000 },
    ])
  })

  it('without a number may be meant by a line with one; a check with another number is not', () => {
    const near = line(-1_000, { check_number: '20001', day: '2026-11-03' })
    expect(match([near], [check(1, null)])).toEqual([['near', 'check:1', 'Same amount, 1 day later than ours.']])
    expect(match([near], [check(1, '20002')])).toEqual([['unknown', null, 'No check 20001 of this account is outstanding.']])
  })
})

describe('a payment file', () => {
  const three = [sent(1), sent(2, { amount: 2_000 }), sent(3, { amount: 4_000, client_id: 2, payer_name: 'Grocers' })]

  it('is one sum of the bank, or one for each batch, on the day on which it settles', () => {
    expect(match([line(-7_000)], three)).toEqual([['matched', 'file:7', 'Same amount on the day on which the file settles']])
    expect(match([line(-4_000), line(-3_000)], three).map(([, key]) => key)).toEqual(['batch:7:2', 'batch:7:1'])
  })

  it('is only proposed on another day, where something else has the amount, and where two lines have it', () => {
    expect(match([line(-7_000, { day: '2026-11-25' })], three)).toEqual([['near', 'file:7', 'Same amount, 1 day later than ours.']])
    expect(match([line(-7_000)], [...three, check(4, null, { amount: 7_000, day: '2026-11-23' })])).toEqual([
      ['near', 'file:7', 'Same amount, on the same day. Another one has this amount too.'],
    ])
    expect(match([line(-7_000), line(-7_000)], three)).toEqual([
      ['near', 'file:7', 'Same amount, on the same day.'],
      ['unknown', null, nothing],
    ])
  })

  it('of which a part is cleared is no sum any more, and its other payments are still there one by one', () => {
    const rest = [sent(1, { is_cleared: true }), ...three.slice(1)]
    expect(clearablesOf(rest).map(({ key }) => key)).toEqual(['batch:7:2', 'payment:2'])
    expect(match([line(-7_000), line(-2_000)], rest)).toEqual([
      ['unknown', null, nothing],
      ['near', 'payment:2', 'Same amount, on the same day.'],
    ])
  })

  it('carries a payment that came back all the same, and its return is a credit by the trace number', () => {
    const returned = sent(1, { references: ['021000020000007'], reversed_on: '2026-11-25' })
    const lines = [line(-7_000), line(1_000, { reference: '021000020000007', day: '2026-11-25' })]
    expect(match(lines, [returned, ...three.slice(1)]).map(([state, key]) => [state, key])).toEqual([
      ['matched', 'file:7'],
      ['matched', 'return:1'],
    ])
    expect(match([line(1_000)], [returned, ...three.slice(1)])).toEqual([['near', 'return:1', 'Same amount, 1 day earlier than ours.']])
  })
})

describe('a reference', () => {
  const online = sent(5, { way: 'single', references: ['CONF-77123'] })

  it('names a payment together with the amount, in the reference or in the words of the line', () => {
    expect(match([line(-1_000, { reference: 'conf-77123' })], [online])).toEqual([['matched', 'payment:5', 'Same reference and amount']])
    expect(match([line(-1_000, { description: 'WEB PMT VP-5555 CITY' })], [sent(5555, { way: 'single' })])).toEqual([
      ['matched', 'payment:5555', 'Same reference and amount'],
    ])
  })

  it('with another amount is unknown and says both; one of two payments is only proposed; the sign must agree', () => {
    expect(match([line(-999, { reference: 'CONF-77123' })], [online])).toEqual([
      ['unknown', null, 'The bank has $9.99, and VP-5, City Power is $10.00.'],
    ])
    const twin = { ...online, id: 6, vendor_payment_id: 6 }
    expect(match([line(-1_000, { reference: 'CONF-77123' })], [online, twin])).toEqual([
      ['near', 'payment:5', 'Same amount, on the same day. Another one has this amount too.'],
    ])
    expect(match([line(1_000, { reference: 'CONF-77123' })], [online])).toEqual([['unknown', null, nothing]])
  })
})

describe('the same amount alone', () => {
  it('is near up to 5 days apart, the nearest first, each payment for one line', () => {
    const single = (id: number, day: string) => sent(id, { way: 'single', day })
    const payments = [single(1, '2026-11-19'), single(2, '2026-11-22')]
    expect(match([line(-1_000), line(-1_000), line(-1_000)], payments)).toEqual([
      ['near', 'payment:2', 'Same amount, 2 days later than ours. Another one has this amount too.'],
      ['near', 'payment:1', 'Same amount, 5 days later than ours.'],
      ['unknown', null, nothing],
    ])
    expect(match([line(-1_000)], [single(1, '2026-11-18')])).toEqual([['unknown', null, nothing]])
    expect(match([line(-1_001)], payments)).toEqual([['unknown', null, nothing]])
  })

  it('of a line that moves no money is nothing', () => {
    expect(match([line(0)], [sent(1)])).toEqual([['ignored', null, 'No money moves']])
  })
})
